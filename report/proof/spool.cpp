#include "report/proof/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace nestor::io {
namespace {

namespace fs = std::filesystem;

// Opens a file without a name. Returns -1 on failure.
int open_nameless(const fs::path& folder) {
  constexpr mode_t mine = 0600;
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mine);
  if (file >= 0) return file;
#endif
  // On file systems without this feature, the file briefly has a name.
  std::string name = (folder / ".nestor-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

fs::path folder_of(const fs::path& target) {
  std::error_code code;
  if (!is_replaced(target)) return fs::temp_directory_path(code);
  const auto real = fs::weakly_canonical(target, code);
  const auto folder = (code ? target : real).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

Spool::Spool(const fs::path& target, std::size_t parts) : folder_(folder_of(target)), parts_(parts) {
  file_ = open_nameless(folder_);
  if (file_ < 0) problem_ = errno;
}
Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

void Spool::add(std::size_t part, std::string_view piece) {
  if (piece.empty()) return;
  const std::lock_guard lock(mutex_);
  if (problem_ != 0) return;
  parts_[part].push_back({end_, piece.size()});
  while (!piece.empty()) {
    const auto written = ::pwrite(file_, piece.data(), piece.size(), static_cast<off_t>(end_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      problem_ = written < 0 ? errno : ENOSPC;
      return;
    }
    end_ += static_cast<std::uint64_t>(written);
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
}

MaybeError Spool::error() const {
  const std::lock_guard lock(mutex_);
  if (problem_ == 0) return std::nullopt;
  return output_error(folder_,
                      fmt::format("a temporary file cannot be written: {}", std::strerror(problem_)));
}

bool Spool::replay(std::size_t part, const PieceSink& sink) const {
  std::string block;
  for (const Piece& piece : parts_[part]) {
    block.resize(piece.size);
    for (std::size_t at = 0; at < piece.size;) {
      const auto got = ::pread(file_, block.data() + at, piece.size - at, static_cast<off_t>(piece.at + at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += static_cast<std::size_t>(got);
    }
    if (!sink(block)) return false;
  }
  return true;
}

}  // namespace nestor::io
