// Reader and writer of Timeloop's mapping YAML. It lists for each level the operands that the level stores,
// and the factors and order of its loops. The loops of a level belong to all operands that the level stores,
// so each loop has one level. For an operand that is not stored there, the loop belongs to the operand's next
// level outward. A loop that is irrelevant to an operand may be in either of two blocks of this operand with
// the same meaning (docs/models/cim.md, canonical form). For this reason, most mappings can be expressed.
#include <fmt/format.h>

#include <algorithm>

#include "io/neighbours/equation.h"
#include "io/neighbours/mapping_parts.h"
#include "io/nest_file.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<std::string_view, 7> entry_keys = {"target",  "type",        "keep", "bypass",
                                                        "factors", "permutation", "split"};

struct Interval {
  std::size_t low, high;  ///< inclusive range of levels
};

class Levels {
 public:
  Levels(const MappedLayer& layer, const NamedArchitecture& architecture)
      : layer_(*layer.layer),
        mapping_(*layer.mapping),
        architecture_(architecture),
        used_(used_memories(mapping_, architecture.machine)) {}

  const std::array<OperandSet, max_memories>& used() const { return used_; }

  /// Returns a level for each loop; levels never decrease from the outermost loop inward.
  Result<std::vector<std::size_t>> levels() const {
    std::vector<std::size_t> levels;
    std::size_t level = 0;
    DimSet there;  // dimensions with a loop in `level`
    for (std::size_t i = 0; i < mapping_.loops.size(); ++i) {
      const Dim dim = mapping_.loops[i].dim;
      Interval allowed = {level, architecture_.memory_names.size() - 1};
      for (const Operand operand : all_operands) {
        const Interval own = interval(operand, i);
        allowed = {std::max(allowed.low, own.low), std::min(allowed.high, own.high)};
      }
      if (allowed.low == level && there.contains(dim)) ++allowed.low;
      if (allowed.low > allowed.high) return refusal(i);
      if (allowed.low != level) there = {};
      level = allowed.low;
      there.insert(dim);
      levels.push_back(level);
    }
    return levels;
  }

 private:
  std::size_t next_used(Operand operand, std::size_t memory) const {
    const std::size_t count = architecture_.memory_names.size();
    for (++memory; memory < count && !used_[memory].contains(operand);) ++memory;
    return memory;
  }
  // Returns the levels to which a loop can be assigned without a change to the operand's normalised blocks.
  Interval interval(Operand operand, std::size_t i) const {
    const auto x = index_of(operand);
    const std::size_t memory = mapping_.loops[i].at[x];
    Interval own = {memory, next_used(operand, memory) - 1};
    for (std::size_t j = i + 1; j > 0 && mapping_.loops[j - 1].at[x] == memory; --j)
      if (layer_.shape.is_relevant(mapping_.loops[j - 1].dim, operand)) return own;
    // The block begins with loops that are irrelevant to the operand. They may belong to the block before it.
    for (std::size_t m = memory; m-- > 0;)
      if (used_[m].contains(operand)) return {m, own.high};
    return own;
  }

  Error refusal(std::size_t i) const {
    const Loop& loop = mapping_.loops[i];
    return input_error({}, fmt::format("layer '{}': a Timeloop level has one loop per dimension, and no "
                                       "level fits loop {} {} (in {} for I, {} for W, {} for O)",
                                       layer_.name, letter(loop.dim), loop.factor, name(loop.at[0]),
                                       name(loop.at[1]), name(loop.at[2])));
  }
  const std::string& name(std::size_t memory) const { return architecture_.memory_names[memory]; }

  const Layer& layer_;
  const Mapping& mapping_;
  const NamedArchitecture& architecture_;
  std::array<OperandSet, max_memories> used_;
};

// Returns factors such as "C1 M2 R1 S1 N1 P1 Q1"; G only appears if there are groups.
std::string factors_text(const Extents& factors, bool groups) {
  std::string text;
  for (const Dim dim : all_dims)
    if (dim != Dim::G || groups)
      text += fmt::format("{}{}{}", text.empty() ? "" : " ", timeloop_dims[index_of(dim)],
                          factors[index_of(dim)]);
  return text;
}

