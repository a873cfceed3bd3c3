// Reader of ZigZag's accelerators: memories from the innermost to the outermost, each with the array
// dimensions that one instance serves, and the array. In Nestor, an axis is below the memories that are
// shared across it, in one order for all operands. If a memory does not fit into this order, several of its
// instances are read as one shared memory, and a note is added.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"
#include "io/vocabulary.h"
#include "model/loopnest/dims.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::size_t most_dims = 6, most_memories = 16;
constexpr std::array<std::string_view, 3> zigzag_operands = {"I1", "I2", "O"};  // in the order I, W, O

constexpr std::array<std::string_view, 5> known_zigzag_top = {"name", "memories", "operational_array",
                                                              "multipliers", "dataflows"};
constexpr std::array<std::string_view, 18> known_memory = {"size",
                                                           "r_bw",
                                                           "w_bw",
                                                           "r_cost",
                                                           "w_cost",
                                                           "area",
                                                           "r_port",
                                                           "w_port",
                                                           "rw_port",
                                                           "latency",
                                                           "mem_type",
                                                           "operands",
                                                           "ports",
                                                           "served_dimensions",
                                                           "auto_cost_extraction",
                                                           "min_r_granularity",
                                                           "min_w_granularity",
                                                           "double_buffering_support"};
constexpr std::array<std::string_view, 12> known_array = {
    "is_imc", "imc_type",    "input_precision", "bit_serial_precision", "adc_resolution",  "dimensions",
    "sizes",  "unit_energy", "unit_area",       "multiplier_energy",    "multiplier_area", "cells_size"};

struct Part {
  std::string name, path;
  OperandSet operands;
  Int size = 1, bandwidth = 1;
  Json read_energy, write_energy;  // null if there is none
  std::vector<bool> serves;        // true for the dimensions that one instance serves
  std::size_t depth = 0;           // number of axes above
  bool is_array = false;           // true for the cells of an in-memory array
};

class ZigZagMachineReader {
 public:
  ZigZagMachineReader(const Node& root, Notes& notes, Reading& reading)
      : root_(root), notes_(notes), reading_(reading) {}

  Json read() {
    notes_.leave_out_others(root_, "", known_zigzag_top);
    Json json;
    if (const auto name = require(root_, "name", "accelerator", reading_))
      json["name"] = read_name(*name, "name", reading_);
    json["source"] = "read from a ZigZag accelerator";
    read_array();
    if (const auto memories = root_.find("memories")) read_memories(*memories);
    if (root_.find("dataflows"))
      notes_.leave_out("dataflows", "the mapper decides; specify constraints with --fix");
    if (reading_.failed()) return json;
    put_hierarchy(json);
    json["compute"] = compute_;
    return json;
  }

 private:
  void read_array() {
    const bool old = root_.find("operational_array") == std::nullopt;
    const std::string_view path = old ? "multipliers" : "operational_array";
    const auto array = *root_.find(path);
    const auto names = require(array, "dimensions", path, reading_);
    const auto sizes = require(array, "sizes", path, reading_);
    if (!names || !sizes) return;
    notes_.leave_out_others(array, std::string(path), known_array);
    dims_ = read_words(*names, "dimensions", reading_);
    for (const Node& size : read_list(*sizes, "sizes", dims_.size(), dims_.size(), reading_))
      sizes_.push_back(read_whole(size, "size", lane_range, reading_));
    if (dims_.empty() || dims_.size() > most_dims)
      reading_.fail(*names, fmt::format("{} dimensions, expected 1 to {}", dims_.size(), most_dims));
    for (std::size_t d = 0; d < dims_.size(); ++d)
      if (std::count(dims_.begin(), dims_.end(), dims_[d]) > 1)
        reading_.fail(*names, fmt::format("dimension {} is listed twice", quote(dims_[d])));
    is_imc_ = is_true(array.find("is_imc"));
    compute_["mvm_cycles"] = 1;
    if (is_imc_) read_imc(array, std::string(path));
    auto energy = array.find("unit_energy");
    if (!energy) energy = array.find("multiplier_energy");  // newer files may also have this key
    if (energy) compute_["mac_energy"] = finite(*energy, "energy of a multiplication");
    for (const std::string_view key : {"unit_area", "multiplier_area"})
      if (array.find(key)) notes_.leave_out(fmt::format("{}.{}", path, key), "areas have no stated unit");
    if (array.find("input_precision"))
      notes_.leave_out(fmt::format("{}.input_precision", path), "the bit widths of the layers are used");
  }

  void read_imc(const Node& array, const std::string& path) {
    const auto precision = require(array, "input_precision", path, reading_);
    const auto serial = require(array, "bit_serial_precision", path, reading_);
    if (!precision || !serial) return;
    const auto widths = read_list(*precision, "input_precision", 2, 2, reading_);
    if (reading_.failed()) return;
    const Int width = read_whole(widths[0], "input_precision", {1, 64}, reading_);
    const Int step = read_whole(*serial, "bit_serial_precision", {1, 64}, reading_);
    compute_["mvm_cycles"] = (width + step - 1) / step;
    for (const std::string_view key : {"imc_type", "adc_resolution"})
      if (array.find(key))
        notes_.leave_out(path + "." + std::string(key),
                         "ZigZag computes the energy of converters and adders from it; mac_energy is 0 here");
    notes_.leave_out(path + ".dimensions",
                     "the first carries K, the second C, R and S, like the wires of an array");
  }

