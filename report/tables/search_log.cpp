#include "report/tables/search_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "io/printable.h"

namespace nestor::io {

Result<SearchLog> SearchLog::open(const std::string& path) {
  std::FILE* const file = path == "-" ? stdout : std::fopen(path.c_str(), "we");
  if (file != nullptr) return SearchLog(file);
  Error error;
  error.kind = ErrorKind::output;
  error.where.file = path;
  error.message = fmt::format("cannot be written: {}", std::strerror(errno));
  return error;
}

void SearchLog::event(std::string_view text) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  const auto line = fmt::format("{:10.3f}  {}\n", elapsed.count(), printable(text));
  std::fputs(line.c_str(), file_.get());
  std::fflush(file_.get());  // so that the log survives if the run is killed
}

void SearchLog::Close::operator()(std::FILE* file) const {
  if (file != stdout && file != stderr) std::fclose(file);
}

}  // namespace nestor::io
