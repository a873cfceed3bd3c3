#include "report/html/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/nest.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

// The maps of figures that are compared entry by entry. They are keys of a layer or of its evaluation.
struct ComparedMap {
  std::string_view key;
  std::string_view name;
  Style style;
};
constexpr std::array<ComparedMap, 3> compared_maps = {{{key::spent_cycles, "cycles of", Style::count},
                                                       {key::energy, "energy of", Style::energy},
                                                       {key::sizes_bits, "tile of", Style::size}}};

constexpr std::size_t most_loops = 200;  // the alignment of loops is quadratic in their number

class DiffTable {
 public:
  DiffTable(const std::string& first, const std::string& second)
      : table_("Differences between two mappings", {{"part", false},
                                                    {shortened(first, 40), false},
                                                    {shortened(second, 40), false},
                                                    {"change", false}}) {}

  void add_figures(std::string_view name, const Json& first, const Json& second, Style style) {
    if (first.is_null() && second.is_null()) return;
    const auto a = number_of(first);
    const auto b = number_of(second);
    const bool differs = first != second;
    const auto change = differs && a && b && *a != 0 ? escaped(io::change_text(*b / *a - 1)) : mark(differs);
    table_.add_row({escaped(name), figure(first, style), figure(second, style), change});
  }
  void add_texts(std::string_view name, const std::string& first, const std::string& second) {
    if (first.empty() && second.empty()) return;
    table_.add_row({escaped(name), escaped(first), escaped(second), mark(first != second)});
  }
  std::string to_string() const { return table_.to_string(); }

 private:
  static std::string mark(bool differs) {
    return differs ? text_element("span", {{"class", "open"}}, "differs") : "";
  }

  HtmlTable table_;
};

std::vector<std::string> names_of_both(const Json& first, const Json& second) {
  std::vector<std::string> names;
  for (const auto* map : {&first, &second})
    if (map->is_object())
      for (const auto& [name, value] : map->items())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::vector<std::string> loops_of(const Json& mapping) {
  std::vector<std::string> loops;
  for (const auto& loop : at(mapping, key::temporal)) {
    if (loops.size() == most_loops) break;
    loops.push_back(loop_line(loop));
  }
  return loops;
}

// Adds the loops of both mappings, from the outside in. A longest common subsequence pairs equal loops;
// between two pairs, the other loops are listed side by side.
void add_loops(DiffTable& table, const std::vector<std::string>& first,
               const std::vector<std::string>& second) {
  const std::size_t rows = first.size();
  const std::size_t columns = second.size();
  std::vector<std::vector<std::size_t>> common(rows + 1, std::vector<std::size_t>(columns + 1, 0));
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      common[i][j] =
          first[i] == second[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<std::string> left;
  std::vector<std::string> right;
  std::size_t number = 0;
  const auto list_pending = [&] {
    for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k)
      table.add_texts(fmt::format("loop {}", ++number), k < left.size() ? left[k] : "",
                      k < right.size() ? right[k] : "");
    left.clear();
    right.clear();
  };
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && first[i] == second[j]) {
      list_pending();
      table.add_texts(fmt::format("loop {}", ++number), first[i++], second[j++]);
    } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
      left.push_back(first[i++]);
    } else {
      right.push_back(second[j++]);
    }
  }
  list_pending();
}

const Json& map_of(const Json& layer, std::string_view key) {
  const auto& map = at(layer, key);
  return map.is_object() ? map : at(at(layer, key::evaluation), key);
}

std::string doubled_of(const Json& mapping) {
  std::vector<std::string> names;
  for (const auto& pair : at(mapping, key::double_buffer))
    names.push_back(text_of(at(pair, key::operand)) + " in " + text_of(at(pair, key::memory)));
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string mapping_diff(const DiffedLayer& first, const DiffedLayer& second) {
  const auto& a = at(first.layer, key::mapping);
  const auto& b = at(second.layer, key::mapping);
  if (!a.is_object() || !b.is_object()) return "";
  DiffTable table(first.title, second.title);
  table.add_figures("cycles", at(first.layer, key::latency_cycles), at(second.layer, key::latency_cycles),
                    Style::count);
  table.add_figures("energy", at(first.layer, key::energy_pj), at(second.layer, key::energy_pj),
                    Style::energy);
  const auto& first_axes = at(a, key::spatial);
  const auto& second_axes = at(b, key::spatial);
  for (const auto& axis : names_of_both(first_axes, second_axes))
    table.add_texts("axis " + shortened(axis, 40), factors_line(at(first_axes, axis)),
                    factors_line(at(second_axes, axis)));
  add_loops(table, loops_of(a), loops_of(b));
  table.add_texts("double buffers", doubled_of(a), doubled_of(b));
  for (const auto& [key, name, style] : compared_maps) {
    const auto& here = map_of(first.layer, key);
    const auto& there = map_of(second.layer, key);
    for (const auto& part : names_of_both(here, there))
      table.add_figures(fmt::format("{} {}", name, shortened(part, 40)), at(here, part), at(there, part),
                        style);
  }
  return table.to_string();
}

}  // namespace nestor::report::html