// Returns the dimensions innermost first; dimensions with a single iteration come last.
std::string permutation_text(const std::vector<Dim>& outermost_first, bool groups) {
  std::string text;
  DimSet seen;
  for (auto dim = outermost_first.rbegin(); dim != outermost_first.rend(); ++dim) {
    text += timeloop_dims[index_of(*dim)];
    seen.insert(*dim);
  }
  for (const Dim dim : all_dims)
    if (!seen.contains(dim) && (dim != Dim::G || groups)) text += timeloop_dims[index_of(dim)];
  return text;
}

std::string list_text(OperandSet operands) {
  std::string text;
  for (const Operand operand : all_operands)
    if (operands.contains(operand))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", timeloop_operands[index_of(operand)]);
  return "[" + text + "]";
}

class TimeloopMappingReader {
 public:
  TimeloopMappingReader(const NamedArchitecture& architecture, Reading& reading)
      : architecture_(architecture), reading_(reading) {
    for (std::size_t m = 0; m < count(); ++m) kept_[m] = architecture.machine.memories[m].operands;
  }

  Mapping read(const Node& root) {
    constexpr std::array<std::string_view, 2> top = {"mapping", "nestor"};
    const MapReader file(root, "file", top, reading_);
    for (const Node& entry : file.list("mapping", 1, 1024)) {
      if (reading_.failed()) break;
      read_entry(entry);
    }
    if (reading_.failed()) return mapping_;
    const Node list = *root.find("mapping");
    put_loops(list);
    refuse_idle_stores(mapping_, kept_, architecture_, list, reading_);
    read_double_buffers(root, architecture_, mapping_, reading_);
    return mapping_;
  }

 private:
  std::size_t count() const { return architecture_.memory_names.size(); }

  void read_entry(const Node& node) {
    const MapReader entry(node, "entry", entry_keys, reading_);
    const std::string target = entry.text("target", ""), type = entry.text("type", "");
    if (reading_.failed()) return;
    const auto level = place(architecture_.memory_names, target);
    auto axes = axes_of(target);
    if (axes.empty() && target.starts_with("inter_") && target.ends_with("_spatial"))
      axes = axes_of(target.substr(6, target.size() - 14));
    if (!level && axes.empty()) {
      std::vector<std::string_view> words(architecture_.memory_names.begin(),
                                          architecture_.memory_names.end());
      words.insert(words.end(), architecture_.axis_names.begin(), architecture_.axis_names.end());
      reading_.fail(node, fmt::format("target {}{}, expected one of {}", quote(target),
                                      suggestion(target, words), join_words(words)));
    } else if (type == "datatype" || type == "dataspace" || type == "bypass") {
      read_kept(entry, level, node);
    } else if (type == "temporal") {
      read_temporal(entry, level, node);
    } else if (type == "spatial") {
      read_spatial(entry, axes, node);
    } else {
      reading_.fail(node, fmt::format("type {}, expected temporal, spatial or dataspace", quote(type)));
    }
  }

  static std::optional<std::size_t> place(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
  }
  // Returns a single axis, or the axes along X and Y of a mesh.
  std::vector<std::size_t> axes_of(const std::string& target) const {
    if (const auto axis = place(architecture_.axis_names, target)) return {*axis};
    const auto x = place(architecture_.axis_names, target + "_X"),
               y = place(architecture_.axis_names, target + "_Y");
    if (x && y) return {*x, *y};
    return {};
  }

  void read_kept(const MapReader& entry, std::optional<std::size_t> level, const Node& node) {
    const auto operands = [&](std::string_view key) {
      OperandSet set;
      if (const auto list = entry.find(key))
        for (const Node& item : read_list(*list, key, 0, operand_count, reading_))
          set.insert(all_operands[read_word(item, "data space", timeloop_operands, reading_)]);
      return set;
    };
    const OperandSet keep = operands("keep"), bypass = operands("bypass");
    for (const Operand operand : all_operands) {
      if (keep.contains(operand) && bypass.contains(operand))
        reading_.fail(node,
                      fmt::format("{} is both kept and bypassed", timeloop_operands[index_of(operand)]));
      if (!level) {
        if (keep.contains(operand)) reading_.fail(node, "an axis cannot keep data");
        continue;
      }
      const auto& machine = architecture_.machine;
      const bool holds = machine.memories[*level].operands.contains(operand);
      const bool always = holds && (machine.home(operand) == *level || machine.innermost(operand) == *level);
      if ((keep.contains(operand) && !holds) || (bypass.contains(operand) && always))
        reading_.fail(node, fmt::format("{} {} '{}'", timeloop_operands[index_of(operand)],
                                        holds ? "cannot bypass" : "cannot be kept in",
                                        architecture_.memory_names[*level]));
      if (bypass.contains(operand)) kept_[*level].erase(operand);
    }
  }

