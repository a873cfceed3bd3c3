// The log of a search: one line per event, with the seconds since the run began, written immediately. Verbs
// write to it through their progress line, which finds it as ThreadOverride<SearchLog>.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "io/error.h"

namespace nestor::io {

class SearchLog {
 public:
  /// Opens a log. "-" is standard output.
  static Result<SearchLog> open(const std::string& path);
  static SearchLog to_standard_error() { return SearchLog(stderr); }

  void event(std::string_view text);

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  explicit SearchLog(std::FILE* file) : file_(file) {}

  std::unique_ptr<std::FILE, Close> file_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace nestor::io
