// Functions that read upmem systems, problems and mappings from the JSON of a result.
#include <algorithm>

#include "check/cnm/form.h"
#include "check/cnm/model.h"

namespace nestor::check::cnm {
namespace {

Int number(const Json& object, const char* key, Int least = 0) {
  return integer(member(object, key), least, key);
}
Fraction figure(const Json& object, const char* key) {
  const Fraction value(parse_decimal(member(object, key).dump()));
  if (value < Fraction(0)) throw Unreadable(std::string(key) + " is negative");
  return value;
}
Fraction per_gigabyte(const Json& host, const char* key) {
  const Fraction gigabytes = figure(host, key);
  return gigabytes == Fraction(0) ? Fraction(0) : Fraction(1000) / gigabytes;
}

TransferRate read_transfer(const Json& node) {
  const Fraction setup = figure(node, "setup"), per_byte = figure(node, "per_byte");
  TransferRate transfer;
  transfer.unit = times(setup.under, per_byte.under);
  transfer.setup = times(setup.over, per_byte.under);
  transfer.per_byte = times(per_byte.over, setup.under);
  transfer.back = static_cast<Int>(nearest(figure(node, "return")));
  return transfer;
}

}  // namespace

SlotCost read_slots(const Json& stated) {
  SlotCost cost;
  if (!stated.is_string()) {
    cost.base = integer(stated, 0, "slots");
    return cost;
  }
  const auto text = stated.get<std::string>();
  cost.is_barrier = text == "barrier";
  if (cost.is_barrier) return cost;
  std::istringstream terms(text);
  for (std::string term; terms >> term;) {
    Int& figure = term.starts_with("bytes/") ? cost.bytes_per_slot : cost.base;
    if (term.starts_with("bytes/")) term.erase(0, 6);
    if (term == "k") {
      cost.plus_k = true;
    } else if (term != "+") {
      if (term.empty() || term.size() > 9 || term.find_first_not_of("0123456789") != std::string::npos)
        throw NotChecked("it has slots of the form " + quoted(text));
      figure = plus(figure, Int{std::stoll(term)});
    }
  }
  return cost;
}

CnmMachine read_machine(const Json& node) {
  CnmMachine machine;
  machine.name = word_of(node, "name");
  check_form(node, machine_form, "the system");
  const Json& levels = node["levels"];
  for (std::size_t l = 0; l < 3; ++l) machine.levels[l] = number(levels[l], "size", 1);
  if (machine.levels[2] > 64) throw Unreadable("a DPU has too many tasklets");
  machine.gap = number(member(node, "pipeline"), "gap", 1);
  const Json &wram = member(node, "wram"), &iram = member(node, "iram"), &dma = member(node, "dma");
  machine.wram = number(wram, "capacity");
  machine.wram_reserved = number(wram, "reserved");
  machine.wram_stack = number(wram, "stack");
  machine.iram = number(iram, "capacity");
  machine.instruction = number(iram, "instruction", 1);
  machine.mram = number(member(node, "mram"), "capacity");
  if (dma.contains("ports")) machine.ports = number(dma, "ports");
  machine.least_bytes = number(dma, "min", 1);
  machine.most_bytes = number(dma, "max", 1);
  machine.align = number(dma, "align", 1);
  machine.read = read_transfer(member(dma, "read"));
  machine.write = read_transfer(member(dma, "write"));
  machine.refresh_every = number(member(dma, "refresh"), "every");
  machine.refresh_busy = number(member(dma, "refresh"), "busy");
  if (machine.refresh_every > 0 && machine.refresh_busy >= machine.refresh_every)
    throw Unreadable("its memory is always refreshed");
  if (node.contains("barrier"))
    for (const auto& [tasklets, cycles] : node["barrier"].items())
      machine.barrier[static_cast<Int>(parse_decimal(tasklets).in(1))] =
          Fraction(parse_decimal(cycles.dump()));
  const Json& engine = member(node, "engine");
  machine.alpha = figure(engine, "alpha");
  machine.k = number(engine, "k", 1);
  machine.k_max = number(engine, "k_max", 1);
  machine.whole = number(engine, "whole");
  const Json& host = member(node, "host");
  machine.cycle = Fraction(1'000'000) / figure(node, "clock_mhz");
  machine.launch = figure(host, "launch_ms") * Fraction(picoseconds_per_ms);
  machine.launch_per_tasklet = figure(host, "launch_ms_per_tasklet") * Fraction(picoseconds_per_ms);
  machine.reduce = figure(host, "reduce_ns") * Fraction(1000);
  machine.to_byte = per_gigabyte(host, "to_gbs");
  machine.from_byte = per_gigabyte(host, "from_gbs");
  if (node.contains("ops"))
    for (const auto& [op, by_type] : node["ops"].items())
      for (const auto& [type, slots] : by_type.items()) machine.slots[op + "." + type] = read_slots(slots);
  return machine;
}

namespace {

// Reads the growth limit of extents ("Map"): at most `pad_percent`, rounded down to whole elements.
void read_growth(const Json& result, CnmProblem& problem) {
  problem.least = problem.most = problem.kernel.extents;
  if (result.contains("asked_extents"))
    problem.least = read_tuple(result["asked_extents"], problem.kernel.dims(), 1);
  problem.most = problem.least;
  if (!result.contains("pad_percent")) return;
  const Fraction percent(parse_decimal(result["pad_percent"].dump()));
  if (percent < Fraction(0) || Fraction(100) < percent)
    throw Unreadable("its padding is not a percentage from 0 to 100");
  for (std::size_t d = 0; d < problem.most.size(); ++d) {
    const Fraction growth = Fraction(problem.least[d]) * percent / Fraction(100) + Fraction(1, 1'000'000'000);
    problem.most[d] = plus(problem.least[d], static_cast<Int>(growth.over / growth.under));
    if (problem.kernel.extents[d] < problem.least[d] || problem.kernel.extents[d] > problem.most[d])
      throw Unreadable("an extent of its kernel exceeds the allowed padding");
  }
  if (product(problem.most) > largest_extent) throw TooLarge();
}

}  // namespace

Tuple read_tuple(const Json& list, std::size_t dims, Int least) {
  if (!list.is_array() || list.size() != dims)
    throw Unreadable("a tuple does not have one number for each dim");
  Tuple tuple;
  for (const Json& each : list) tuple.push_back(integer(each, least, "a number of a tuple"));
  return tuple;
}

Int product(const Tuple& tuple) {
  Int all = 1;
  for (const Int each : tuple) all = times(all, each);
  return all;
}

Int Form::tasklet_count() const { return product(tasklets); }

bool operator<(const KernelMapping& a, const KernelMapping& b) {
  const auto key = [](const KernelMapping& m) {
    return std::tie(m.ranks, m.dpus, m.form.tasklets, m.form.local, m.form.block, m.form.order);
  };
  return key(a) < key(b);
}

Int TransferRate::busy(Int bytes) const {
  return static_cast<Int>(nearest({plus(setup, times(per_byte, Wide{bytes})), unit}));
}

Int CnmMachine::barrier_cycles(Int tasklets) const {
  if (barrier.empty()) return 0;
  const auto above = barrier.lower_bound(tasklets);
  if (above == barrier.end()) return static_cast<Int>(nearest(barrier.rbegin()->second));
  if (above->first == tasklets || above == barrier.begin()) return static_cast<Int>(nearest(above->second));
  const auto below = std::prev(above);
  const Fraction share(tasklets - below->first, above->first - below->first);
  return static_cast<Int>(nearest(below->second + share * (above->second - below->second)));
}

Int Index::reach(const Tuple& extents) const {
  Int last = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) last = plus(last, times(factors[d], extents[d] - 1));
  return plus(last, Int{1});
}

bool CnmOperand::uses(std::size_t dim) const {
  return std::any_of(map.begin(), map.end(), [dim](const Index& index) { return index.factors[dim] != 0; });
}

CnmProblem read_problem(const Json& result) {
  CnmProblem problem;
  problem.machine = read_machine(member(result, "architecture"));
  const Json& source = member(result, "source");
  if (word_of(source, "language") != "mlir") throw NotChecked("its kernel is not in MLIR");
  problem.kernel = read_kernel(word_of(source, "text"), problem.machine, number(source, "multiply_k"));
  require_provable(problem.kernel);
  if (product(problem.kernel.extents) > largest_extent) throw TooLarge();
  read_growth(result, problem);
  return problem;
}

KernelMapping read_mapping(const Json& map, const CnmProblem& problem) {
  const Tuple& extents = problem.kernel.extents;
  const std::size_t dims = extents.size();
  const Json& tuples = list_of(map, "tuples", 4);
  if (tuples.size() != 4 || map.contains("collect")) throw Unreadable("a mapping is not in the space");
  KernelMapping mapping;
  mapping.ranks = read_tuple(tuples[0], dims, 1);
  mapping.dpus = read_tuple(tuples[1], dims, 1);
  mapping.form.tasklets = read_tuple(tuples[2], dims, 1);
  mapping.form.local = read_tuple(tuples[3], dims, 1);
  mapping.form.block = read_tuple(member(map, "block"), dims, 1);
  mapping.form.order = read_tuple(member(map, "order"), dims, 0);
  return mapping;
}

}  // namespace nestor::check::cnm
