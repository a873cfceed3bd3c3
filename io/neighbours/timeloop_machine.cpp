// Reader of Timeloop's architectures (v0.4): nodes from the outermost memory to the compute unit. A container
// or component with a mesh is below one or two axes. A memory in !Parallel stores only the data spaces that
// it keeps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"
#include "model/loopnest/dims.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<std::string_view, 3> known_timeloop_top = {"architecture", "problem", "mapping"};
constexpr std::array<std::string_view, 2> known_architecture = {"version", "nodes"};
constexpr std::array<std::string_view, 6> known_timeloop_node = {"name",    "class",       "attributes",
                                                                 "spatial", "constraints", "nodes"};
constexpr std::array<std::string_view, 8> used_attributes = {
    "depth",   "width",          "datawidth",       "word_bits",
    "entries", "read_bandwidth", "write_bandwidth", "global_cycle_seconds"};
constexpr std::array<std::string_view, operand_count> spaces = {"Inputs", "Weights", "Outputs"};

class TimeloopMachineReader {
 public:
  TimeloopMachineReader(Notes& notes, Reading& reading) : notes_(notes), reading_(reading) {}

  Json read(const Node& root) {
    notes_.leave_out_others(root, "", known_timeloop_top);
    const Node architecture = *root.find("architecture");
    const auto version = require(architecture, "version", "architecture", reading_);
    if (version && version->text() != "0.4")
      reading_.fail(*version, fmt::format("version is {}, expected 0.4", version->describe()));
    if (const auto tree = architecture.find("subtree"))
      reading_.fail(*tree, "'subtree' belongs to Timeloop 0.3 and to its outputs, expected 'nodes' (0.4)");
    const auto nodes = require(architecture, "nodes", "architecture", reading_);
    if (!nodes) return {};
    notes_.leave_out_others(architecture, "architecture", known_architecture);
    read_nodes(*nodes, false);
    if (reading_.failed()) return {};
    if (!has_compute_)
      reading_.fail(*nodes, "no compute unit: a component whose class ends in 'mac' or is 'compute'");
    Json json = {{"name", name_after(root)},
                 {"source", "read from a Timeloop architecture"},
                 {"hierarchy", hierarchy_},
                 {"compute", {{"mvm_cycles", 1}}}};
    if (clock_ > 0) json["clock"] = clock_;
    notes_.leave_out("architecture", "energies come from Accelergy; 0 here, or `auto` in a Nestor file");
    return json;
  }

 private:
  void read_nodes(const Node& nodes, bool parallel) {
    const auto outer = inherited_.size();
    for (const Node& node : read_list(nodes, "nodes", 1, most_nodes, reading_)) {
      if (reading_.failed()) return;
      const auto tag = node.tag();
      if (tag == "!Parallel" || tag == "!Hierarchical") {
        notes_.leave_out_others(node, "nodes.*", known_timeloop_node);
        if (const auto inner = require(node, "nodes", tag, reading_)) read_nodes(*inner, tag == "!Parallel");
      } else if (tag == "!Container" || tag == "!Component") {
        read_part(node, tag == "!Component", parallel);
      } else if (tag != "!Nothing") {  // !Nothing: data spaces that bypass a !Parallel
        reading_.fail(node,
                      fmt::format("node {}, expected !Container, !Component, !Hierarchical or !Parallel",
                                  tag.empty() ? "without a tag" : quote(tag)));
      }
    }
    inherited_.erase(inherited_.begin() + static_cast<std::ptrdiff_t>(outer), inherited_.end());
  }

  // Returns an attribute of a node, or of the innermost container around it that has the attribute.
  std::optional<Node> attribute(const std::optional<Node>& own, std::string_view key) const {
    auto value = own ? own->find(key) : std::nullopt;
    for (auto outer = inherited_.rbegin(); !value && outer != inherited_.rend(); ++outer)
      value = outer->find(key);
    return value;
  }

