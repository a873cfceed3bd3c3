// Decompression and parsing of proof files (proof_file.h).
#include <fmt/format.h>
#include <zstd.h>

#include <new>

#include "report/proof/proof_file.h"

namespace nestor::io {
namespace {

constexpr std::uint64_t most_nests = 4'000'000;  // maximum for one choice, as in nestor-check
constexpr std::uint64_t longest_text = std::uint64_t{64} << 20U;

}  // namespace

struct ProofReader::Decompressor {
  explicit Decompressor(std::string text) : compressed(std::move(text)), context(ZSTD_createDCtx()) {
    if (context == nullptr) throw std::bad_alloc();
    input = {compressed.data(), compressed.size(), 0};
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor() { ZSTD_freeDCtx(context); }
  std::string compressed;
  ZSTD_DCtx* context;
  ZSTD_inBuffer input{};
};

ProofReader::ProofReader(std::string compressed)
    : decompressor_(std::make_unique<Decompressor>(std::move(compressed))) {}
ProofReader::~ProofReader() = default;

Error ProofReader::broken(std::string_view what) const {
  return input_error({}, fmt::format("is not a proof, or is damaged: {}", what));
}

// Reads more bytes. Returns false if there are none, or they are damaged.
bool ProofReader::fill() {
  block_.resize(ZSTD_DStreamOutSize());
  at_ = 0;
  auto& input = decompressor_->input;
  while (true) {
    ZSTD_outBuffer out{block_.data(), block_.size(), 0};
    const std::size_t before = input.pos;
    const auto hint = ZSTD_decompressStream(decompressor_->context, &out, &input);
    if (ZSTD_isError(hint) != 0 || (out.pos == 0 && input.pos == before)) break;
    if (out.pos == 0) continue;
    block_.resize(out.pos);
    return true;
  }
  block_.clear();
  return false;
}

bool ProofReader::byte(unsigned& value) {
  if (at_ == block_.size() && !fill()) return false;
  value = static_cast<unsigned char>(block_[at_++]);
  return true;
}

bool ProofReader::number(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    unsigned part = 0;
    if (!byte(part)) return false;
    value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
    if (part < 0x80U) return true;
  }
  return false;
}

Result<Json> ProofReader::text() {
  std::uint64_t length = 0;
  if (!number(length) || length > longest_text) return broken("a description is truncated or too long");
  std::string text;
  for (unsigned value = 0; text.size() < length; text.push_back(static_cast<char>(value)))
    if (!byte(value)) return broken("it is truncated");
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return broken("a description is not JSON");
  return json;
}

Result<Json> ProofReader::head() {
  unsigned value = 0;
  std::string magic;
  while (magic.size() <= proof_schema.size() && byte(value)) magic.push_back(static_cast<char>(value));
  if (magic != std::string(proof_schema) + '\n')
    return broken(fmt::format("it does not start with '{}'", proof_schema));
  return text();
}

Result<std::optional<Json>> ProofReader::layer() {
  unsigned tag = 0;
  if (!byte(tag)) return broken("it is truncated");
  if (tag == 'Z') return std::optional<Json>();
  if (tag != 'L') return broken("expected a layer");
  auto description = text();
  if (!description) return description.error();
  choices_ = nests_ = 0;
  return std::optional<Json>(std::move(*description));
}

Result<std::optional<ProofReader::Choice>> ProofReader::choice(std::size_t axes) {
  unsigned tag = 0;
  if (!byte(tag)) return broken("it is truncated");
  std::uint64_t value = 0;
  if (tag == 'E') {
    std::uint64_t nests = 0;
    if (!number(value) || !number(nests) || value != choices_ || nests != nests_)
      return broken("a layer does not have the stated number of nests");
    return std::optional<Choice>();
  }
  Choice choice;
  const bool is_choice = tag == 'C' || tag == 'G';
  for (std::size_t i = 0; is_choice && i < axes * dim_count; ++i) {
    value = 1;
    if ((tag == 'G' || i % dim_count != index_of(Dim::G)) && !number(value)) return broken("it is truncated");
    choice.factors.push_back(static_cast<Int>(value));
  }
  if (!is_choice || !number(choice.nests)) return broken("expected a spatial choice");
  if (choice.nests > most_nests) return broken("a spatial choice has too many nests");
  ++choices_;
  nests_ += choice.nests;
  last_parent_ = 0;
  number_ = 0;
  return std::optional<Choice>(std::move(choice));
}

Result<ProofNest> ProofReader::nest() {
  std::uint64_t value = 0;
  unsigned head = 0;
  ProofNest nest;
  if (!number(value) || !byte(head)) return broken("it is truncated");
  const auto difference = static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  const auto parent = std::int64_t{last_parent_} + difference;
  nest.step.dim = head & 7U;
  if (parent < 0 || static_cast<std::uint64_t>(parent) > number_ || nest.step.dim >= dim_count ||
      head >> 6U != 0)
    return broken("a nest is invalid");
  nest.parent = last_parent_ = static_cast<std::uint32_t>(parent);
  if (!number(value)) return broken("it is truncated");
  nest.step.factor = static_cast<Int>(value);
  for (std::size_t x = 0; x < operand_count; ++x) {
    if ((head >> (3 + x) & 1U) == 0) continue;
    unsigned move = 0;
    if (!byte(move)) return broken("it is truncated");
    nest.step.moved[x] = true;
    nest.step.at[x] = move & 15U;
    nest.step.doubled[x] = (move >> 4U) != 0;
  }
  ++number_;
  return nest;
}

}  // namespace nestor::io
