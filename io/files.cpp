// Functions that read whole files, and the conversion of JSON to text. output_file.cpp writes files.
#include "io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "io/memory_files.h"
#include "io/printable.h"

namespace nestor::io {
namespace {

Error file_error(const std::filesystem::path& path, const std::string& what) {
  return input_error({path.string()}, what);
}

class InputDescriptor {
 public:
  explicit InputDescriptor(int number) : number_(number) {}
  InputDescriptor(InputDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  InputDescriptor& operator=(InputDescriptor&&) = delete;
  ~InputDescriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// True if a named pipe has a writer; a blocking read could otherwise wait forever. Without a writer, a
// non-blocking read reports the end of the file; with one, it reports that no data is available yet. A byte
// that was read is appended to `begin`.
bool has_writer(int pipe, std::string& begin) {
  constexpr auto patience = std::chrono::milliseconds(700);
  constexpr auto pause = std::chrono::milliseconds(10);
  for (const auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(pause)) {
    char byte = 0;
    const auto count = ::read(pipe, &byte, 1);
    if (count > 0) begin.push_back(byte);
    if (count > 0 || (count < 0 && errno == EAGAIN)) return true;
  }
  return false;
}

// Rejects files that could be endless or block forever, before any read.
MaybeError refuse_endless(const std::filesystem::path& path, const struct stat& status, int file) {
  if (S_ISDIR(status.st_mode)) return file_error(path, "is a directory, expected a file");
  if (S_ISBLK(status.st_mode) || S_ISSOCK(status.st_mode))
    return file_error(path, "is a device or a socket, expected a file");
  if (!S_ISCHR(status.st_mode)) return std::nullopt;
  struct stat null {};
  const bool is_empty = ::stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev;
  if (is_empty || ::isatty(file) == 1) return std::nullopt;
  return file_error(path, "is a device, expected a file");
}

// A file and the part of its content that has been read.
class Source {
 public:
  static Result<Source> open(const std::filesystem::path& path);

  /// Continues to read until more than `bytes` bytes are available or the file ends.
  MaybeError read_beyond(std::uintmax_t bytes);
  const std::string& content() const { return content_; }
  std::string take() { return std::move(content_); }
  /// Returns the size of a regular file; the size of a pipe is unknown.
  std::optional<std::uintmax_t> size() const { return size_; }
  void reserve(std::uintmax_t bytes) { content_.reserve(static_cast<std::size_t>(bytes)); }

 private:
  Source(std::filesystem::path path, InputDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  MaybeError begin();

  std::filesystem::path path_;
  InputDescriptor file_;
  std::optional<std::uintmax_t> size_;
  std::string content_;
  MaybeError failure_;  ///< the reason why nothing more can be read
  bool ended_ = false;
};

Result<Source> Source::open(const std::filesystem::path& path) {
  Source source(
      path == "-" ? "standard input" : path,
      InputDescriptor(path == "-" ? STDIN_FILENO
                                  : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)));
  if (source.file_.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return file_error(path, "no such file");
    return file_error(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  }
  if (auto error = source.begin()) return *error;
  return source;
}

MaybeError Source::begin() {
  const int file = file_.number();
  struct stat status {};
  if (::fstat(file, &status) != 0)
    return file_error(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (auto error = refuse_endless(path_, status, file)) return error;
  if (S_ISREG(status.st_mode)) size_ = static_cast<std::uintmax_t>(status.st_size);
  if (S_ISFIFO(status.st_mode) && file != STDIN_FILENO && !has_writer(file, content_))
    failure_ = file_error(path_, "no process writes to this pipe");
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);  // blocking reads are safe from here on
  return std::nullopt;
}

MaybeError Source::read_beyond(std::uintmax_t bytes) {
  constexpr std::size_t most_zero_bytes = std::size_t{1} << 20U;
  std::array<char, 1 << 16> buffer{};
  while (!failure_ && !ended_ && content_.size() <= bytes) {
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): a lock keeps others from the same pipe only
    const auto count = ::read(file_.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) failure_ = file_error(path_, fmt::format("reading failed: {}", std::strerror(errno)));
    ended_ = count == 0;
    content_.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    // A file that begins with a zero byte is rejected after 1 MiB, because a sparse file may be huge, and a
    // pipe from a device may be endless.
    if (content_.size() > most_zero_bytes && content_.front() == '\0')
      failure_ = file_error(path_, "begins with byte 0x00, which is not valid in any input");
  }
  return failure_;
}

// A pipe that is open. It is read by one thread at a time.
struct Pipe {
  explicit Pipe(Source opened) : source(std::move(opened)) {}

  std::mutex mutex;
  Source source;
};

// Content of pipes. A pipe can be read only once, but an input is read several times (for its kind, its
// content and its digest). Therefore the content read so far is stored, together with the error that ended
// reading, if any.
class Pipes {
 public:
  Pipe* find(const std::filesystem::path& path) {
    const auto known = opened_.find(path.string());
    return known == opened_.end() ? nullptr : &known->second;
  }
  Pipe& keep(const std::filesystem::path& path, Source source) {
    return opened_.try_emplace(path.string(), std::move(source)).first->second;
  }
  std::mutex& mutex() { return mutex_; }

 private:
  std::mutex mutex_;
  std::map<std::string, Pipe> opened_;  // references to entries must remain valid
};

Pipes& pipes() {
  static Pipes all;
  return all;
}

enum class Extent : std::uint8_t { head, whole };

// With Extent::head, returns at least the first `bytes` bytes of a file, or all of a shorter file. With
// Extent::whole, returns the whole file, or an error if it is larger than `bytes`.
Result<std::string> read_up_to(const std::filesystem::path& path, std::uintmax_t bytes, Extent extent) {
  const bool whole = extent == Extent::whole;
  const auto too_large = [&] {
    return file_error(path == "-" ? "standard input" : path, fmt::format("larger than {} bytes", bytes));
  };
  if (const std::string* const held = find_memory_file(path)) {
    if (whole && held->size() > bytes) return too_large();
    return held->substr(0, static_cast<std::size_t>(bytes));
  }
  std::unique_lock lock(pipes().mutex());
  Pipe* pipe = pipes().find(path);
  if (pipe == nullptr) {
    auto source = Source::open(path);
    if (!source) return source.error();
    if (source->size() && path != "-") {
      lock.unlock();
      if (whole && *source->size() > bytes) return too_large();
      if (whole) source->reserve(*source->size());
      if (auto error = source->read_beyond(bytes)) return *error;
      if (whole && source->content().size() > bytes) return too_large();
      return source->take();
    }
    pipe = &pipes().keep(path, std::move(*source));
  }
  lock.unlock();
  const std::lock_guard reading(pipe->mutex);
  auto& source = pipe->source;
  if (auto error = source.read_beyond(bytes)) return *error;
  if (whole && source.content().size() > bytes) return too_large();
  return source.content();
}

}  // namespace

const std::string* find_memory_file(const std::filesystem::path& path) {
  const auto* const files = ThreadOverride<const MemoryFiles>::current();
  if (files == nullptr) return nullptr;
  const auto found = files->find(path.string());
  return found == files->end() ? nullptr : &found->second;
}

bool is_stored_file(const std::filesystem::path& path) {
  std::error_code code;
  return find_memory_file(path) != nullptr || std::filesystem::is_regular_file(path, code);
}

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  return read_up_to(path, limit, Extent::whole);
}

std::string read_head(const std::filesystem::path& path, std::size_t bytes) {
  auto content = read_up_to(path, bytes, Extent::head);
  return content ? content->substr(0, bytes) : std::string();
}

std::string to_text(const Json& json) {
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

MaybeError write_json(const std::filesystem::path& path, const Json& json) {
  return write_file(path, to_text(json));
}

}  // namespace nestor::io
