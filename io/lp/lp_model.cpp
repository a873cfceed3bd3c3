#include "io/lp/lp_model.h"

#include <algorithm>
#include <cctype>

#include "io/files.h"
#include "io/lp/gzip.h"

namespace nestor::io {
namespace {

std::string ending_without_gz(std::filesystem::path path) {
  if (path.extension() == ".gz") path = path.stem();
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

// True if the text starts, after comments, with the name of an MPS section in the first column.
bool looks_like_mps(std::string_view text) {
  while (!text.empty() && (text.front() == '*' || text.front() == '\n' || text.front() == '\r')) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  for (const std::string_view word : {"NAME", "ROWS", "OBJSENSE"})
    if (text.starts_with(word)) return true;
  return false;
}

}  // namespace

std::string nearest_column(const LpModel& model, std::string_view word) {
  constexpr std::size_t most = 1000;  // comparing names is slow, and files have millions
  const auto end =
      model.column_names.begin() + static_cast<std::ptrdiff_t>(std::min(model.column_names.size(), most));
  return suggestion(word, {model.column_names.begin(), end});
}

bool LpModel::has_integers() const {
  return std::find(integer.begin(), integer.end(), true) != integer.end();
}

simplex::LinearProgram LpModel::minimisation() const {
  simplex::LinearProgram result = program;
  if (!maximize) return result;
  for (simplex::Index j = 0; j < result.columns(); ++j) result.set_cost(j, -result.cost(j));
  result.set_offset(-result.offset());
  return result;
}

void LpModel::restore_sense(simplex::LpSolution& solution) const {
  if (!maximize) return;
  solution.objective = 0 - solution.objective;
  for (auto* values : {&solution.row_dual, &solution.reduced_cost})
    for (double& value : *values) value = 0 - value;  // avoids -0
}

constexpr std::uintmax_t largest_model = std::uintmax_t{256} << 20;

Result<LpModel> read_lp_model(const std::filesystem::path& path) {
  auto content = read_file(path, largest_model);
  if (!content) return content.error();
  if (is_gzip(*content)) {
    content = gunzip(*content, path.string(), largest_model);
    if (!content) return content.error();
  }
  const std::string ending = ending_without_gz(path);
  const bool mps = ending == ".mps" || (ending != ".lp" && looks_like_mps(*content));
  return mps ? parse_mps(*content, path.string()) : parse_lp(*content, path.string());
}

MaybeError write_lp_model(const std::filesystem::path& path, const LpModel& model) {
  const std::string ending = ending_without_gz(path);
  if (ending != ".mps" && ending != ".lp")
    return usage_error(path.string() + ": expected a name ending in .mps, .lp, .mps.gz or .lp.gz");
  const std::string text = ending == ".mps" ? mps_text(model) : lp_text(model);
  return write_file(path, path.extension() == ".gz" ? gzip(text) : text);
}

}  // namespace nestor::io
