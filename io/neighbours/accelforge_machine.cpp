// Reader of AccelForge's architectures: nodes from the outermost memory to the compute units, in SI units. A
// cycle is the time of one computation. Expressions over sets of tensors specify the tensors that a memory
// stores and the loops that a fanout can unroll.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/arithmetic.h"
#include "io/neighbours/equation.h"
#include "io/neighbours/numbers.h"
#include "io/neighbours/readers.h"
#include "model/loopnest/dims.h"

namespace nestor::io::neighbours {
namespace {

constexpr std::array<std::string_view, 4> known_accelforge_top = {"arch", "workload", "renames", "mapping"};
constexpr std::array<std::string_view, 1> known_arch = {"nodes"};
constexpr std::array<std::string_view, 10> known_accelforge_node = {
    "name", "size",    "tensors", "actions",         "leak_power",
    "area", "spatial", "nodes",   "bits_per_action", "total_latency"};
constexpr std::array<std::string_view, 5> known_action = {"name", "energy", "latency", "throughput",
                                                          "bits_per_action"};
constexpr auto every_operand = OperandSet::of(Operand::I, Operand::W, Operand::O);

OperandSet without(OperandSet set, OperandSet other) {
  for (const Operand operand : all_operands)
    if (other.contains(operand)) set.erase(operand);
  return set;
}
OperandSet both(OperandSet set, OperandSet other) { return without(set, without(every_operand, other)); }
OperandSet either(OperandSet set, OperandSet other) {
  for (const Operand operand : all_operands)
    if (other.contains(operand)) set.insert(operand);
  return set;
}

// Returns the operand that is reused by loops over a dimension, because the dimension is irrelevant to it.
std::optional<Operand> reused(Dim dim) {
  switch (dim) {
    case Dim::K:
      return Operand::I;
    case Dim::C:
    case Dim::R:
    case Dim::S:
      return Operand::O;
    case Dim::G:
      return std::nullopt;
    default:
      return Operand::W;
  }
}

class AccelForgeMachineReader {
 public:
  AccelForgeMachineReader(Notes& notes, Reading& reading) : notes_(notes), reading_(reading) {}

  Json read(const Node& root) {
    notes_.leave_out_others(root, "", known_accelforge_top);
    const Node arch = *root.find("arch");
    const auto nodes = require(arch, "nodes", "arch", reading_);
    if (!nodes) return {};
    notes_.leave_out_others(arch, "arch", known_arch);
    find_compute(*nodes);
    if (!compute_ && !reading_.failed()) reading_.fail(*nodes, "no !Compute node");
    if (reading_.failed()) return {};
    read_compute();
    read_nodes(*nodes);
    if (reading_.failed()) return {};
    Json json = {{"name", name_after(root)},
                 {"source", "read from an AccelForge architecture"},
                 {"hierarchy", hierarchy_},
                 {"compute", computing_}};
    if (leakage_ > 0) json["leakage"] = leakage_;
    if (const double hertz = std::round(1 / period_); has_period_ && hertz >= 1 && hertz < 1e15)
      json["clock"] = static_cast<Int>(hertz);
    return json;
  }

 private:
  void find_compute(const Node& nodes) {
    for (const Node& node : read_list(nodes, "nodes", 1, most_nodes, reading_)) {
      if (node.tag() == "!Compute") {
        if (compute_) notes_.leave_out(name_of(*compute_), "only the last of several compute units is used");
        compute_ = node;
      }
      if (node.tag() == "!Hierarchical")
        if (const auto inner = node.find("nodes")) find_compute(*inner);
    }
  }
  bool is_compute(const Node& node) const {
    const auto here = node.where(), there = compute_->where();
    return here.line == there.line && here.column == there.column;
  }
  static std::string name_of(const Node& node) {
    const auto name = node.find("name");
    const auto shown = quote(name ? name->text() : "?");
    return shown.substr(1, shown.size() - 2);
  }