  double finite(const Node& node, std::string_view what) {
    const double value = read_expression(node, what, 0, reading_);
    if (value <= 1e15) return value;
    reading_.fail(node, fmt::format("{} is {}, expected at most 1e15", what, node.describe()));
    return 0;
  }

  void read_memories(const Node& memories) {
    if (!memories.is_map() || memories.size() == 0 || memories.size() > most_memories)
      reading_.fail(memories, fmt::format("memories is {}, expected a map of 1 to {} memories",
                                          memories.describe(), most_memories));
    for (std::size_t i = 0; i < memories.size() && !reading_.failed(); ++i) {
      const Node value = memories.value(i);
      if (!value.is_map()) {
        reading_.fail(value, fmt::format("memory {} is {}, expected a map", quote(memories.key(i).text()),
                                         value.describe()));
        return;
      }
      read_memory(read_name(memories.key(i), "name of a memory", reading_), value);
    }
  }

  void read_memory(const std::string& name, const Node& node) {
    Part part;
    part.name = name;
    part.path = "memories." + name;
    notes_.leave_out_others(node, "memories.*", known_memory);
    if (const auto size = require(node, "size", part.path, reading_))
      part.size = read_whole(*size, "size", bit_range, reading_);
    if (const auto operands = require(node, "operands", part.path, reading_))
      for (const auto& item : read_list(*operands, "operands", 1, operand_count, reading_))
        part.operands.insert(all_operands[read_word(item, "operand", zigzag_operands, reading_)]);
    part.serves.assign(dims_.size(), false);
    if (const auto served = require(node, "served_dimensions", part.path, reading_))
      for (const auto& item : read_list(*served, "served_dimensions", 0, most_dims, reading_)) {
        const auto found = std::find(dims_.begin(), dims_.end(), item.text());
        if (found == dims_.end())
          reading_.fail(item, fmt::format("served dimension {}, expected one of {}", item.describe(),
                                          fmt::join(dims_, ", ")));
        else
          part.serves[static_cast<std::size_t>(found - dims_.begin())] = true;
      }
    if (reading_.failed()) return;
    const auto [read, write] = bandwidths(node, part);
    part.bandwidth = std::min(read, write);
    if (read != write)
      notes_.leave_out(
          part.path,
          fmt::format("read and write bandwidth differ, {} and {}; the smaller is used", read, write));
    const bool automatic = is_true(node.find("auto_cost_extraction"));
    part.read_energy = energy(node, "r_cost", part, read, automatic);
    part.write_energy = energy(node, "w_cost", part, write, automatic);
    if (automatic && !part.read_energy.is_null())
      notes_.leave_out("memories.*.auto_cost_extraction",
                       "costs are taken from the file; if it has none, `auto`");
    note_rest(node);
    part.is_array = is_imc_ && name == "cells";
    parts_.push_back(std::move(part));
  }

  // Returns the bits per cycle that can be read from a memory, and those that can be written to it.
  std::pair<Int, Int> bandwidths(const Node& node, const Part& part) {
    if (node.find("r_bw") || node.find("w_bw")) {
      const auto read = require(node, "r_bw", part.path, reading_);
      const auto write = require(node, "w_bw", part.path, reading_);
      if (!read || !write) return {1, 1};
      return {read_whole(*read, "r_bw", bit_range, reading_),
              read_whole(*write, "w_bw", bit_range, reading_)};
    }
    std::pair<Int, Int> all = {bit_range.high, bit_range.high};
    const auto ports = require(node, "ports", part.path, reading_);
    if (!ports) return {1, 1};
    for (const Node& port : read_list(*ports, "ports", 1, 64, reading_)) {
      const auto most = require(port, "bandwidth_max", "port", reading_);
      const auto type = require(port, "type", "port", reading_);
      if (!most || !type) return {1, 1};
      const Int bandwidth = read_whole(*most, "bandwidth_max", bit_range, reading_);
      if (type->text() != "write") all.first = std::min(all.first, bandwidth);
      if (type->text() != "read") all.second = std::min(all.second, bandwidth);
    }
    if (all.first == bit_range.high) all.first = all.second;
    if (all.second == bit_range.high) all.second = all.first;
    return all;
  }

  // Returns the energy in pJ per bit from the cost of one access of the port's width.
  Json energy(const Node& node, std::string_view key, const Part& part, Int width, bool automatic) {
    const auto cost = node.find(key);
    if (!cost || cost->kind() == NodeKind::nothing || cost->text() == "None") {
      if (automatic) return "auto";
      notes_.leave_out(fmt::format("{}.{}", part.path, key), "missing; 0 here");
      return {};
    }
    const double value = finite(*cost, key) / static_cast<double>(width);
    return value > 0 ? Json(value) : Json();
  }

