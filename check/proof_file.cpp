#include "check/proof_file.h"

#include <zstd.h>

namespace nestor::check {
namespace {

constexpr std::string_view schema = "nestor.proof/1";
constexpr std::uint64_t longest_description = std::uint64_t{16} << 20U;
constexpr std::uint64_t most_nests = 4'000'000;  // of a choice, 1 GB of them

[[noreturn]] void damaged(const std::string& what) { throw Unreadable("the proof is damaged: " + what); }

}  // namespace

struct ProofFile::Decompressor {
  Decompressor() : context(ZSTD_createDCtx()) {
    if (context == nullptr) throw std::bad_alloc();
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor() { ZSTD_freeDCtx(context); }
  ZSTD_DCtx* context;
  ZSTD_inBuffer input{nullptr, 0, 0};
};

ProofFile::ProofFile(const std::string& path)
    : in_(path, std::ios::binary), decompressor_(std::make_unique<Decompressor>()) {
  if (!in_) throw Unreadable("the proof cannot be opened");
  for (const char letter : schema)
    if (byte() != static_cast<unsigned char>(letter)) damaged("it does not begin as one");
  if (byte() != '\n') damaged("it does not begin as one");
  head_ = description();
}
ProofFile::~ProofFile() = default;

// More text; false at the end of the file.
bool ProofFile::fill() {
  auto& input = decompressor_->input;
  text_.resize(ZSTD_DStreamOutSize());
  at_ = 0;
  while (true) {
    if (input.pos == input.size) {
      compressed_.resize(ZSTD_DStreamInSize());
      in_.read(compressed_.data(), static_cast<std::streamsize>(compressed_.size()));
      input = {compressed_.data(), static_cast<std::size_t>(in_.gcount()), 0};
    }
    ZSTD_outBuffer out{text_.data(), text_.size(), 0};
    const bool at_end = input.size == 0;
    if (ZSTD_isError(ZSTD_decompressStream(decompressor_->context, &out, &input)) != 0)
      damaged("its compressed bytes are wrong");
    if (out.pos > 0) {
      text_.resize(out.pos);
      return true;
    }
    if (at_end) {
      text_.clear();
      return false;
    }
  }
}

unsigned ProofFile::byte() {
  if (at_ == text_.size() && !fill()) damaged("it is cut off");
  return static_cast<unsigned char>(text_[at_++]);
}

std::uint64_t ProofFile::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const unsigned part = byte();
    value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
    if (part < 0x80U) return value;
  }
  damaged("a number is too long");
}

Json ProofFile::description() {
  const auto length = number();
  if (length > longest_description) damaged("a description is too long");
  std::string text;
  while (text.size() < length) text.push_back(static_cast<char>(byte()));
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) damaged("a description is not JSON");
  return json;
}

Json ProofFile::next_layer(const Machine& machine) {
  for (LoggedChoice passed; in_layer_;) next_choice(machine, passed);
  if (ended_) return nullptr;
  const unsigned tag = byte();
  if (tag == 'Z') {
    ended_ = true;
    if (at_ != text_.size() || fill()) damaged("something follows its end");
    return nullptr;
  }
  if (tag != 'L') damaged("a layer was expected");
  in_layer_ = true;
  choices_ = nests_ = 0;
  return description();
}

bool ProofFile::next_choice(const Machine& machine, LoggedChoice& choice) {
  const unsigned tag = byte();
  if (tag == 'E') {
    in_layer_ = false;
    const auto choices = number();
    if (choices != choices_ || number() != nests_) damaged("a layer lacks nests");
    return false;
  }
  if (tag != 'C') damaged("a spatial choice was expected");
  choice.spatial.assign(machine.axes.size(), {});
  for (Extents& factors : choice.spatial)
    for (Int& factor : factors) factor = static_cast<Int>(number());
  const auto count = number();
  if (count > most_nests) damaged("a spatial choice has too many nests");
  choice.nests.clear();
  last_parent_ = 0;
  for (std::uint64_t i = 0; i < count; ++i) read(choice.nests.emplace_back(), i);
  ++choices_;
  nests_ += count;
  return true;
}

void ProofFile::read(LoggedNest& nest, std::size_t number_of_it) {
  const auto code = number();
  const auto difference = static_cast<Int>(code >> 1U) ^ -static_cast<Int>(code & 1U);
  const Int parent = Int{last_parent_} + difference;
  const unsigned head = byte();
  nest.dim = head & 7U;
  if (parent < 0 || static_cast<std::size_t>(parent) > number_of_it || nest.dim >= dim_count ||
      head >> 6U != 0)
    damaged("a nest is none");
  nest.parent = last_parent_ = static_cast<std::uint32_t>(parent);
  nest.factor = static_cast<Int>(number());
  for (const Operand x : operands) {
    if ((head >> (3 + x) & 1U) == 0) continue;
    const unsigned move = byte();
    if (move >= 32) damaged("a move is none");
    nest.moves[x] = {true, move >= 16, static_cast<std::uint8_t>(move & 15U)};
  }
}

}  // namespace nestor::check
