// Proof files, "nestor.proof/1", as docs/proofs.md describes them: read here by code that the tool does not
// use, one spatial choice at a time. Nothing is taken from a file that its own bytes do not hold.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "check/replay.h"

namespace nestor::check {

class ProofFile {
 public:
  explicit ProofFile(const std::string& path);
  ProofFile(const ProofFile&) = delete;
  ProofFile& operator=(const ProofFile&) = delete;
  ~ProofFile();

  const Json& head() const { return head_; }
  /// The next layer's head; null at the end of the file. What is left of the layer before is passed over.
  Json next_layer(const Machine& machine);
  /// False at the layer's end.
  bool next_choice(const Machine& machine, LoggedChoice& choice);

 private:
  struct Decompressor;
  bool fill();
  unsigned byte();
  std::uint64_t number();
  Json description();
  void read(LoggedNest& nest, std::size_t number_of_it);

  std::ifstream in_;
  std::unique_ptr<Decompressor> decompressor_;
  std::string compressed_;
  std::string text_;
  std::size_t at_ = 0;
  Json head_;
  bool in_layer_ = false;
  bool ended_ = false;
  std::uint64_t choices_ = 0;
  std::uint64_t nests_ = 0;
  std::uint32_t last_parent_ = 0;
};

}  // namespace nestor::check
