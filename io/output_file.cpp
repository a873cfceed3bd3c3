#include "io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/parse_number.h"
#include "io/files.h"
#include "io/printable.h"

namespace nestor::io {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

// File descriptor for writing, which the destructor closes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }

  bool write(std::string_view content) const {
    while (!content.empty()) {
      const auto written = ::write(number_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool flush_to_disk() const { return ::fsync(number_) == 0; }
  /// Some file systems report a lack of space only here.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// Returns the descriptor that /dev/stdout, /dev/stderr, /dev/fd/N or /proc/self/fd/N refers to.
std::optional<int> descriptor_of(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  if (text == "/dev/stdout") return STDOUT_FILENO;
  if (text == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!text.starts_with(folder)) continue;
    if (const auto number = parse_number<int>(std::string_view(text).substr(folder.size()))) return number;
  }
  return std::nullopt;
}

// Returns the target of a chain of links; nothing if the chain has 40 or more links or cannot be read.
std::optional<fs::path> target_of(fs::path path) {
  constexpr int most_links = 40;
  std::error_code code;
  for (int i = 0; i < most_links; ++i) {
    if (!fs::is_symlink(path, code)) return path;
    const auto next = fs::read_symlink(path, code);
    if (code) return std::nullopt;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return std::nullopt;
}

// A new file beside the target, which rename() moves to the target.
class Replacement {
 public:
  explicit Replacement(fs::path target) : target_(std::move(target)), temporary_(target_) {
    temporary_ += fmt::format(".{}.tmp", ::getpid());
  }

  /// Opens the new file, with the mode and owner of the old one if there is an old one.
  std::optional<int> open(const struct stat* old) const {
    constexpr mode_t fresh = 0666;  // reduced by the umask
    const int file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, fresh);
    if (file < 0) return std::nullopt;
    if (old == nullptr || keep(file, *old)) return file;
    const int problem = errno;
    ::close(file);
    discard();
    errno = problem;
    return std::nullopt;
  }
  bool install() const { return std::rename(temporary_.c_str(), target_.c_str()) == 0; }
  void discard() const { ::unlink(temporary_.c_str()); }

 private:
  static bool keep(int file, const struct stat& old) {
    struct stat now {};
    if (::fstat(file, &now) != 0) return false;
    const bool foreign = now.st_uid != old.st_uid || now.st_gid != old.st_gid;
    if (foreign && ::fchown(file, old.st_uid, old.st_gid) != 0) return false;
    return ::fchmod(file, old.st_mode & 07777U) == 0;
  }

  fs::path target_;
  fs::path temporary_;
};

// Flushes the folder of a renamed file to the disk; before that, a crash of the machine may undo the
// renaming. Failures are ignored, because some file systems cannot flush folders.
void flush_folder(const fs::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) static_cast<void>(opened.flush_to_disk());
}

// Opening a pipe without a reader blocks. After this call, SIGINT and SIGTERM interrupt the wait if they have
// handlers.
void let_signals_end_waiting() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || (action.sa_flags & SA_RESTART) == 0) continue;
    action.sa_flags &= ~SA_RESTART;
    ::sigaction(number, &action, nullptr);
  }
}

bool write_all(const Descriptor& file, const Pieces& content) {
  return content([&](std::string_view piece) { return file.write(piece); });
}

MaybeError write_into(const fs::path& path, Descriptor file, const Pieces& content) {
  if (!file) return output_error(path, fmt::format("cannot be written: {}", reason()));
  if (!write_all(file, content) || !file.close())
    return output_error(path, fmt::format("writing failed: {}", reason()));
  return std::nullopt;
}

enum class Durability : std::uint8_t { of_the_process, of_the_machine };

MaybeError replace(const fs::path& path, const fs::path& target, const struct stat* old,
                   const Pieces& content, Durability durability) {
  const Replacement replacement(target);
  if (old != nullptr && ::access(target.c_str(), W_OK) != 0)
    return output_error(path, fmt::format("cannot be written: {}", reason()));
  const auto opened = replacement.open(old);
  // A writable file of another user is written in place if a new file cannot have its owner and mode.
  if (!opened && old != nullptr && errno == EPERM)
    return write_into(path, Descriptor(::open(target.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)), content);
  if (!opened) return output_error(path, fmt::format("cannot be written: {}", reason()));
  Descriptor file(*opened);
  const bool durable = durability == Durability::of_the_machine;
  if (!write_all(file, content) || (durable && !file.flush_to_disk()) || !file.close()) {
    auto error = output_error(path, fmt::format("writing failed: {}", reason()));
    replacement.discard();
    return error;
  }
  if (replacement.install()) {
    if (durable) flush_folder(target);
    return std::nullopt;
  }
  auto error = output_error(path, fmt::format("cannot be replaced: {}", reason()));
  replacement.discard();
  return error;
}

