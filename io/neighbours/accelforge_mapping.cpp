// Reader and writer of AccelForge's mapping YAML (a LoopTree of one Einsum). The storage nodes of the tensors
// are placed among the loops. The tile shape of a loop is the extent that remains below it. A tensor's block
// begins at its storage node, so blocks may differ by tensor as in Nestor. Tensors are named I, W and O; rank
// variables are the dimensions in lower case.
#include <fmt/format.h>

#include <algorithm>

#include "io/neighbours/mapping_parts.h"
#include "io/nest_file.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<std::string_view, 2> storage_keys = {"tensors", "component"};
constexpr std::array<std::string_view, 2> temporal_keys = {"rank_variable", "tile_shape"};
constexpr std::array<std::string_view, 4> spatial_keys = {"rank_variable", "tile_shape", "name", "component"};
constexpr std::array<std::string_view, 2> compute_keys = {"einsum", "component"};

class Writer {
 public:
  Writer(const MappedLayer& layer, const NamedArchitecture& architecture)
      : layer_(*layer.layer),
        mapping_(*layer.mapping),
        architecture_(architecture),
        used_(used_memories(mapping_, architecture.machine)),
        rest_(layer.layer->shape.bounds) {}

  Result<std::string> write() {
    place_axes();
    if (const auto error = refusal()) return *error;
    for (std::size_t i = 0; i <= mapping_.loops.size(); ++i) {
      add_nodes_before(i);
      if (i == mapping_.loops.size()) break;
      const Loop& loop = mapping_.loops[i];
      const auto d = index_of(loop.dim);
      rest_[d] /= loop.factor;
      text_ += fmt::format("  - !Temporal {{rank_variable: {}, tile_shape: {}}}\n", accelforge_name(loop.dim),
                           rest_[d]);
    }
    return fmt::format("mapping:\n  nodes:\n{}  - !Compute {{einsum: {}, component: compute}}\n{}", text_,
                       yaml_name(layer_.name), double_buffers_text(mapping_, architecture_));
  }

 private:
  static std::string accelforge_name(Dim dim) {
    const auto name = accelforge_dims[index_of(dim)];
    return name == "n" ? "\"n\"" : std::string(name);  // some YAML readers parse a plain n as false
  }

  // Returns the index of the first loop of a tensor's block in a memory.
  std::size_t first_loop(std::size_t memory, Operand operand) const {
    std::size_t i = 0;
    if (memory == architecture_.machine.home(operand)) return 0;
    while (i < mapping_.loops.size() && mapping_.loops[i].at[index_of(operand)] < memory) ++i;
    return i;
  }

  // Places each axis between the storage nodes of the memories above it and those of the memories below it.
  // If that is impossible, sets `blocked_`.
  void place_axes() {
    const auto& machine = architecture_.machine;
    std::size_t from = 0;
    for (std::size_t a = 0; a < machine.axes.size(); ++a) {
      std::size_t to = mapping_.loops.size();
      for (std::size_t m = 0; m < machine.memories.size(); ++m)
        for (const Operand operand : all_operands) {
          if (!used_[m].contains(operand)) continue;
          if (machine.memories[m].axes_above <= a)
            from = std::max(from, first_loop(m, operand));
          else
            to = std::min(to, first_loop(m, operand));
        }
      axis_at_[a] = from;
      if (from > to && product_of(mapping_.spatial[a]) > 1 && !blocked_) blocked_ = a;
    }
  }

  MaybeError refusal() const {
    if (!blocked_) return std::nullopt;
    return input_error(
        {}, fmt::format("layer '{}': AccelForge stores the memories above axis '{}' above its spatial loops "
                        "and all others below them, which no position among the loops satisfies",
                        layer_.name, architecture_.axis_names[*blocked_]));
  }

