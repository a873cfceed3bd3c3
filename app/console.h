// Standard output as the verbs use it: text is written through print(), and what went wrong with it is said
// once, at the end. A reader that went away (nestor show ... | head) is no error; a full disk or a closed
// standard output is. A run inside another program (ThreadOverride<CapturedOutput>) prints nothing.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "io/error.h"

namespace nestor::app {

struct CapturedOutput {
  std::string text;                  ///< of standard output
  std::vector<std::string> remarks;  ///< without "nestor: "
};

/// Before anything else: gives closed standard streams a descriptor, so that no file opened later takes their
/// place, and makes a broken pipe an error code instead of the end of the run.
void prepare_streams();

/// Text from inputs is made fit for a terminal (io/printable.h).
void print_text(std::string_view text);

/// A line on standard error about a run that goes on; none for no words.
void print_remark(std::string_view remark);

/// The one line that says why a run failed, on standard error; returns its exit status.
int print_failure(const io::Error& error);

template <typename... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

/// Flushes and reports the first failure of print().
io::MaybeError finish_output();

}  // namespace nestor::app
