// Reader of ZigZag's workloads in YAML: a list of layers, each an equation with the bounds of its dimensions.
#include <fmt/format.h>

#include "io/neighbours/equation.h"
#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::size_t most_layers = std::size_t{1} << 16;
constexpr std::array<std::string_view, 12> known = {
    "id",         "name",    "operator_type", "equation",      "dimension_relations", "loop_dims",
    "loop_sizes", "padding", "pr_loop_dims",  "pr_loop_sizes", "operand_source",      "operand_precision"};
constexpr std::array<std::string_view, 7> without_products = {
    "Pooling", "Pool", "MaxPool", "AveragePool", "GlobalAveragePool", "Add", "Max"};

class ZigZagNetworkReader {
 public:
  ZigZagNetworkReader(Notes& notes, Reading& reading) : notes_(notes), reading_(reading) {}

  Json read(const Node& root) {
    Json layers = Json::array();
    std::map<std::string, Int> unmapped;
    for (const Node& node : read_list(root, "workload", 1, most_layers, reading_)) {
      if (reading_.failed()) break;
      const auto equation = require(node, "equation", "layer", reading_);
      const auto type = require(node, "operator_type", "layer", reading_);
      if (!equation || !type) break;
      const auto name = read_title(*type, "operator_type", reading_);
      const bool maps =
          std::find(without_products.begin(), without_products.end(), name) == without_products.end() &&
          equation->text().find('*') != std::string_view::npos;
      note(node);
      if (maps)
        layers.push_back(read_layer(node, *equation));
      else
        ++unmapped[name];
    }
    if (layers.empty()) reading_.fail(root, "no layer of the workload is a product that can be mapped");
    return network_json(std::move(layers), unmapped);
  }

 private:
  void note(const Node& node) {
    notes_.leave_out_others(node, "*", known);
    if (node.find("operand_source")) notes_.leave_out("*.operand_source", "layers are mapped separately");
    for (const std::string_view key : {"padding", "pr_loop_dims", "pr_loop_sizes"})
      if (node.find(key))
        notes_.leave_out(fmt::format("*.{}", key), "elements of the border are fetched like all others");
  }

  Json read_layer(const Node& node, const Node& text) {
    std::string name = "Layer";
    if (const auto given = node.find("name"); given && given->is_scalar())
      name = read_title(*given, "name", reading_);
    else if (const auto id = require(node, "id", "layer", reading_))
      name += read_title(*id, "id", reading_);
    Equation equation;
    read_bounds(node, equation);
    read_relations(node);
    if (!reading_.failed() && !read_equation(text, equation))
      reading_.fail(text, fmt::format("equation {} does not have the form O[b][k] += W[k][c] * I[b][c]",
                                      quote(text.text())));
    if (reading_.failed()) return {};
    std::string why;
    Json layer = layer_of(equation, name, notes_, why);
    if (!why.empty()) reading_.fail(text, why);
    layer["name"] = name;
    read_precision(node, layer);
    return layer;
  }

  void read_bounds(const Node& node, Equation& equation) {
    const auto dims = require(node, "loop_dims", "layer", reading_);
    const auto sizes = require(node, "loop_sizes", "layer", reading_);
    if (!dims || !sizes) return;
    const auto names = read_words(*dims, "loop_dims", reading_);
    const auto items = read_list(*sizes, "loop_sizes", names.size(), names.size(), reading_);
    for (std::size_t d = 0; d < items.size(); ++d) {
      const auto dim = lower(names[d]);
      if (equation.bound(dim) != nullptr)
        reading_.fail(*dims, fmt::format("dimension {} is listed twice", quote(dim)));
      equation.bounds.emplace_back(dim, read_whole(items[d], "loop size", bound_range, reading_));
    }
  }

  // Reads relations such as ix = 2*ox + 1*fx.
  void read_relations(const Node& node) {
    relations_.clear();
    const auto list = node.find("dimension_relations");
    if (!list || list->kind() == NodeKind::nothing) return;
    for (const Node& item : read_list(*list, "dimension_relations", 0, 64, reading_)) {
      const auto text = lower(item.text());
      Scanner scanner(text);
      const auto dim = scanner.word();
      const auto sum = !dim.empty() && scanner.accept("=") ? scan_index(scanner) : std::nullopt;
      if (!sum || sum->size() != 2 || !scanner.at_end())
        reading_.fail(item, fmt::format("dimension relation {} does not have the form ix = 2*ox + 1*fx",
                                        item.describe()));
      else
        relations_[dim] = *sum;
    }
  }

  bool read_equation(const Node& text, Equation& equation) {
    Scanner scanner(text.text());
    if (!read_operand(scanner, equation, true) || !(scanner.accept("+=") || scanner.accept("=")))
      return false;
    return read_operand(scanner, equation, false) && scanner.accept("*") &&
           read_operand(scanner, equation, false) && scanner.at_end() && !equation.operands[0].empty() &&
           !equation.operands[1].empty();
  }

  bool read_operand(Scanner& scanner, Equation& equation, bool is_output) {
    const auto name = scanner.word();
    if (is_output ? name != "O" : name != "I" && name != "W") return false;
    auto& indices = equation.operands[index_of(is_output     ? Operand::O
                                               : name == "I" ? Operand::I
                                                             : Operand::W)];
    if (!indices.empty()) return false;
    while (scanner.accept("[")) {
      if (indices.size() == most_indices) return false;
      const auto dim = lower(scanner.word());
      if (!scanner.accept("]") || dim.empty()) return false;
      const auto relation = relations_.find(dim);
      indices.push_back(relation != relations_.end() ? relation->second : Index{{dim, 1}});
    }
    return true;
  }

  void read_precision(const Node& node, Json& layer) {
    const auto precision = require(node, "operand_precision", "layer", reading_);
    if (!precision) return;
    constexpr std::array<std::string_view, 4> keys = {"I", "W", "O", "O_final"};
    notes_.leave_out_others(*precision, "*.operand_precision", keys);
    const auto width = [&](std::string_view key, Int fallback) {
      const auto value = precision->find(key);
      return value ? read_whole(*value, fmt::format("operand_precision {}", key), {1, 64}, reading_)
                   : fallback;
    };
    const Int psum = width("O", 32);
    layer["bits"] = {
        {"I", width("I", 8)}, {"W", width("W", 8)}, {"O", width("O_final", psum)}, {"psum", psum}};
  }

  Notes& notes_;
  Reading& reading_;
  std::map<std::string, Index> relations_;
};

}  // namespace

Json read_zigzag_network(const Node& root, Notes& notes, Reading& reading) {
  return ZigZagNetworkReader(notes, reading).read(root);
}

}  // namespace nestor::io::neighbours