  void add_nodes_before(std::size_t loop) {
    const auto& machine = architecture_.machine;
    std::size_t axis = 0;
    const auto add_axes_until = [&](std::size_t end) {
      for (; axis < end; ++axis)
        if (axis_at_[axis] == loop) add_axis(axis);
    };
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      add_axes_until(machine.memories[m].axes_above);
      std::string tensors;
      for (const Operand operand : all_operands)
        if (used_[m].contains(operand) && first_loop(m, operand) == loop)
          tensors += fmt::format("{}{}", tensors.empty() ? "" : ", ", letter(operand));
      if (!tensors.empty())
        text_ += fmt::format("  - !Storage {{tensors: [{}], component: {}}}\n", tensors,
                             yaml_name(architecture_.memory_names[m]));
    }
    add_axes_until(machine.axes.size());
  }

  void add_axis(std::size_t axis) {
    // "PE.reuse_input" is the fanout reuse_input of component PE.
    const std::string& full = architecture_.axis_names[axis];
    const auto dot = full.find('.');
    const bool split = dot != std::string::npos && dot > 0 && dot + 1 < full.size();
    const auto name = yaml_name(split ? full.substr(dot + 1) : full);
    const auto component = yaml_name(split ? full.substr(0, dot) : full);
    for (const Dim dim : all_dims) {
      const auto d = index_of(dim);
      if (mapping_.spatial[axis][d] == 1) continue;
      rest_[d] /= mapping_.spatial[axis][d];
      text_ += fmt::format("  - !Spatial {{rank_variable: {}, tile_shape: {}, name: {}, component: {}}}\n",
                           accelforge_name(dim), rest_[d], name, component);
    }
  }

  const Layer& layer_;
  const Mapping& mapping_;
  const NamedArchitecture& architecture_;
  std::array<OperandSet, max_memories> used_;
  Extents rest_;  // extents that remain for the loops below the current position
  std::array<std::size_t, max_axes> axis_at_{};
  std::optional<std::size_t> blocked_;
  std::string text_;
};

class AccelForgeMappingReader {
 public:
  AccelForgeMappingReader(const NamedArchitecture& architecture, const Layer& layer, Reading& reading)
      : architecture_(architecture),
        layer_(layer),
        reading_(reading),
        rest_(layer.shape.bounds),
        memories_(architecture.memory_names.begin(), architecture.memory_names.end()),
        axes_(architecture.axis_names.begin(), architecture.axis_names.end()) {}

  Mapping read(const Node& root) {
    constexpr std::array<std::string_view, 2> top = {"mapping", "nestor"};
    constexpr std::array<std::string_view, 1> own = {"nodes"};
    const MapReader file(root, "file", top, reading_);
    const Node node = *root.find("mapping");
    const MapReader mapping(node, "mapping", own, reading_);
    for (const Node& item : mapping.list("nodes", 1, 1024)) {
      if (reading_.failed()) break;
      if (computes_) reading_.fail(item, "a node is below !Compute, expected !Compute last");
      read_node(item);
    }
    if (reading_.failed()) return mapping_;
    if (!computes_) reading_.fail(node, "no !Compute node at the end");
    for (const Operand operand : all_operands) {
      const auto innermost = architecture_.machine.innermost(operand);
      if (place_[index_of(operand)] != innermost)
        reading_.fail(node, fmt::format("{} is not stored in '{}', its innermost memory", letter(operand),
                                        architecture_.memory_names[innermost]));
    }
    for (const Dim dim : all_dims)
      if (rest_[index_of(dim)] != 1)
        reading_.fail(node, fmt::format("{} iterations of {} are left below the last loop",
                                        rest_[index_of(dim)], accelforge_dims[index_of(dim)]));
    refuse_idle_stores(mapping_, stored_, architecture_, node, reading_);
    read_double_buffers(root, architecture_, mapping_, reading_);
    return mapping_;
  }

 private:
  void read_node(const Node& node) {
    const auto tag = node.tag();
    if (tag == "!Storage")
      read_storage(node);
    else if (tag == "!Temporal" || tag == "!Spatial")
      read_loop(node, tag == "!Spatial");
    else if (tag == "!Compute")
      read_compute(node);
    else
      reading_.fail(
          node,
          fmt::format("node {}, expected !Storage, !Temporal, !Spatial or !Compute: one Einsum at a time",
                      tag.empty() ? "without a tag" : quote(tag)));
  }

  // Checks that a node with a known tag has exactly these keys.
  bool check(const Node& node, Words keys) {
    for (std::size_t i = 0; i < node.size(); ++i)
      if (std::find(keys.begin(), keys.end(), node.key(i).text()) == keys.end()) {
        reading_.fail(node.key(i), fmt::format("unknown key {}, expected {}", quote(node.key(i).text()),
                                               join_words(keys)));
        return false;
      }
    for (const auto key : keys)
      if (!node.find(key)) {
        reading_.fail(node, fmt::format("{} has no key '{}'", node.tag(), key));
        return false;
      }
    return true;
  }