  // Returns the loops innermost first, in the order of the permutation.
  std::vector<Loop> loops_of(const MapReader& entry, const Node& node) {
    Extents factors = unit_extents;
    DimSet given;
    if (const auto list = entry.find("factors"))
      for (const std::string& text : read_items(*list)) {
        Scanner scanner(text);
        while (!scanner.at_end() && !reading_.failed()) read_factor(scanner, factors, given, *list);
      }
    std::vector<Loop> loops;
    DimSet seen;
    if (const auto list = entry.find("permutation"))
      for (const std::string& text : read_items(*list))
        for (const char c : text) {
          if (c == ' ' || c == ',') continue;
          const auto dim = dim_of(std::string_view(&c, 1), *list);
          if (!dim || seen.contains(*dim)) {
            reading_.fail(*list, fmt::format("dimension '{}' is in the permutation twice", c));
            return {};
          }
          seen.insert(*dim);
          loops.push_back({*dim, factors[index_of(*dim)], {}});
        }
    int others = 0;
    for (const Dim dim : all_dims)
      if (!seen.contains(dim) && factors[index_of(dim)] > 1) {
        loops.push_back({dim, factors[index_of(dim)], {}});
        ++others;
      }
    if (others > 1 && !reading_.failed())
      reading_.fail(node, "the permutation does not determine the order of two dimensions");
    return loops;
  }
  std::vector<std::string> read_items(const Node& list) {
    std::vector<std::string> items;
    if (list.is_scalar()) return {std::string(list.text())};
    for (const Node& item : read_list(list, "list", 0, 64, reading_)) items.emplace_back(item.text());
    return items;
  }
  void read_factor(Scanner& scanner, Extents& factors, DimSet& seen, const Node& where) {
    // A word includes the digits after it: "M2" is M and 2.
    const std::string word = scanner.word();
    const auto dim = dim_of(std::string_view(word).substr(0, 1), where);
    Int factor = 0;
    if (word.size() > 1) {
      Scanner digits(std::string_view(word).substr(1));
      factor = digits.number().value_or(0);
      if (!digits.at_end()) factor = 0;
    } else if (scanner.accept("=")) {
      factor = scanner.number().value_or(0);
    }
    scanner.accept(",");
    if (dim && (factor < 1 || factor > factor_range.high))
      reading_.fail(where,
                    fmt::format("factor of {} is not a whole number from 1 to 2^31", word.substr(0, 1)));
    if (dim && seen.contains(*dim))
      reading_.fail(where, fmt::format("a second factor of {}", timeloop_dims[index_of(*dim)]));
    if (reading_.failed()) return;
    seen.insert(*dim);
    factors[index_of(*dim)] = factor;
  }
  std::optional<Dim> dim_of(std::string_view word, const Node& where) {
    const auto found =
        word == "K" ? timeloop_dims.begin() + 1 : std::find(timeloop_dims.begin(), timeloop_dims.end(), word);
    if (!word.empty() && found != timeloop_dims.end())
      return all_dims[static_cast<std::size_t>(found - timeloop_dims.begin())];
    reading_.fail(
        where, fmt::format("dimension {}, expected one of {}", quote(word), fmt::join(timeloop_dims, ", ")));
    return std::nullopt;
  }

  void read_temporal(const MapReader& entry, std::optional<std::size_t> level, const Node& node) {
    auto loops = loops_of(entry, node);
    std::erase_if(loops, [](const Loop& loop) { return loop.factor == 1; });
    if (loops.empty()) return;
    if (!level)
      reading_.fail(node, "temporal loops are at an axis, expected a memory");
    else if (!temporal_[*level].empty())
      reading_.fail(node, fmt::format("a second list of loops of '{}'", architecture_.memory_names[*level]));
    else
      temporal_[*level] = std::move(loops);
  }

