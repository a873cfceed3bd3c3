// Proof files, "nestor.proof/1" (docs/proofs.md has the format): for every layer the nests that the search
// kept, per spatial choice, which nestor-check replays. Written piece by piece while the search runs, each
// piece compressed at once; read one choice at a time.
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

/// A nest of a choice's list: where it came from, and the step from there. 0 is the nest without temporal
/// loops, i the i-th of the list.
struct ProofNest {
  std::uint32_t parent = 0;
  NestStep step;
};

/// Bytes that are compressed as they come, in frames of a megabyte that stand on their own: no
/// more than one is held.
class ProofStream {
 public:
  static constexpr std::size_t frame_size = std::size_t{1} << 20U;

  /// Head of the file: whose proof it is, and what its numbers stand for.
  void head(const Json& description);
  /// Head of a layer: which, and what is claimed of it.
  void layer(const Json& description);
  /// A spatial choice, by the factors of every dimension on every axis; so many nests follow.
  void choice(std::span<const Int> factors, std::size_t nests);
  void nest(const ProofNest& nest);
  void end_of_layer();
  void end_of_file();
  /// The frames that are full, since the last call.
  std::string take() { return std::exchange(frames_, {}); }
  /// All since the last call.
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

/// Reads a proof from its beginning. What cannot be part of one is an error that says so.
class ProofReader {
 public:
  explicit ProofReader(std::string compressed);
  ProofReader(const ProofReader&) = delete;
  ProofReader& operator=(const ProofReader&) = delete;
  ~ProofReader();

  Result<Json> head();
  /// The next layer; nothing at the end of the file.
  Result<std::optional<Json>> layer();
  struct Choice {
    std::vector<Int> factors;
    std::uint64_t nests = 0;
  };
  /// The next choice of the layer, whose nests are to be read; nothing at the layer's end.
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
  std::uint64_t number_ = 0;  // of nests of the choice read so far
  std::uint64_t choices_ = 0;
  std::uint64_t nests_ = 0;
};

}  // namespace nestor::io