  std::optional<Node> action(const Node& node, std::string_view wanted) {
    const auto list = node.find("actions");
    if (!list) return std::nullopt;
    for (const Node& item : read_list(*list, "actions", 0, 16, reading_)) {
      notes_.leave_out_others(item, name_of(node) + ".actions.*", known_action);
      if (const auto name = item.find("name"); name && name->text() == wanted) return item;
    }
    return std::nullopt;
  }
  // Returns the duration of a read, write or compute action in seconds. A total_latency of the node (an
  // expression over the counts and latencies of actions) is evaluated for one action, and replaces the
  // duration that the action itself specifies.
  double seconds(const Node& node, std::string_view kind, const std::optional<Node>& action) {
    const double own = seconds(action);
    const auto total = node.find("total_latency");
    if (!total) return own;
    const auto value_at = [&](double count) {
      std::array<std::string, 6> names;
      std::vector<NamedValue> values;
      for (const std::string_view each : {"read", "write", "compute"}) {
        const double here = each == kind ? count : 0;
        names[values.size()] = fmt::format("{}_actions", each);
        values.emplace_back(names[values.size()], here);
        names[values.size()] = fmt::format("{}_latency", each);
        values.emplace_back(names[values.size()], here * own);
      }
      return evaluate(total->text(), values);
    };
    if (const auto once = value_at(1); value_at(0) == 0.0 && once && *once >= 0) return *once;
    notes_.leave_out(name_of(node) + ".total_latency",
                     "no arithmetic with the counts and latencies of actions");
    return own;
  }
  // Returns the duration of an action in seconds, from its own keys; a throughput is in actions per second.
  double seconds(const std::optional<Node>& action) {
    if (!action) return 0;
    if (const auto throughput = action->find("throughput")) {
      if (const auto latency = action->find("latency"); latency && latency->text() != "0")
        notes_.leave_out("actions.*.latency", "the throughput is used instead");
      const double rate = read_expression(*throughput, "throughput", 0, reading_);
      if (rate <= 0 && !reading_.failed()) reading_.fail(*throughput, "throughput is 0, expected more");
      return 1 / rate;
    }
    const auto latency = action->find("latency");
    return latency ? read_expression(*latency, "latency", 0, reading_) : 0;
  }
  // Returns the energy of an action in pJ, or nothing if it would come from a component model.
  std::optional<double> picojoules(const std::optional<Node>& action) {
    const auto energy = action ? action->find("energy") : std::nullopt;
    if (!energy) return std::nullopt;
    const double joules = read_expression(*energy, "energy", 0, reading_);
    if (joules * 1e12 <= 1e15) return joules * 1e12;
    reading_.fail(*energy, fmt::format("energy is {} J, expected at most 1000", energy->describe()));
    return 0;
  }

  void read_compute() {
    const auto compute = action(*compute_, "compute");
    const double time = seconds(*compute_, "compute", compute);
    if (time > 0 && std::isfinite(time)) period_ = time;
    has_period_ = period_ == time;
    computing_["mvm_cycles"] = 1;
    const auto energy = picojoules(compute);
    if (energy && *energy > 0) computing_["mac_energy"] = *energy;
    if (!energy) notes_.leave_out(name_of(*compute_), "its energy comes from a component model; 0 here");
    if (const auto area = square_millimetres(*compute_)) computing_["area"] = *area;
  }

  std::optional<double> square_millimetres(const Node& node) {
    const auto area = node.find("area");
    if (!area) return std::nullopt;
    const double value = read_expression(*area, "area", 0, reading_) * 1e6;
    if (value <= 1e9) return value;
    reading_.fail(*area, fmt::format("area is {} m^2, expected at most 1000", area->describe()));
    return std::nullopt;
  }

  void read_nodes(const Node& nodes) {
    for (const Node& node : read_list(nodes, "nodes", 1, most_nodes, reading_)) {
      if (reading_.failed()) return;
      const auto tag = node.tag();
      if (tag == "!Hierarchical") {
        if (const auto inner = require(node, "nodes", tag, reading_)) read_nodes(*inner);
        continue;
      }
      if (tag != "!Memory" && tag != "!Compute" && tag != "!Container" && tag != "!Fanout" &&
          tag != "!Toll") {
        reading_.fail(node, fmt::format("node {}, expected !Memory, !Container, !Fanout, !Toll or !Compute",
                                        tag.empty() ? "without a tag" : quote(tag)));
        return;
      }
      if (tag == "!Compute" && !is_compute(node)) continue;
      const auto given = require(node, "name", "node", reading_);
      if (!given) return;
      const auto name = read_name(*given, "name", reading_);
      notes_.leave_out_others(node, name, known_accelforge_node);
      if (const auto spatial = node.find("spatial")) read_axes(*spatial, name);
      if (const auto power = node.find("leak_power"))
        leakage_ += read_expression(*power, "leak_power", 0, reading_) * period_ * 1e12 * instances_;
      if (!(leakage_ <= 1e15)) reading_.fail(node, "leakage is more than 1e15 pJ per cycle");
      if (tag == "!Toll") notes_.leave_out(name, "a toll: transfers through it cost nothing here");
      if (tag == "!Memory") read_memory(node, name);
    }
  }

