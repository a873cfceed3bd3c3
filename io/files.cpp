// Reading whole files, and the text of JSON. Writing is output_file.cpp's.
#include "io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "io/printable.h"

namespace nestor::io {
namespace {

Error file_error(const std::filesystem::path& path, const std::string& what) {
  return input_error({path.string()}, what);
}

// What a pipe gave. It can be read only once, but several who read an input (the kind of file, its content,
// its digest) ask for it.
class Drained {
 public:
  std::optional<std::string> find(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    const auto known = contents_.find(path.string());
    if (known == contents_.end()) return std::nullopt;
    return known->second;
  }
  void keep(const std::filesystem::path& path, const std::string& content) {
    const std::lock_guard lock(mutex_);
    contents_.emplace(path.string(), content);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> contents_;
};

Drained& drained() {
  static Drained contents;
  return contents;
}

class InputDescriptor {
 public:
  explicit InputDescriptor(int number) : number_(number) {}
  InputDescriptor(const InputDescriptor&) = delete;
  InputDescriptor& operator=(const InputDescriptor&) = delete;
  ~InputDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// A named pipe that nobody writes to would be waited for without end. Until someone does, a read that may
// not wait finds the end of the file; then it finds nothing to read yet.
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

// Everything up to `limit`; nothing if there is more.
Result<std::optional<std::string>> read_all(int file, std::string content, const std::filesystem::path& path,
                                            std::uintmax_t limit) {
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const auto count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error(path, fmt::format("reading failed: {}", std::strerror(errno)));
    if (count == 0) return std::optional(std::move(content));
    if (content.size() + static_cast<std::size_t>(count) > limit) return std::optional<std::string>();
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// Files whose reading could go on without end, or wait for ever, are refused before it begins.
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

Result<std::string> read_opened(const std::filesystem::path& path, int file, std::uintmax_t limit,
                                bool& once) {
  const auto too_large = [&] { return file_error(path, fmt::format("larger than {} bytes", limit)); };
  struct stat status {};
  if (::fstat(file, &status) != 0)
    return file_error(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (auto error = refuse_endless(path, status, file)) return *error;
  once = !S_ISREG(status.st_mode);
  if (!once && static_cast<std::uintmax_t>(status.st_size) > limit) return too_large();
  std::string content;
  if (S_ISFIFO(status.st_mode) && path != "-") {
    if (!has_writer(file, content)) return file_error(path, "nothing comes out of this pipe");
  }
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);  // from here on waiting is right
  if (!once) content.reserve(static_cast<std::size_t>(status.st_size));
  auto all = read_all(file, std::move(content), path, limit);
  if (!all) return all.error();
  if (!all->has_value()) return too_large();
  return std::move(**all);
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  if (auto content = drained().find(path)) return std::move(*content);
  bool once = true;
  if (path == "-") {
    auto content = read_opened(path, STDIN_FILENO, limit, once);
    if (!content) return input_error({"standard input"}, content.error().message);
    drained().keep(path, *content);
    return content;
  }
  const InputDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return file_error(path, "no such file");
    return file_error(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  }
  auto content = read_opened(path, file.number(), limit, once);
  if (content && once) drained().keep(path, *content);
  return content;
}

std::string read_head(const std::filesystem::path& path, std::size_t bytes) {
  std::error_code code;
  if (path == "-" || !std::filesystem::is_regular_file(path, code)) {
    auto content = read_file(path);
    return content ? content->substr(0, bytes) : std::string();
  }
  const InputDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string head(bytes, '\0');
  std::size_t size = 0;
  while (file.number() >= 0 && size < bytes) {
    const auto count = ::read(file.number(), head.data() + size, bytes - size);
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  head.resize(size);
  return head;
}

std::string to_text(const Json& json) {
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

MaybeError write_json(const std::filesystem::path& path, const Json& json) {
  return write_file(path, to_text(json));
}

}  // namespace nestor::io
