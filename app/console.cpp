#include "app/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/thread_override.h"
#include "io/output_file.h"
#include "io/printable.h"

namespace nestor::app {
namespace {

// The errno of the first failed write to standard output.
int write_error = 0;

void remember_error() {
  if (write_error == 0) write_error = errno;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() takes the lowest free descriptor, which is the closed one. The descriptor is opened in the
  // opposite direction, so that any use of it still fails.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1) [[maybe_unused]]
      const int taken = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void print_text(std::string_view foreign) {
  const std::string text = io::printable(foreign);
  if (auto* const captured = ThreadOverride<CapturedOutput>::current()) {
    captured->text += text;
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_error();
}

void print_remark(std::string_view remark) {
  if (remark.empty()) return;
  if (auto* const captured = ThreadOverride<CapturedOutput>::current()) {
    captured->remarks.push_back(io::printable(remark));
    return;
  }
  std::fflush(stdout);
  std::fputs(io::printable(fmt::format("nestor: {}\n", remark)).c_str(), stderr);
}

int print_failure(const io::Error& error) {
  print_remark(error.to_string());
  return static_cast<int>(error.kind);
}

io::MaybeError finish_output() {
  if (std::fflush(stdout) != 0) remember_error();
  if (write_error == 0 || write_error == EPIPE) return std::nullopt;
  return io::output_error("standard output",
                          fmt::format("cannot be written: {}", std::strerror(write_error)));
}

}  // namespace nestor::app
