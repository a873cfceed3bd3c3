#include "report/network_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/workload/unique_shapes.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Align;
using io::count_text;
using io::figure_text;
using io::Table;

std::string pair_text(const std::array<Int, 2>& pair) {
  return pair[0] == pair[1] ? fmt::format("{}", pair[0]) : fmt::format("{}x{}", pair[0], pair[1]);
}

std::string bits_text(const BitWidths& bits) {
  return fmt::format("{}/{}/{}/{}", bits.input, bits.weight, bits.output, bits.partial_sum);
}

// Formats multiply-accumulates, exactly if they fit a column.
std::string work_text(double macs) {
  constexpr double most_digits = 1e7;
  return macs < most_digits ? count_text(static_cast<Int>(macs)) : figure_text(macs);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(static_cast<Int>(count)), count == 1 ? one : many);
}

}  // namespace

std::string shape_text(const LayerShape& shape) {
  std::string text;
  const auto add = [&](const std::string& part) { text += text.empty() ? part : ", " + part; };
  for (const Dim dim : all_dims)
    if (shape.bound(dim) > 1) add(fmt::format("{} {}", letter(dim), shape.bound(dim)));
  if (text.empty()) add("all bounds 1");
  constexpr std::array<Int, 2> ones = {1, 1};
  if (shape.stride != ones) add("stride " + pair_text(shape.stride));
  if (shape.dilation != ones) add("dilation " + pair_text(shape.dilation));
  return text;
}

std::string growth_text(const LayerShape& layer, const LayerShape& nest) {
  std::string text;
  for (const Dim dim : all_dims)
    if (nest.bound(dim) != layer.bound(dim))
      text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", letter(dim), layer.bound(dim),
                          nest.bound(dim));
  return text;
}

std::string mapped_shape_text(const LayerShape& layer, const LayerShape& nest) {
  const auto growth = growth_text(layer, nest);
  return shape_text(nest) + (growth.empty() ? "" : fmt::format(" (padded: {})", growth));
}

std::string network_text(const Network& network) {
  const auto unique = unique_shapes(network.layers);
  // G has a column if some layer uses it.
  const bool has_groups = std::any_of(network.layers.begin(), network.layers.end(),
                                      [](const Layer& layer) { return layer.shape.bound(Dim::G) > 1; });
  std::vector<io::Column> columns = {{"layer", Align::left}};
  for (const Dim dim : all_dims)
    if (dim != Dim::G || has_groups) columns.push_back({std::string(1, letter(dim))});
  for (const char* title : {"stride", "dilation", "bits I/W/O/psum", "repeat", "MACs", "shape"})
    columns.push_back({title});
  Table table(std::move(columns));
  double total = 0;
  Int runs = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    std::vector<std::string> row = {layer.name};
    for (const Dim dim : all_dims)
      if (dim != Dim::G || has_groups) row.push_back(fmt::format("{}", layer.shape.bound(dim)));
    row.push_back(pair_text(layer.shape.stride));
    row.push_back(pair_text(layer.shape.dilation));
    row.push_back(bits_text(layer.shape.bits));
    row.push_back(fmt::format("{}", layer.repeat));
    const double work = product_of<double>(layer.shape.bounds) * static_cast<double>(layer.repeat);
    row.push_back(work_text(work));
    row.push_back(unique ? fmt::format("#{}", unique->shape_of_layer[i] + 1) : "");
    table.add_row(std::move(row));
    total += work;
    runs = checked_add(runs, layer.repeat).value_or(std::numeric_limits<Int>::max());
  }
  std::string text = network.name + "\n\n" + table.to_string();
  text += fmt::format(
      "\n{}, {}, {}, {} MACs\n", counted(network.layers.size(), "layer", "layers"),
      counted(unique ? unique->shapes.size() : network.layers.size(), "unique shape", "unique shapes"),
      counted(static_cast<std::size_t>(runs), "nest to run", "nests to run"), work_text(total));
  if (!network.unmapped.empty()) {
    text += "not mapped:";
    for (const auto& op : network.unmapped) text += fmt::format(" {} x {},", op.count, op.type);
    text.back() = '\n';
  }
  return text + untranslated_text(network.untranslated);
}

std::string untranslated_text(const std::vector<std::string>& untranslated) {
  std::string text = untranslated.empty() ? "" : "\nnot translated:\n";
  for (const auto& line : untranslated) text += "  " + line + "\n";
  return text;
}

}  // namespace nestor::report