  void read_spatial(const MapReader& entry, const std::vector<std::size_t>& axes, const Node& node) {
    for (const std::size_t axis : axes)
      if (mapping_.spatial[axis] != unit_extents)
        reading_.fail(node, "a second list of factors of this axis");
    const auto loops = loops_of(entry, node);
    const Int split = entry.integer("split", {0, 64}, static_cast<Int>(loops.size()));
    for (std::size_t i = 0; i < loops.size() && !reading_.failed(); ++i) {
      if (loops[i].factor == 1) continue;
      if (axes.empty()) {
        reading_.fail(node, "spatial factors are at a memory, expected an axis");
        return;
      }
      const bool along_y = axes.size() == 2 && static_cast<Int>(i) >= split;
      if (!multiply_factor(mapping_, axes[along_y ? 1 : 0], loops[i].dim, loops[i].factor))
        reading_.fail(node, "a spatial factor is larger than 2^31");
    }
  }

  void put_loops(const Node& where) {
    const auto& machine = architecture_.machine;
    for (std::size_t level = 0; level < count(); ++level)
      for (auto loop = temporal_[level].rbegin(); loop != temporal_[level].rend(); ++loop) {
        for (const Operand operand : all_operands) {
          std::size_t m = level + 1;
          while (m > 0 && !kept_[m - 1].contains(operand)) --m;
          if (m == 0) {
            reading_.fail(where, fmt::format("loop {} of '{}' is outside '{}', where {} begin",
                                             letter(loop->dim), architecture_.memory_names[level],
                                             architecture_.memory_names[machine.home(operand)],
                                             timeloop_operands[index_of(operand)]));
            return;
          }
          loop->at[index_of(operand)] = static_cast<std::uint8_t>(m - 1);
        }
        add_loop(mapping_, *loop, where, reading_);
      }
  }

  const NamedArchitecture& architecture_;
  Reading& reading_;
  Mapping mapping_;
  std::array<OperandSet, max_memories> kept_{};
  std::array<std::vector<Loop>, max_memories> temporal_;  // loops of each memory, innermost first
};

}  // namespace

Result<std::string> write_timeloop(const MappedLayer& layer, const NamedArchitecture& architecture) {
  const Mapping& mapping = *layer.mapping;
  const Levels plan(layer, architecture);
  const auto levels = plan.levels();
  if (!levels) return levels.error();
  const bool groups = layer.layer->shape.bound(Dim::G) > 1;
  std::string text = fmt::format("# Layer {}\nmapping:\n", Json(layer.layer->name).dump());
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m) {
    OperandSet bypass;
    for (const Operand operand : all_operands)
      if (!plan.used()[m].contains(operand)) bypass.insert(operand);
    const auto name = yaml_name(architecture.memory_names[m]);
    text += fmt::format("- {{target: {}, type: dataspace, keep: {}, bypass: {}}}\n", name,
                        list_text(plan.used()[m]), list_text(bypass));
    Extents factors = unit_extents;
    std::vector<Dim> order;
    for (std::size_t i = 0; i < levels->size(); ++i)
      if ((*levels)[i] == m) {
        factors[index_of(mapping.loops[i].dim)] = mapping.loops[i].factor;
        order.push_back(mapping.loops[i].dim);
      }
    text += fmt::format("- {{target: {}, type: temporal, factors: {}, permutation: {}}}\n", name,
                        factors_text(factors, groups), permutation_text(order, groups));
  }
  for (std::size_t a = 0; a < architecture.axis_names.size(); ++a)
    text += fmt::format("- {{target: {}, type: spatial, factors: {}, permutation: {}}}\n",
                        yaml_name(architecture.axis_names[a]), factors_text(mapping.spatial[a], groups),
                        permutation_text({}, groups));
  return text + double_buffers_text(mapping, architecture);
}

Mapping read_timeloop(const Node& root, const NamedArchitecture& architecture, Reading& reading) {
  return TimeloopMappingReader(architecture, reading).read(root);
}

}  // namespace nestor::io::neighbours