  void read_axes(const Node& spatial, const std::string& name) {
    constexpr std::array<std::string_view, 4> known = {"name", "fanout", "may_reuse", "reuse"};
    for (const Node& item : read_list(spatial, "spatial", 0, 8, reading_)) {
      const auto own = require(item, "name", "spatial", reading_);
      const auto fanout = require(item, "fanout", "spatial", reading_);
      if (!own || !fanout) return;
      notes_.leave_out_others(item, name + ".spatial.*", known);
      const Int size = read_whole(*fanout, "fanout", lane_range, reading_);
      instances_ *= static_cast<double>(size);
      const auto may = item.find("may_reuse"), must = item.find("reuse");
      const OperandSet allowed = may ? set_of(*may) : every_operand,
                       wanted = must ? set_of(*must) : OperandSet();
      Json dims = Json::array();
      for (const Dim dim : group_dims) {
        const auto operand = *reused(dim);
        if (allowed.contains(operand) && without(wanted, OperandSet::of(operand)).empty())
          dims.push_back(std::string(1, letter(dim)));
      }
      if (size == 1) continue;
      if (dims.empty()) {
        // A fanout without any reuse distributes groups, the dimension that is relevant to every tensor.
        dims.push_back("G");
        if (!wanted.empty())
          reading_.fail(item, "no loop of a layer is irrelevant to all tensors of 'reuse'");
      }
      hierarchy_.push_back(
          {{"spatial", {{"name", fmt::format("{}.{}", name, own->text())}, {"size", size}, {"dims", dims}}}});
    }
  }

  void read_memory(const Node& node, const std::string& name) {
    Json memory = {{"name", name}};
    const auto size = require(node, "size", "memory", reading_);
    if (!size) return;
    const OperandSet kept = operands_of(node, name);
    kept_[name] = kept;
    if (kept.empty()) {
      notes_.leave_out(name, "it keeps none of the tensors of a single layer");
      return;
    }
    Json operands = Json::array();
    for (const Operand operand : all_operands)
      if (kept.contains(operand)) operands.push_back(std::string(1, letter(operand)));
    memory["operands"] = operands;
    if (!evaluate(size->text()) && size->is_scalar())
      reading_.fail(*size,
                    fmt::format("size is {}, expected a number or arithmetic of numbers: give one with "
                                "--set, as in --set arch.nodes.{}.size=8",
                                size->describe(), name));
    if (std::isfinite(read_expression(*size, "size", 0, reading_)))
      memory["capacity"] = read_whole(*size, "size", bit_range, reading_);
    const auto read = action(node, "read"), write = action(node, "write");
    memory["bandwidth"] = std::min(bandwidth(node, name, "read"), bandwidth(node, name, "write"));
    memory["double_buffer"] = true;
    const auto put_energy = [&](std::string_view key, const std::optional<Node>& of) {
      const auto energy = picojoules(of);
      if (energy && *energy > 0) memory[std::string(key)] = *energy / bits_per_action(node, of);
      if (!energy) notes_.leave_out(name, "its energy comes from a component model; 0 here");
    };
    put_energy("read_energy", read);
    put_energy("write_energy", write);
    if (const auto area = square_millimetres(node)) memory["area"] = *area;
    hierarchy_.push_back({{"memory", memory}});
  }

  double bits_per_action(const Node& node, const std::optional<Node>& action) {
    auto count = action ? action->find("bits_per_action") : std::nullopt;
    if (!count) count = node.find("bits_per_action");
    return count ? static_cast<double>(read_whole(*count, "bits_per_action", {1, Int{1} << 31}, reading_))
                 : 1;
  }

