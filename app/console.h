// Standard output of the verbs. Text is written through print(), and a failure is reported once, at the end.
// Closing the pipe early (nestor show ... | head) is not an error; a full disk or a closed standard output
// is. A run inside another program (ThreadOverride<CapturedOutput>) prints nothing.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "io/error.h"

namespace nestor::app {

struct CapturedOutput {
  std::string text;                  ///< text of standard output
  std::vector<std::string> remarks;  ///< remarks without the prefix "nestor: "
};

/// Prepares the standard streams; must run before anything else. Gives closed standard streams a descriptor,
/// so that no file opened later takes their place. Makes a write to a broken pipe return an error instead of
/// ending the process.
void prepare_streams();

/// Prints text after escaping what a terminal could interpret (io/printable.h).
void print_text(std::string_view text);

/// Prints one line on standard error, without ending the run. An empty remark prints nothing.
void print_remark(std::string_view remark);

/// Prints the reason for the failure of a run as one line on standard error. Returns the exit status.
int print_failure(const io::Error& error);

template <typename... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

/// Flushes standard output. Returns the first error of a write, unless it is a broken pipe.
io::MaybeError finish_output();

}  // namespace nestor::app