// Writes to the standard output of the process. On a terminal, harmful characters are replaced.
MaybeError write_to_standard_output(const Pieces& content) {
  std::fflush(stdout);
  const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
  const auto write = [on_terminal](std::string_view piece) {
    const std::string safe = on_terminal ? printable(piece) : std::string();
    const std::string_view text = on_terminal ? std::string_view(safe) : piece;
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  };
  if (content(write) && std::fflush(stdout) == 0) return std::nullopt;
  return output_error("standard output", fmt::format("writing failed: {}", reason()));
}

}  // namespace

Error output_error(const fs::path& path, std::string message) {
  return Error{ErrorKind::output, {path.string()}, std::move(message)};
}

bool is_replaced(const fs::path& path) {
  if (path == "-" || descriptor_of(path)) return false;
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool are_one_output(const fs::path& one, const fs::path& other) {
  if (one == "-" || other == "-") return one == other;
  if (!is_replaced(one) || !is_replaced(other)) return false;
  std::error_code code;
  const auto first = target_of(fs::absolute(one, code));
  const auto second = target_of(fs::absolute(other, code));
  return first && second && fs::weakly_canonical(*first, code) == fs::weakly_canonical(*second, code);
}

MaybeError check_writable(const fs::path& path) {
  if (path == "-") return std::nullopt;
  if (const auto number = descriptor_of(path)) {
    const int flags = ::fcntl(*number, F_GETFL);
    const bool open = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
    if (flags >= 0 && !open) errno = EBADF;
    return open ? MaybeError() : output_error(path, fmt::format("cannot be written: {}", reason()));
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return output_error(path, fmt::format("cannot be written: {}", reason()));
  if (exists && S_ISDIR(status.st_mode)) return output_error(path, "is a directory, expected a file");
  if (exists && !S_ISREG(status.st_mode)) {
    if (::access(path.c_str(), W_OK) == 0) return std::nullopt;
    return output_error(path, fmt::format("cannot be written: {}", reason()));
  }
  const auto target = target_of(path);
  if (!target) return output_error(path, "cannot be written: too many symbolic links");
  if (exists && ::access(target->c_str(), W_OK) != 0)
    return output_error(path, fmt::format("cannot be written: {}", reason()));
  const Replacement replacement(*target);
  const auto opened = replacement.open(nullptr);
  if (!opened) return output_error(path, fmt::format("cannot be written: {}", reason()));
  ::close(*opened);
  replacement.discard();
  return std::nullopt;
}

namespace {

MaybeError write_file(const fs::path& path, const Pieces& content, Durability durability) {
  if (path == "-") return write_to_standard_output(content);
  if (const auto number = descriptor_of(path)) {
    std::fflush(stdout);
    return write_into(path, Descriptor(::dup(*number)), content);
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return output_error(path, "is a directory, expected a file");
  if (exists && S_ISFIFO(status.st_mode)) let_signals_end_waiting();
  if (exists && !S_ISREG(status.st_mode))
    return write_into(path, Descriptor(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC)), content);
  const auto target = target_of(path);
  if (!target) return output_error(path, "cannot be written: too many symbolic links");
  return replace(path, *target, exists ? &status : nullptr, content, durability);
}

bool is_device(const fs::path& path) {
  struct stat status {};
  if (descriptor_of(path)) return true;
  return ::stat(path.c_str(), &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

Pieces in_one_piece(std::string_view content) {
  return [content](const PieceSink& sink) { return sink(content); };
}

}  // namespace

MaybeError write_file(const fs::path& path, std::string_view content) {
  return write_file(path, in_one_piece(content), Durability::of_the_process);
}

MaybeError write_durably(const fs::path& path, const Pieces& content) {
  return write_file(path, content, Durability::of_the_machine);
}

MaybeError write_somewhere(const fs::path& path, std::string_view content) {
  return write_somewhere(path, in_one_piece(content));
}

MaybeError write_somewhere(const fs::path& path, const Pieces& content) {
  auto error = write_file(path, content, Durability::of_the_process);
  if (!error || path == "-" || is_device(path)) return error;  // output to a device need not be kept
  std::error_code code;
  const auto folder = fs::temp_directory_path(code);
  static std::atomic<int> before{0};  // two outputs may have the same name
  const int again = before++;
  const auto name = fmt::format("nestor-{}{}-{}", ::getpid(), again == 0 ? "" : fmt::format("-{}", again),
                                fs::path(path).filename().string());
  if (!code && !write_file(folder / name, content, Durability::of_the_process))
    error->message += fmt::format("; the output is in {}", (folder / name).string());
  return error;
}

}  // namespace nestor::io
