#include "io/constraint_file.h"

#include <fmt/format.h>

#include "io/nest_file.h"
#include "io/vocabulary.h"

namespace nestor::io {
namespace {

// The fields of a constraint file, which is only read.
class ConstraintFields {
 public:
  ConstraintFields(const Hierarchy& machine, const HierarchyNames& names)
      : machine_(machine),
        memory_words_(names.memory_names.begin(), names.memory_names.end()),
        axis_words_(names.axis_names.begin(), names.axis_names.end()) {}

  void describe(Fields& fields, Constraints& constraints) const {
    add_named(
        fields, "axes", "axis", axis_words_,
        [&](Fields& inner, std::size_t axis) { describe_axis(inner, axis, constraints); },
        "Constraints on what each axis of the machine carries.");
    add_named(
        fields, "memories", "memory", memory_words_,
        [&](Fields& inner, std::size_t memory) {
          add_operands(inner, "must_use", memory, constraints.must_use[memory],
                       "Operands that must hold a block in the memory.");
          add_operands(inner, "must_not_use", memory, constraints.must_not_use[memory],
                       "Operands that must bypass the memory.");
        },
        "Constraints on the operands in each memory of the machine.");
    std::vector<Loop> loops;
    const auto describe_loop = [](Fields& inner, Loop& loop) {
      describe_iterations(inner, loop, {2, factor_range.high});
    };
    const auto accept = [&](const Node& /*node*/, const Loop& loop, Reading& /*reading*/) {
      constraints.outer_loops.push_back(loop);
    };
    fields.list("outer_loops", optional, {0, max_loops}, loops, "loop", describe_loop, accept,
                "The outermost temporal loops, from the outside in, each a separate loop of exactly that "
                "factor.");
    const auto insert = [&](const Node& node, Reading& reading) {
      constraints.stationary.insert(all_operands[read_word(node, "operand", operand_words, reading)]);
    };
    add_words(fields, "stationary", operand_words, insert,
              "Operands whose innermost tiles are each loaded once: all loops that are irrelevant to the "
              "operand are in its innermost block.");
  }

 private:
  using Insert = FunctionRef<void(const Node& node, Reading& reading)>;

  // A list of words; `insert` reads one.
  static void add_words(Fields& fields, std::string_view key, Words words, Insert insert,
                        std::string_view meaning) {
    const SizeRange sizes = {0, words.size()};
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      for (const Node& item : read_list(node, label, sizes.low, sizes.high, reading)) insert(item, reading);
    };
    fields.field({key, optional, read, [] {}, [] { return Json(); },
                  [&] { return list_schema(sizes, words_schema(words)); }, meaning});
  }

  // A map from names of the machine's parts to records. `describe` describes the record of a part.
  template <typename Describe>
  void add_named(Fields& fields, std::string_view key, std::string_view kind,
                 const std::vector<std::string_view>& names, const Describe& describe,
                 std::string_view meaning) const {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      const MapReader by_name(node, label, names, reading);
      for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto part = by_name.find(names[i]))
          read_fields(*part, fmt::format("{} '{}'", kind, names[i]), reading,
                      [&](Fields& inner) { describe(inner, i); });
    };
    const auto schema = [&] { return map_schema({}, schema_of([&](Fields& inner) { describe(inner, 0); })); };
    fields.field({key, optional, read, [] {}, [] { return Json(); }, schema, meaning});
  }

  void describe_axis(Fields& fields, std::size_t axis, Constraints& constraints) const {
    const auto insert_dim = [&](const Node& node, Reading& reading) {
      const Dim dim = all_dims[read_word(node, "dim", dim_words, reading)];
      if (!reading.failed()) require_carried(axis, dim, node, reading);
      constraints.axis_dims[axis].insert(dim);
    };
    if (fields.find("dims")) constraints.axis_dims[axis] = {};
    add_words(fields, "dims", dim_words, insert_dim, "The dimensions that the axis may carry.");
    const auto read_factors = [&](const Node& node, const std::string& label, Reading& reading) {
      const MapReader by_dim(node, label, dim_words, reading);
      for (std::size_t d = 0; d < dim_count; ++d)
        if (const auto factor = by_dim.find(dim_words[d])) {
          require_carried(axis, all_dims[d], *factor, reading);
          constraints.axis_factors[axis][d] = by_dim.integer(dim_words[d], factor_range);
        }
    };
    fields.field({"factors", optional, read_factors, [] {}, [] { return Json(); },
                  [] { return map_schema(dim_words, integer_schema(factor_range)); },
                  "The exact factors of dimensions on the axis; 1 excludes a dimension."});
    fields.number("min_utilisation", constraints.min_utilisation[axis], {0, 1}, 0.0,
                  "The minimum share of its lanes in use.");
  }

  void add_operands(Fields& fields, std::string_view key, std::size_t memory, OperandSet& operands,
                    std::string_view meaning) const {
    const auto insert = [&](const Node& node, Reading& reading) {
      const Operand operand = all_operands[read_word(node, "operand", operand_words, reading)];
      if (reading.failed()) return;
      if (!machine_.memories[memory].operands.contains(operand))
        reading.fail(node,
                     fmt::format("memory '{}' does not hold {}", memory_words_[memory], letter(operand)));
      operands.insert(operand);
    };
    add_words(fields, key, operand_words, insert, meaning);
  }

  // Refuses a constraint on a dimension that cannot be unrolled on the axis.
  void require_carried(std::size_t axis, Dim dim, const Node& node, Reading& reading) const {
    const auto carries = [&](Dim other) { return machine_.axes[axis].dims.contains(other); };
    if (carries(dim)) return;
    std::string carried;
    for (const Dim other : all_dims)
      if (carries(other)) carried += fmt::format("{}{}", carried.empty() ? "" : ", ", letter(other));
    reading.fail(node,
                 fmt::format("axis '{}' cannot carry {}, only {}", axis_words_[axis], letter(dim), carried));
  }

  const Hierarchy& machine_;
  std::vector<std::string_view> memory_words_;
  std::vector<std::string_view> axis_words_;
};

}  // namespace

Result<Constraints> parse_constraints(std::string_view text, const std::string& file,
                                      const Hierarchy& machine, const HierarchyNames& names) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  Constraints constraints;
  const ConstraintFields description(machine, names);
  read_fields(document->root(), "constraints", reading,
              [&](Fields& fields) { description.describe(fields, constraints); });
  if (reading.failed()) return reading.error();
  return constraints;
}

Json constraints_schema() {
  Constraints constraints;
  const Hierarchy machine;
  return schema_of([&](Fields& fields) { ConstraintFields(machine, {}).describe(fields, constraints); });
}

}  // namespace nestor::io
