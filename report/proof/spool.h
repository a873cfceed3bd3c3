// Storage for pieces of a file whose positions in the file are not yet known. The pieces are in a nameless
// file beside the target, so they use no memory and a killed process leaves nothing behind. Several threads
// can use it at the same time.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include "io/output_file.h"

namespace nestor::io {

class Spool {
 public:
  /// Creates the file beside `target`, or in the folder for temporary files if `target` is not a regular
  /// file.
  Spool(const std::filesystem::path& target, std::size_t parts);
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  /// Stores a piece of a part. If this fails, error() returns the failure.
  void add(std::size_t part, std::string_view piece);
  MaybeError error() const;
  /// Passes the pieces of a part to the sink in the order in which they were added. Returns false if the sink
  /// stops or the pieces cannot be read.
  bool replay(std::size_t part, const PieceSink& sink) const;

 private:
  struct Piece {
    std::uint64_t at = 0;
    std::size_t size = 0;
  };
  std::filesystem::path folder_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::uint64_t end_ = 0;
  int problem_ = 0;  ///< errno of the first failure, or 0
  std::vector<std::vector<Piece>> parts_;
};

}  // namespace nestor::io
