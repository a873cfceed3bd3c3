#include "report/results/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/digest.h"
#include "io/output_file.h"

namespace nestor::io {
namespace {

// The document of the run begins on a line of its own, and its closing brace is the file's last but one line.
constexpr std::string_view tail = "}\n";

std::string head_of(std::string_view run) {
  return fmt::format("{{\"schema\": \"{}\", \"digest\": \"{}\", \"run\":\n", checkpoint_schema, digest(run));
}

}  // namespace

MaybeError write_checkpoint(const std::filesystem::path& path, const RunResult& run) {
  const std::string text = to_text(result_to_json(run));
  return write_durably(path, head_of(text) + text + std::string(tail));
}

Result<RunResult> read_checkpoint(const std::string& path) {
  const auto text = read_file(path, result_limits.bytes);
  if (!text) return text.error();
  const std::string_view all = *text;
  const std::string start = fmt::format("{{\"schema\": \"{}\", ", checkpoint_schema);
  const auto line = all.find('\n');
  if (!all.starts_with(start) || line == std::string_view::npos)
    return input_error({path, 1, 1}, fmt::format("no checkpoint, expected schema {}", checkpoint_schema));
  auto run = all.substr(line + 1);
  run.remove_suffix(std::min(run.size(), tail.size()));
  if (!all.ends_with(tail) || all.substr(0, line + 1) != head_of(run))
    return input_error({path}, "is not as it was written: its digest differs; a checkpoint cannot be edited");
  return parse_result(run, path);
}

}  // namespace nestor::io