  void read_storage(const Node& node) {
    if (!check(node, storage_keys)) return;
    const auto memory = read_word(*node.find("component"), "component", memories_, reading_);
    const Node list = *node.find("tensors");
    const std::size_t count = list.is_list() ? list.size() : 1;
    for (std::size_t i = 0; i < count && !reading_.failed(); ++i) {
      const Node item = list.is_list() ? list.item(i) : list;
      const auto operand = all_operands[read_word(item, "tensor", tensor_words(item), reading_)];
      auto& place = place_[index_of(operand)];
      const auto& machine = architecture_.machine;
      if (!machine.memories[memory].operands.contains(operand))
        reading_.fail(item, fmt::format("'{}' does not hold {}", memories_[memory], letter(operand)));
      else if (place == nowhere && memory != machine.home(operand))
        reading_.fail(item, fmt::format("{} is first stored in '{}', expected '{}'", letter(operand),
                                        memories_[memory], memories_[machine.home(operand)]));
      else if (place != nowhere && memory <= place)
        reading_.fail(item, fmt::format("{} is stored in '{}' below '{}', expected a memory further inward",
                                        letter(operand), memories_[memory], memories_[place]));
      place = memory;
      stored_[memory].insert(operand);
    }
  }
  static Words tensor_words(const Node& item) {
    static constexpr std::array<std::string_view, operand_count> letters = {"I", "W", "O"};
    static constexpr std::array<std::string_view, operand_count> words = {"input", "weight", "output"};
    return item.text().size() > 1 ? Words(words) : Words(letters);
  }

  void read_loop(const Node& node, bool is_spatial) {
    if (!check(node, is_spatial ? Words(spatial_keys) : Words(temporal_keys))) return;
    const auto dim =
        all_dims[read_word(*node.find("rank_variable"), "rank variable", accelforge_dims, reading_)];
    Int& rest = rest_[index_of(dim)];
    const Node shape = *node.find("tile_shape");
    const Int tile = read_integer(shape, "tile_shape", {1, rest}, reading_);
    if (reading_.failed()) return;
    if (rest % tile != 0) {
      reading_.fail(
          shape, fmt::format("tile_shape is {}, which does not divide the {} iterations there", tile, rest));
      return;
    }
    const Int factor = rest / tile;
    rest = tile;
    if (is_spatial) {
      const auto axis = axis_of(node);
      if (!reading_.failed() && !multiply_factor(mapping_, axis, dim, factor))
        reading_.fail(shape, "a spatial factor is larger than 2^31");
      return;
    }
    Loop loop{dim, factor, {}};
    for (const Operand operand : all_operands) {
      const auto place = place_[index_of(operand)];
      if (place == nowhere) {
        reading_.fail(node, fmt::format("a loop above the first storage of {}", letter(operand)));
        return;
      }
      loop.at[index_of(operand)] = static_cast<std::uint8_t>(place);
    }
    add_loop(mapping_, loop, node, reading_);
  }

  std::size_t axis_of(const Node& node) {
    const Node name = *node.find("name");
    const auto full = fmt::format("{}.{}", node.find("component")->text(), name.text());
    const auto found = std::find(axes_.begin(), axes_.end(), full);
    if (found != axes_.end()) return static_cast<std::size_t>(found - axes_.begin());
    return read_word(name, "name", axes_, reading_);
  }

  void read_compute(const Node& node) {
    if (!check(node, compute_keys)) return;
    if (const auto einsum = node.find("einsum"); einsum->text() != layer_.name)
      reading_.fail(*einsum, fmt::format("einsum is {}, expected the layer {}", einsum->describe(),
                                         quote(layer_.name)));
    computes_ = true;
  }

  static constexpr std::size_t nowhere = max_memories;
  const NamedArchitecture& architecture_;
  const Layer& layer_;
  Reading& reading_;
  Mapping mapping_;
  Extents rest_;
  std::vector<std::string_view> memories_, axes_;
  std::array<std::size_t, operand_count> place_ = {nowhere, nowhere, nowhere};
  std::array<OperandSet, max_memories> stored_{};
  bool computes_ = false;
};

}  // namespace

Result<std::string> write_accelforge(const MappedLayer& layer, const NamedArchitecture& architecture) {
  return Writer(layer, architecture).write();
}

Mapping read_accelforge(const Node& root, const NamedArchitecture& architecture, const Layer& layer,
                        Reading& reading) {
  return AccelForgeMappingReader(architecture, layer, reading).read(root);
}

}  // namespace nestor::io::neighbours
