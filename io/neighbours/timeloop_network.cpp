// Reader of Timeloop's problems (v0.4): dimensions, data spaces with their projections, and the bounds of an
// instance. A file describes one layer.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/neighbours/equation.h"
#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<std::string_view, 3> known_problem = {"version", "instance", "shape"};
constexpr std::array<std::string_view, 6> known_shape = {"name",        "dimensions",  "coefficients",
                                                         "data_spaces", "data-spaces", "version"};
constexpr std::array<std::string_view, 4> known_space = {"name", "projection", "read_write", "read-write"};

class TimeloopNetworkReader {
 public:
  TimeloopNetworkReader(Notes& notes, Reading& reading) : notes_(notes), reading_(reading) {}

  Json read(const Node& root) {
    constexpr std::array<std::string_view, 1> top = {"problem"};
    notes_.leave_out_others(root, "", top);
    const Node problem = *root.find("problem");
    const auto shape = require(problem, "shape", "problem", reading_);
    const auto instance = require(problem, "instance", "problem", reading_);
    if (!shape || !instance) return {};
    if (shape->is_scalar())
      reading_.fail(*shape, fmt::format("shape is {}, the name of a built-in shape; expected a map",
                                        shape->describe()));
    notes_.leave_out_others(problem, "problem", known_problem);
    notes_.leave_out_others(*shape, "problem.shape", known_shape);
    std::string name = "layer";
    if (const auto given = shape->find("name")) name = read_title(*given, "name", reading_);
    read_dimensions(*shape, *instance);
    read_coefficients(*shape, *instance);
    note_instance(*instance);
    read_spaces(*shape);
    if (reading_.failed()) return {};
    std::string why;
    Json layer = layer_of(equation_, "problem", notes_, why);
    if (!why.empty()) reading_.fail(*shape, why);
    layer["name"] = name;
    notes_.leave_out("problem",
                     "bit widths belong to the architecture in Timeloop; 8/8/8/32 here, or --bits");
    return {{"layers", Json::array({layer})}};
  }

 private:
  void read_dimensions(const Node& shape, const Node& instance) {
    const auto dims = require(shape, "dimensions", "shape", reading_);
    if (!dims) return;
    for (const auto& dim : read_words(*dims, "dimensions", reading_)) {
      if (equation_.bound(dim) != nullptr)
        reading_.fail(*dims, fmt::format("dimension {} is listed twice", quote(dim)));
      const auto bound = require(instance, dim, "instance", reading_);
      if (!bound) return;
      equation_.bounds.emplace_back(
          dim, read_whole(*bound, fmt::format("bound of {}", dim), bound_range, reading_));
    }
  }

  void read_coefficients(const Node& shape, const Node& instance) {
    const auto list = shape.find("coefficients");
    if (!list || list->kind() == NodeKind::nothing) return;
    for (const Node& item : read_list(*list, "coefficients", 0, 64, reading_)) {
      const auto name = require(item, "name", "coefficient", reading_);
      if (!name) return;
      auto value = instance.find(name->text());
      if (!value) value = item.find("default");
      coefficients_[std::string(name->text())] =
          value
              ? read_whole(*value, fmt::format("coefficient {}", quote(name->text())), bound_range, reading_)
              : 1;
    }
  }

  void note_instance(const Node& instance) {
    for (std::size_t i = 0; i < instance.size() && instance.is_map(); ++i) {
      const auto key = std::string(instance.key(i).text());
      if (equation_.bound(key) != nullptr || coefficients_.contains(key)) continue;
      const auto shown = quote(key);
      notes_.leave_out(fmt::format("problem.instance.{}", shown.substr(1, shown.size() - 2)),
                       key == "densities"
                           ? "all values are used: sparsity is not modelled here"
                           : "neither a dimension nor a coefficient of the shape" + similar(key));
    }
  }

  // Returns a hint if the shape has the key with other capitals, such as "Hstride" for "HStride".
  std::string similar(const std::string& key) const {
    for (const auto& [name, factor] : coefficients_)
      if (lower(name) == lower(key)) return fmt::format(", which has {}, here {}", quote(name), factor);
    return {};
  }

  void read_spaces(const Node& shape) {
    const auto list = shape.find("data_spaces") ? shape.find("data_spaces") : shape.find("data-spaces");
    if (!list) {
      reading_.fail(shape, "shape has no key 'data_spaces'");
      return;
    }
    std::vector<Node> inputs;
    std::vector<std::string> names;
    bool has_output = false;
    for (const Node& space : read_list(*list, "data_spaces", 3, 3, reading_)) {
      notes_.leave_out_others(space, "problem.shape.data_spaces.*", known_space);
      const auto name = require(space, "name", "data space", reading_);
      const auto projection = require(space, "projection", "data space", reading_);
      if (!name || !projection) return;
      if (is_true(space.find("read_write")) || is_true(space.find("read-write"))) {
        if (has_output) reading_.fail(space, "a second data space is written, expected one");
        has_output = true;
        read_projection(*projection, Operand::O);
      } else {
        inputs.push_back(*projection);
        names.emplace_back(name->text());
      }
    }
    if (reading_.failed()) return;
    if (!has_output || inputs.size() != 2) {
      reading_.fail(*list, "expected two data spaces that are read and one with read_write: true");
      return;
    }
    const bool swapped =
        names[0].starts_with('W') || names[0].starts_with('F') || names[1].starts_with("Input");
    read_projection(inputs[swapped ? 1 : 0], Operand::I);
    read_projection(inputs[swapped ? 0 : 1], Operand::W);
  }

  // Reads a projection such as [ [[C]], [[R, Wdilation], [P, Wstride]] ]: an index is a sum of products.
  void read_projection(const Node& node, Operand operand) {
    for (const Node& item : read_list(node, "projection", 1, 64, reading_)) {
      Index index;
      for (const Node& product : read_list(item, "index", 1, 8, reading_)) {
        Term term;
        for (const Node& word : read_list(product, "term", 1, 8, reading_)) {
          const std::string text(word.text());
          if (const auto factor = coefficients_.find(text); factor != coefficients_.end()) {
            if (term.factor > bound_range.high / factor->second) {
              reading_.fail(word, "a factor of an index is larger than 2^31");
              return;
            }
            term.factor *= factor->second;
          } else if (equation_.bound(text) != nullptr && term.dim.empty()) {
            term.dim = text;
          } else {
            reading_.fail(word, fmt::format("{} in a projection, expected a dimension or a coefficient",
                                            word.describe()));
          }
        }
        if (reading_.failed()) return;
        if (term.dim.empty()) {
          reading_.fail(product, "a term of a projection has no dimension");
          return;
        }
        index.push_back(std::move(term));
      }
      equation_.operands[index_of(operand)].push_back(std::move(index));
    }
  }

  Notes& notes_;
  Reading& reading_;
  Equation equation_;
  std::map<std::string, Int> coefficients_;
};

}  // namespace

Json read_timeloop_network(const Node& root, Notes& notes, Reading& reading) {
  return TimeloopNetworkReader(notes, reading).read(root);
}

}  // namespace nestor::io::neighbours