  void read_part(const Node& node, bool is_component, bool parallel) {
    const auto given = require(node, "name", "node", reading_);
    if (!given) return;
    const auto name = read_name(*given, "name", reading_);
    notes_.leave_out_others(node, name, known_timeloop_node);
    const auto attributes = node.find("attributes");
    note_attributes(attributes, name);
    if (has_compute_)
      reading_.fail(node,
                    fmt::format("'{}' is below the compute unit, expected the compute unit last", name));
    read_axes(node, name);
    if (!is_component && attributes) inherited_.push_back(*attributes);
    if (!is_component || reading_.failed()) return;
    const auto kind = node.find("class");
    const std::string_view word = kind ? kind->text() : "";
    const bool sized = attributes && (attributes->find("depth") || attributes->find("entries"));
    if (word == "compute" || word.ends_with("mac") || word.ends_with("MAC"))
      has_compute_ = true;
    else if (sized || word == "DRAM" || word == "SRAM" || word == "regfile" || word == "storage" ||
             word.starts_with("smartbuffer"))
      read_memory(node, name, attributes, parallel);
    else
      notes_.leave_out(name,
                       fmt::format("class {} is not a memory; its costs are not included", quote(word)));
  }

  void note_attributes(const std::optional<Node>& attributes, const std::string& name) {
    if (!attributes || !attributes->is_map()) return;
    for (std::size_t i = 0; i < attributes->size(); ++i) {
      const auto key = attributes->key(i).text();
      if (std::find(used_attributes.begin(), used_attributes.end(), key) != used_attributes.end()) continue;
      const auto shown = quote(key);
      notes_.leave_out(fmt::format("{}.attributes.{}", name, shown.substr(1, shown.size() - 2)),
                       "not modelled");
    }
    const auto seconds = attributes->find("global_cycle_seconds");
    if (!seconds) return;
    const double period = read_expression(*seconds, "global_cycle_seconds", 0, reading_);
    if (period >= 1e-15 && period <= 1) clock_ = static_cast<Int>(std::llround(1 / period));
  }

  void read_axes(const Node& node, const std::string& name) {
    const auto spatial = node.find("spatial");
    const auto limits = spatial_limits(node, name);
    if (!spatial) return;
    constexpr std::array<std::string_view, 2> meshes = {"meshX", "meshY"};
    notes_.leave_out_others(*spatial, name + ".spatial", meshes);
    std::array<Int, 2> size = {1, 1};
    for (std::size_t i = 0; i < meshes.size(); ++i)
      if (const auto mesh = spatial->find(meshes[i]))
        size[i] = read_whole(*mesh, meshes[i], lane_range, reading_);
    const bool both = size[0] > 1 && size[1] > 1;
    for (std::size_t i = 0; i < meshes.size(); ++i)
      if (size[i] > 1)
        hierarchy_.push_back(
            {{"spatial",
              {{"name", both ? name + (i == 0 ? "_X" : "_Y") : name}, {"size", size[i]}, {"dims", limits}}}});
  }

  // Returns the dimensions of the convolution that a node's constraints do not fix to 1 in its mesh.
  Json spatial_limits(const Node& node, const std::string& name) {
    const auto constraints = node.find("constraints");
    const auto spatial = constraints ? constraints->find("spatial") : std::nullopt;
    const auto factors = spatial ? spatial->find("factors") : std::nullopt;
    if (constraints && constraints->is_map())
      for (std::size_t i = 0; i < constraints->size(); ++i)
        if (const auto key = constraints->key(i).text(); key != "dataspace" && key != "spatial")
          notes_.leave_out(fmt::format("{}.constraints.{}", name, key == "temporal" ? "temporal" : "*"),
                           "not used; specify constraints with --fix");
    if (spatial) {
      constexpr std::array<std::string_view, 1> factors_only = {"factors"};
      notes_.leave_out_others(*spatial, name + ".constraints.spatial", factors_only);
    }
    if (!factors) return "all";
    std::string fixed;
    for (const auto& text : factor_words(*factors)) {
      std::string plain;
      for (const char c : text)
        if (c != ' ' && c != '=') plain += c;
      const bool is_one = plain.size() == 2 && plain[1] == '1';
      if (is_one && std::string_view("NMCPQRSG").find(plain[0]) != std::string_view::npos)
        fixed += plain[0];
      else if (is_one)
        notes_.leave_out(
            name + ".constraints.spatial.factors",
            fmt::format("{}: no dimension of a convolution (N, M, C, P, Q, R, S, G)", quote(text)));
      else
        notes_.leave_out(name + ".constraints.spatial.factors",
                         fmt::format("{}: only factors of 1 are kept", quote(text)));
    }
    Json dims = Json::array();
    for (const Dim dim : group_dims) {
      const char letter_there = dim == Dim::K ? 'M' : letter(dim);
      if (fixed.find(letter_there) == std::string::npos) dims.push_back(std::string(1, letter(dim)));
    }
    if (dims.empty()) reading_.fail(*factors, "every dimension is fixed to 1, so the mesh carries none");
    return dims;
  }