  Int bandwidth(const Node& node, const std::string& name, std::string_view kind) {
    const auto access = action(node, kind);
    const double time = seconds(node, kind, access) / bits_per_action(node, access);
    if (time == 0 || reading_.failed()) {
      notes_.leave_out(
          name,
          "reads or writes have no time: a transfer takes one cycle, or the time of the other direction");
      return no_limit;
    }
    if (!has_period_) {
      reading_.fail(
          node, fmt::format("'{}' takes time, but the compute unit takes none: a cycle has no length", name));
      return no_limit;
    }
    const double rate = period_ / time * (1 + 1e-9);
    if (rate < 1) {
      reading_.fail(node, fmt::format("'{}' moves less than one bit in a cycle of {:.3g} s", name, period_));
      return no_limit;
    }
    const double whole = std::floor(rate);
    if (rate - whole > 1e-6 * whole)
      notes_.leave_out(name, fmt::format("{:.6g} bits per cycle; {:.0f} here", rate, whole));
    return whole >= static_cast<double>(no_limit) ? no_limit : static_cast<Int>(whole);
  }

  OperandSet operands_of(const Node& node, const std::string& name) {
    const auto tensors = node.find("tensors");
    if (!tensors) return every_operand;
    constexpr std::array<std::string_view, 2> known = {"keep", "may_keep"};
    notes_.leave_out_others(*tensors, name + ".tensors", known);
    const auto keep = tensors->find("keep"), may = tensors->find("may_keep");
    if (keep) notes_.leave_out(name + ".tensors.keep", "the mapper decides which of these it holds");
    if (!keep && !may) return every_operand;
    return either(keep ? set_of(*keep) : OperandSet(), may ? set_of(*may) : OperandSet());
  }

  // Reads a set of operands such as "input | ~MainMemory & All".
  OperandSet set_of(const Node& node) {
    Scanner scanner(node.text());
    const auto set = node.is_scalar() ? sum(scanner, 0) : std::nullopt;
    if (set && scanner.at_end()) return *set;
    reading_.fail(node,
                  fmt::format("set {}, expected All, Nothing, input, weight, output or memories with ~ & | -",
                              node.describe()));
    return {};
  }
  std::optional<OperandSet> sum(Scanner& scanner, int depth) {
    auto set = product(scanner, depth);
    while (set) {
      const bool adds = scanner.accept("|");
      if (!adds && !scanner.accept("-")) break;
      const auto next = product(scanner, depth);
      if (!next) return next;
      set = adds ? either(*set, *next) : without(*set, *next);
    }
    return set;
  }
  std::optional<OperandSet> product(Scanner& scanner, int depth) {
    auto set = primary(scanner, depth);
    while (set && scanner.accept("&")) {
      const auto next = primary(scanner, depth);
      if (!next) return next;
      set = both(*set, *next);
    }
    return set;
  }
  std::optional<OperandSet> primary(Scanner& scanner, int depth) {
    if (depth > 32) return std::nullopt;
    if (scanner.accept("~")) {
      const auto set = primary(scanner, depth + 1);
      return set ? std::optional(without(every_operand, *set)) : set;
    }
    if (scanner.accept("(")) {
      const auto set = sum(scanner, depth + 1);
      return set && scanner.accept(")") ? set : std::nullopt;
    }
    const auto word = scanner.word();
    if (const auto memory = kept_.find(word); memory != kept_.end()) {
      scanner.accept(".tensors");
      return memory->second;
    }
    if (word == "All") return every_operand;
    if (word == "Nothing" || word == "Intermediates") return OperandSet();
    if (word == "input") return OperandSet::of(Operand::I);
    if (word == "weight") return OperandSet::of(Operand::W);
    if (word == "output" || word == "Outputs") return OperandSet::of(Operand::O);
    if (word == "Inputs") return OperandSet::of(Operand::I, Operand::W);
    return std::nullopt;
  }

  Notes& notes_;
  Reading& reading_;
  std::optional<Node> compute_;
  Json hierarchy_ = Json::array(), computing_;
  std::map<std::string, OperandSet> kept_;
  double period_ = 1e-9;  // length of a cycle in seconds
  bool has_period_ = false;
  double leakage_ = 0, instances_ = 1;
};

}  // namespace

Json read_accelforge_machine(const Node& root, Notes& notes, Reading& reading) {
  return AccelForgeMachineReader(notes, reading).read(root);
}

}  // namespace nestor::io::neighbours