  void note_rest(const Node& node) {
    for (const std::string_view key : {"r_port", "w_port", "rw_port", "ports"})
      if (node.find(key))
        notes_.leave_out(fmt::format("memories.*.{}", key), "every operand has its own port here");
    for (const std::string_view key : {"min_r_granularity", "min_w_granularity"})
      if (node.find(key)) notes_.leave_out(fmt::format("memories.*.{}", key), "energy is per bit here");
    if (const auto latency = node.find("latency"); latency && latency->text() != "0")
      notes_.leave_out("memories.*.latency", "the time of a transfer is its bits divided by the bandwidth");
    if (node.find("area")) notes_.leave_out("memories.*.area", "areas have no stated unit");
    for (const std::string_view key : {"mem_type", "double_buffering_support"})
      if (node.find(key)) notes_.leave_out(fmt::format("memories.*.{}", key), "not modelled");
  }

  // Computes the depths of all memories for axes in this order, outermost first. Returns the number of
  // memories that represent several instances of the file (lanes_of above 1).
  std::size_t place(const std::vector<std::size_t>& order, std::vector<std::size_t>& depths) const {
    depths.assign(parts_.size(), 0);
    std::size_t shared = 0;
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      std::size_t& depth = depths[m];
      while (depth < order.size() && !parts_[m].serves[order[depth]]) ++depth;
      for (std::size_t inner = 0; inner < m; ++inner)
        if ((parts_[inner].operands.bits() & parts_[m].operands.bits()) != 0)
          depth = std::min(depth, depths[inner]);
      if (lanes_of(parts_[m], order, depth) > 1) ++shared;
    }
    return shared;
  }

  // Returns the number of instances that are merged into one memory at this depth.
  Int lanes_of(const Part& part, const std::vector<std::size_t>& order, std::size_t depth) const {
    Int product = 1;
    for (std::size_t a = depth; a < order.size(); ++a)
      if (!part.serves[order[a]] && product <= bit_range.high / sizes_[order[a]]) product *= sizes_[order[a]];
    return product;
  }

  void put_hierarchy(Json& json) {
    std::vector<std::size_t> order(dims_.size()), best, depths, best_depths;
    std::iota(order.begin(), order.end(), 0);
    std::size_t least = parts_.size() + 1;
    do {
      const auto shared = place(order, depths);
      if (shared >= least) continue;
      least = shared;
      best = order;
      best_depths = depths;
    } while (std::next_permutation(order.begin(), order.end()));

    auto& hierarchy = json["hierarchy"] = Json::array();
    for (std::size_t depth = 0; depth <= best.size(); ++depth) {
      for (std::size_t m = parts_.size(); m-- > 0;)
        if (best_depths[m] == depth) put_memory(hierarchy, parts_[m], best, depth);
      if (depth == best.size()) break;
      const std::size_t dim = best[depth];
      Json dims = "all";
      if (is_imc_ && dim == 0) dims = {"K"};
      if (is_imc_ && dim == 1) dims = {"C", "R", "S"};
      hierarchy.push_back({{"spatial", {{"name", dims_[dim]}, {"size", sizes_[dim]}, {"dims", dims}}}});
    }
  }

  void put_memory(Json& hierarchy, const Part& part, const std::vector<std::size_t>& order,
                  std::size_t depth) {
    const Int shared = lanes_of(part, order, depth);
    if (part.size > bit_range.high / shared || part.bandwidth > bit_range.high / shared) {
      reading_.fail(root_, fmt::format("memory '{}' and its instances hold more than 2^52 bits", part.name));
      return;
    }
    if (shared > 1)
      notes_.leave_out(
          part.path + ".served_dimensions",
          fmt::format("its {} instances along other dimensions are one memory here, with their size "
                      "and bandwidth together",
                      shared));
    Json operands = Json::array();
    for (const auto operand : all_operands)
      if (part.operands.contains(operand)) operands.push_back(std::string(1, letter(operand)));
    Json memory = {{"name", part.name},
                   {"operands", operands},
                   {"capacity", part.size * shared},
                   {"bandwidth", part.bandwidth * shared}};
    if (!part.is_array) memory["double_buffer"] = true;
    if (!part.read_energy.is_null()) memory["read_energy"] = part.read_energy;
    if (!part.write_energy.is_null()) memory["write_energy"] = part.write_energy;
    hierarchy.push_back({{"memory", memory}});
  }

  const Node& root_;
  Notes& notes_;
  Reading& reading_;
  std::vector<std::string> dims_;
  std::vector<Int> sizes_;
  bool is_imc_ = false;
  Json compute_;
  std::vector<Part> parts_;  // innermost first, as in the file
};

}  // namespace

Json read_zigzag_machine(const Node& root, Notes& notes, Reading& reading) {
  return ZigZagMachineReader(root, notes, reading).read();
}

}  // namespace nestor::io::neighbours
