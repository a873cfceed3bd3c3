// Reader of proof files, "nestor.proof/1", as in docs/proofs.md. The nestor tool does not use this code. The
// reader processes one spatial choice at a time and trusts no size that the file states.
#pragma once

#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "check/problem.h"

namespace nestor::check {

// Opens regular files only: a pipe or device could be endless or block forever.
inline std::ifstream open_file(const std::string& path, const std::string& what) {
  if (std::ifstream in(std::filesystem::is_regular_file(path) ? path : "", std::ios::binary); in) return in;
  throw Unreadable(what + " cannot be opened as a file");
}

class ProofFile {
 public:
  explicit ProofFile(const std::string& path) : in_(open_file(path, "the proof")) {
    for (const char letter : std::string_view("nestor.proof/1\n"))
      if (byte() != static_cast<unsigned char>(letter)) damaged("it does not start with nestor.proof/1");
    head_ = description();
  }

  const Json& head() const { return head_; }
  /// Returns the next layer's head, or null at the end of the file. Unread choices of the previous layer are
  /// skipped.
  Json next_layer(std::size_t axes) {
    for (LoggedChoice passed; in_layer_;) next_choice(axes, passed);
    const unsigned tag = byte();
    if (tag == 'Z') {
      if (at_ != text_.size() || fill()) damaged("data follow its end");
      text_ = "Z";  // further calls find the end again
      return nullptr;
    }
    if (tag != 'L') damaged("expected a layer");
    in_layer_ = true;
    return description();
  }

  /// Reads the next choice of the layer. Returns false at the layer's end.
  bool next_choice(std::size_t axes, LoggedChoice& choice) {
    constexpr std::uint64_t most_nests = 4'000'000;  // maximum for one choice, 1 GB in memory
    const unsigned tag = byte();
    if (tag == 'E') {
      in_layer_ = false;
      number();  // the stated numbers of choices and nests, which the checker does not use
      number();
      return false;
    }
    if (tag != 'C' && tag != 'G') damaged("expected a spatial choice");
    choice.spatial.assign(axes, {});
    for (Extents& factors : choice.spatial)
      for (std::size_t d = 0; d < dim_count; ++d)
        factors[d] = d == G && tag == 'C' ? 1 : static_cast<Int>(number());
    const auto count = number();
    if (count > most_nests) damaged("a spatial choice has too many nests");
    choice.nests.clear();
    last_parent_ = 0;
    for (std::uint64_t i = 0; i < count; ++i) choice.nests.push_back(nest(i));
    return true;
  }

 private:
  [[noreturn]] static void damaged(const std::string& s) { throw Unreadable("the proof is damaged: " + s); }

  // Reads more text. Returns false at the end of the file.
  bool fill() {
    at_ = 0;
    while (true) {
      if (input_.pos == input_.size) {
        in_.read(compressed_.data(), static_cast<std::streamsize>(compressed_.size()));
        input_ = {compressed_.data(), static_cast<std::size_t>(in_.gcount()), 0};
      }
      if (input_.size == 0 && missing_ == 0) return false;
      text_.resize(ZSTD_DStreamOutSize());
      ZSTD_outBuffer out{text_.data(), text_.size(), 0};
      missing_ = ZSTD_decompressStream(decompressor_.get(), &out, &input_);
      if (ZSTD_isError(missing_) != 0) damaged("its compressed data are invalid");
      text_.resize(out.pos);
      if (!text_.empty()) return true;
      if (input_.size == 0 && missing_ != 0) damaged("it is truncated");
    }
  }

  unsigned byte() {
    if (at_ == text_.size() && !fill()) damaged("it is truncated");
    return static_cast<unsigned char>(text_[at_++]);
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const unsigned part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
      if (part < 0x80U) return value;
    }
    damaged("a number is too long");
  }

  Json description() {
    constexpr std::uint64_t longest = std::uint64_t{64} << 20U;  // less than 2 GB as JSON for any content
    const auto length = number();
    if (length > longest) damaged("a description is too long");
    std::string text;
    while (text.size() < length) text.push_back(static_cast<char>(byte()));
    auto json = Json::parse(text, nullptr, false);
    if (!json.is_object()) damaged("a description is not JSON");
    return json;
  }

  LoggedNest nest(std::uint64_t nests_before) {
    const auto code = number();
    const auto difference = static_cast<Int>(code >> 1U) ^ -static_cast<Int>(code & 1U);
    last_parent_ = plus(last_parent_, difference);
    const unsigned head = byte();
    LoggedNest nest{.parent = static_cast<std::uint32_t>(last_parent_)};
    nest.dim = head & 7U;
    if (last_parent_ < 0 || static_cast<std::uint64_t>(last_parent_) > nests_before ||
        nest.dim >= dim_count || head >> 6U != 0)
      damaged("a nest is invalid");
    nest.factor = static_cast<Int>(number());
    for (const Operand x : operands) {
      if ((head >> (3 + x) & 1U) == 0) continue;
      const unsigned move = byte();
      if (move >= 32) damaged("a move is invalid");
      nest.moves[x] = {true, move >= 16, static_cast<std::uint8_t>(move & 15U)};
    }
    return nest;
  }

  std::ifstream in_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decompressor_{ZSTD_createDCtx(), ZSTD_freeDCtx};
  ZSTD_inBuffer input_{nullptr, 0, 0};
  std::string compressed_ = std::string(ZSTD_DStreamInSize(), ' ');
  std::size_t missing_ = 0;  ///< minimum bytes that the current frame still needs
  std::string text_;
  std::size_t at_ = 0;
  Json head_;
  bool in_layer_ = false;
  Int last_parent_ = 0;
};

}  // namespace nestor::check
