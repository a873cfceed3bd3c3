// Pieces of a file that come before their place in it is known: set aside in a nameless file beside the
// target, so that nothing of them is held in memory and a kill leaves nothing behind. Used by several threads
// at a time.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include "io/output_file.h"

namespace nestor::io {

class Spool {
 public:
  /// Beside `target`, or in the folder for temporary files if that is no regular file.
  Spool(const std::filesystem::path& target, std::size_t parts);
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  /// Sets a piece of a part aside. Where that fails, error() says so from then on.
  void add(std::size_t part, std::string_view piece);
  MaybeError error() const;
  /// The pieces of a part, in the order in which they came; false if the sink takes no more, or they cannot
  /// be read.
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
  int problem_ = 0;  ///< an errno
  std::vector<std::vector<Piece>> parts_;
};

}  // namespace nestor::io