  // Reads a list, or a text with spaces or commas between factors.
  std::vector<std::string> factor_words(const Node& factors) {
    auto words = read_words(factors, "factors", reading_);
    if (!factors.is_scalar() || words.empty()) return words;
    auto text = std::move(words[0]);
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
  }

  void read_memory(const Node& node, const std::string& name, const std::optional<Node>& attributes,
                   bool parallel) {
    const Node& where = attributes ? *attributes : node;
    const auto number = [&](std::string_view key) -> std::optional<Int> {
      const auto value = attribute(attributes, key);
      return value ? std::optional(read_whole(*value, key, bit_range, reading_)) : std::nullopt;
    };
    const auto width = number("width"), depth = number("depth"), entries = number("entries");
    const Int word = number("datawidth").value_or(number("word_bits").value_or(8));
    if (!number("datawidth") && !number("word_bits"))
      notes_.leave_out(name + ".attributes", "datawidth is missing: words have 8 bits");
    Json memory = {{"name", name}, {"operands", operands_of(node, name, parallel)}};
    const auto times = [&](Int a, Int b) {
      if (a <= bit_range.high / b) return a * b;
      reading_.fail(where, fmt::format("'{}' has more than 2^52 bits", name));
      return bit_range.low;
    };
    if (depth && width)
      memory["capacity"] = times(*depth, *width);
    else if (entries)
      memory["capacity"] = times(*entries, word);
    else if (depth)
      reading_.fail(where, fmt::format("'{}' has a depth but no width", name));
    const auto in = number("write_bandwidth"), out = number("read_bandwidth");
    if (in && out && *in != *out)
      notes_.leave_out(name + ".attributes", "read and write bandwidth differ; the smaller is used");
    if (in || out) {
      memory["bandwidth"] = times(std::min(in.value_or(bit_range.high), out.value_or(bit_range.high)), word);
    } else {
      memory["bandwidth"] = no_limit;
      notes_.leave_out(name + ".attributes", "bandwidth is missing: every transfer takes one cycle");
    }
    memory["double_buffer"] = true;
    hierarchy_.push_back({{"memory", memory}});
  }

  Json operands_of(const Node& node, const std::string& name, bool parallel) {
    const auto constraints = node.find("constraints");
    const auto space = constraints ? constraints->find("dataspace") : std::nullopt;
    const auto set_of = [&](std::string_view key) {
      EnumSet<Operand> set;
      const auto list = space ? space->find(key) : std::nullopt;
      if (!list) return set;
      for (const auto& word : read_words(*list, key, reading_)) {
        const auto found = std::find(spaces.begin(), spaces.end(), word);
        if (found != spaces.end())
          set.insert(all_operands[static_cast<std::size_t>(found - spaces.begin())]);
        else
          reading_.fail(*list, fmt::format("data space {}, expected Inputs, Weights or Outputs: rename it",
                                           quote(word)));
      }
      return set;
    };
    const auto keep = set_of("keep"), bypass = set_of("bypass");
    if (!keep.empty())
      notes_.leave_out(name + ".constraints.dataspace.keep", "the mapper decides which of these it holds");
    Json operands = Json::array();
    for (const Operand operand : all_operands)
      if (parallel && !keep.empty() ? keep.contains(operand) : !bypass.contains(operand))
        operands.push_back(std::string(1, letter(operand)));
    if (operands.empty())
      reading_.fail(node, fmt::format("'{}' holds none of Inputs, Weights and Outputs", name));
    return operands;
  }

  Notes& notes_;
  Reading& reading_;
  Json hierarchy_ = Json::array();
  std::vector<Node> inherited_;  // attributes of the containers around a node
  Int clock_ = 0;
  bool has_compute_ = false;
};

}  // namespace

Json read_timeloop_machine(const Node& root, Notes& notes, Reading& reading) {
  return TimeloopMachineReader(notes, reading).read(root);
}

}  // namespace nestor::io::neighbours
