#include "io/constraint_file.h"

#include <fmt/format.h>

#include "io/checked_reader.h"
#include "io/vocabulary.h"

namespace nestor::io {
namespace {

constexpr IntRange axis_factor_range = {1, Int{1} << 31};
constexpr IntRange loop_range = {2, Int{1} << 31};

class ConstraintReader {
 public:
  ConstraintReader(const Hierarchy& machine, const HierarchyNames& names, Reading& reading)
      : machine_(machine),
        memory_words_(names.memory_names.begin(), names.memory_names.end()),
        axis_words_(names.axis_names.begin(), names.axis_names.end()),
        reading_(reading) {}

  Constraints read(const Node& node) {
    const MapReader map(node, "constraints", constraint_keys::top, reading_);
    if (const auto axes = map.find("axes")) {
      const MapReader by_name(*axes, "axes", axis_words_, reading_);
      for (std::size_t a = 0; a < axis_words_.size(); ++a)
        if (const auto axis = by_name.find(axis_words_[a])) read_axis(a, *axis);
    }
    if (const auto memories = map.find("memories")) {
      const MapReader by_name(*memories, "memories", memory_words_, reading_);
      for (std::size_t m = 0; m < memory_words_.size(); ++m)
        if (const auto memory = by_name.find(memory_words_[m])) read_memory(m, *memory);
    }
    if (const auto loops = map.find("outer_loops"))
      for (const auto& loop : read_list(*loops, "outer_loops", 0, max_loops, reading_)) read_loop(loop);
    if (const auto operands = map.find("stationary"))
      for (const auto& item : read_list(*operands, "stationary", 0, operand_count, reading_))
        result_.stationary.insert(all_operands[read_word(item, "operand", operand_words, reading_)]);
    return result_;
  }

 private:
  void read_axis(std::size_t axis, const Node& node) {
    const auto what = fmt::format("axis '{}'", axis_words_[axis]);
    const MapReader map(node, what, constraint_keys::axis, reading_);
    if (const auto dims = map.find("dims")) {
      result_.axis_dims[axis] = {};
      for (const auto& dim : read_list(*dims, "dims", 0, dim_count, reading_))
        result_.axis_dims[axis].insert(carried(axis, dim));
    }
    if (const auto factors = map.find("factors")) {
      const MapReader by_dim(*factors, "factors", dim_words, reading_);
      for (std::size_t d = 0; d < dim_count; ++d)
        if (const auto factor = by_dim.find(dim_words[d])) {
          if (!carries(axis, all_dims[d])) refuse(axis, all_dims[d], *factor);
          result_.axis_factors[axis][d] = by_dim.integer(dim_words[d], axis_factor_range);
        }
    }
    if (const auto least = map.find("min_utilisation")) {
      result_.min_utilisation[axis] = read_number(*least, "min_utilisation", 0, reading_);
      if (!reading_.failed() && result_.min_utilisation[axis] > 1)
        reading_.fail(*least, fmt::format("min_utilisation is {}, expected a fraction from 0 to 1",
                                          result_.min_utilisation[axis]));
    }
  }

  bool carries(std::size_t axis, Dim dim) const { return machine_.axes[axis].dims.contains(dim); }

  // Reports a constraint on a dimension that cannot be unrolled on the axis.
  void refuse(std::size_t axis, Dim dim, const Node& node) {
    std::string carried;
    for (const Dim other : all_dims)
      if (carries(axis, other)) carried += fmt::format("{}{}", carried.empty() ? "" : ", ", letter(other));
    reading_.fail(node,
                  fmt::format("axis '{}' cannot carry {}, only {}", axis_words_[axis], letter(dim), carried));
  }

  Dim carried(std::size_t axis, const Node& node) {
    const Dim dim = all_dims[read_word(node, "dim", dim_words, reading_)];
    if (!reading_.failed() && !carries(axis, dim)) refuse(axis, dim, node);
    return dim;
  }

  void read_memory(std::size_t memory, const Node& node) {
    const MapReader map(node, fmt::format("memory '{}'", memory_words_[memory]), constraint_keys::memory,
                        reading_);
    read_operands(map, "must_use", memory, result_.must_use[memory]);
    read_operands(map, "must_not_use", memory, result_.must_not_use[memory]);
  }

  void read_operands(const MapReader& map, std::string_view key, std::size_t memory, OperandSet& operands) {
    const auto list = map.find(key);
    if (!list) return;
    for (const auto& item : read_list(*list, key, 0, operand_count, reading_)) {
      const Operand operand = all_operands[read_word(item, "operand", operand_words, reading_)];
      if (reading_.failed()) return;
      if (!machine_.memories[memory].operands.contains(operand))
        reading_.fail(item,
                      fmt::format("memory '{}' does not hold {}", memory_words_[memory], letter(operand)));
      operands.insert(operand);
    }
  }

  void read_loop(const Node& node) {
    const MapReader map(node, "loop", constraint_keys::loop, reading_);
    Loop loop;
    loop.dim = all_dims[map.word("dim", dim_words)];
    loop.factor = map.integer("factor", loop_range);
    if (!reading_.failed()) result_.outer_loops.push_back(loop);
  }

  const Hierarchy& machine_;
  std::vector<std::string_view> memory_words_;
  std::vector<std::string_view> axis_words_;
  Reading& reading_;
  Constraints result_;
};

}  // namespace

Result<Constraints> parse_constraints(std::string_view text, const std::string& file,
                                      const Hierarchy& machine, const HierarchyNames& names) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  auto constraints = ConstraintReader(machine, names, reading).read(document->root());
  if (reading.failed()) return reading.error();
  return constraints;
}

}  // namespace nestor::io
