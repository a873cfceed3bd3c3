// Proof files, "nestor.proof/1" (format in docs/proofs.md). For every layer and spatial choice, they list the
// nests that the search recorded, and nestor-check replays these lists. The files are written in pieces
// during the search, with each piece compressed immediately. They are read one choice at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/files.h"
#include "model/loopnest/search/nest_step.h"

namespace nestor::io {

inline constexpr std::string_view proof_schema = "nestor.proof/1";

/// A nest in the list of a choice: its parent and the step from there. Parent 0 is the nest without temporal
/// loops, and parent i is nest i of the list.
struct ProofNest {
  std::uint32_t parent = 0;
  NestStep step;
};

/// A stream of bytes that are compressed as they are added, in independent frames of a megabyte. At most one
/// frame is buffered.
class ProofStream {
 public:
  static constexpr std::size_t frame_size = std::size_t{1} << 20U;

  /// Writes the head of the file: values that identify the result of the proof, and the names of the axes and
  /// memories to which the proof refers by number.
  void head(const Json& description);
  /// Writes the head of a layer: its shape and the claims about it.
  void layer(const Json& description);
  /// Writes a spatial choice, as the factors of every dimension on every axis, and the number of nests that
  /// follow.
  void choice(std::span<const Int> factors, std::size_t nests);
  void nest(const ProofNest& nest);
  void end_of_layer();
  void end_of_file();
  /// Returns the frames that were completed since the last call of take() or flush().
  std::string take() { return std::exchange(frames_, {}); }
  /// Compresses all buffered bytes and returns the frames since the last call of take() or flush().
  std::string flush();

 private:
  void text(char tag, const Json& json);
  void number(std::uint64_t value);
  void byte(unsigned value) { pending_.push_back(static_cast<char>(value)); }
  void compress();

  std::string pending_;
  std::string frames_;
  std::uint32_t last_parent_ = 0;
  std::uint64_t choices_ = 0;
  std::uint64_t nests_ = 0;
};

/// Reads a proof from its beginning. Invalid data is an error.
class ProofReader {
 public:
  explicit ProofReader(std::string compressed);
  ProofReader(const ProofReader&) = delete;
  ProofReader& operator=(const ProofReader&) = delete;
  ~ProofReader();

  Result<Json> head();
  /// Returns the next layer, or nothing at the end of the file.
  Result<std::optional<Json>> layer();
  struct Choice {
    std::vector<Int> factors;
    std::uint64_t nests = 0;
  };
  /// Returns the next choice of the layer, or nothing at the layer's end. Its nests must then be read.
  Result<std::optional<Choice>> choice(std::size_t axes);
  Result<ProofNest> nest();

 private:
  struct Decompressor;
  bool fill();
  bool byte(unsigned& value);
  bool number(std::uint64_t& value);
  Result<Json> text();
  Error broken(std::string_view what) const;

  std::unique_ptr<Decompressor> decompressor_;
  std::string block_;
  std::size_t at_ = 0;
  std::uint32_t last_parent_ = 0;
  std::uint64_t number_ = 0;  // number of nests of the choice read so far
  std::uint64_t choices_ = 0;
  std::uint64_t nests_ = 0;
};

}  // namespace nestor::io
