#include "report/results/running_file.h"

#include <algorithm>
#include <utility>

#include "io/files.h"
#include "io/output_file.h"

namespace nestor::io {

RunningFile::RunningFile(std::filesystem::path path) : path_(std::move(path)) {}

MaybeError RunningFile::catch_up(const Text& text) {
  const auto begin = Clock::now();
  if (!outdated_ || path_.empty() || begin < next_ || !is_replaced(path_)) return std::nullopt;
  outdated_ = false;
  auto error = write_file(path_, text());
  const auto end = Clock::now();
  next_ = end + std::max<Clock::duration>(std::chrono::milliseconds(100), 10 * (end - begin));
  return error;
}

MaybeError RunningFile::finish(const Text& text) const {
  return path_.empty() ? MaybeError() : write_somewhere(path_, text());
}

}  // namespace nestor::io
