#include "io/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>

namespace nestor::io {
namespace {

Error file_error(const std::filesystem::path& path, const std::string& what) {
  return input_error({path.string()}, what);
}

// What a pipe or a device gave. It can be read only once, but several who read an input (the kind of file,
// its content, its digest) ask for it.
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

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return file_error(path, "no such file");
  if (std::filesystem::is_directory(status)) return file_error(path, "is a directory, expected a file");
  const bool once = !std::filesystem::is_regular_file(status);
  if (once)
    if (auto content = drained().find(path)) return std::move(*content);
  std::ifstream in(path, std::ios::binary);
  if (!in) return file_error(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  const auto too_large = [&] { return file_error(path, fmt::format("larger than {} bytes", limit)); };
  if (!once && std::filesystem::file_size(path, code) > limit) return too_large();
  std::string content;
  std::array<char, 1 << 16> buffer{};
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
    content.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (content.size() > limit) return too_large();
  }
  if (in.bad()) return file_error(path, "reading failed");
  if (once) drained().keep(path, content);
  return content;
}

std::string read_head(const std::filesystem::path& path, std::size_t bytes) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) {
    auto content = read_file(path);
    return content ? content->substr(0, bytes) : std::string();
  }
  std::string head(bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(bytes));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

MaybeError write_file(const std::filesystem::path& path, std::string_view content) {
  if (path == "-") {
    std::cout.write(content.data(), static_cast<std::streamsize>(content.size())).flush();
    if (!std::cout) return Error{ErrorKind::input, {"standard output"}, "writing failed"};
    return std::nullopt;
  }
  auto temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  std::error_code code;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (!out) return file_error(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) {
      std::filesystem::remove(temporary, code);
      return file_error(path, "writing failed (disk full?)");
    }
  }
  std::filesystem::rename(temporary, path, code);
  if (code) {
    const auto reason = code.message();
    std::filesystem::remove(temporary, code);
    return file_error(path, fmt::format("cannot be replaced: {}", reason));
  }
  return std::nullopt;
}

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

MaybeError write_json(const std::filesystem::path& path, const Json& json) {
  return write_file(path, to_text(json));
}

}  // namespace nestor::io
