#include "check/pim/nest.h"

namespace nestor::check::pim {
namespace {

// Returns the cycles of (3.4).
Int port_cycles(const Memory& memory, const Port& port, Int in, Int out) {
  if (port.read_bandwidth == 0 && port.write_bandwidth == 0) return ceiling(plus(in, out), memory.bandwidth);
  const Int read = port.read_bandwidth != 0 ? port.read_bandwidth : memory.bandwidth;
  const Int write = port.write_bandwidth != 0 ? port.write_bandwidth : memory.bandwidth;
  return plus(ceiling(in, read), ceiling(out, write));
}

}  // namespace

std::vector<Int> primes_of(Int number) {
  std::vector<Int> primes;
  for (Int prime = 2; number > 1; ++prime) {
    if (prime > number / prime) prime = number;
    if (number % prime != 0) continue;
    primes.push_back(prime);
    while (number % prime == 0) number /= prime;
  }
  return primes;
}

std::size_t LeftNumbers::count() const {
  std::size_t count = 1;
  for (const auto& bounds : divisors) count = times(count, bounds.size());
  return count;
}

std::size_t LeftNumbers::of(const Extents& left) const {
  std::size_t number = 0;
  for (std::size_t d = dim_count; d-- > 0;) {
    if (divisors[d].size() == 1) continue;
    const auto place =
        std::lower_bound(divisors[d].begin(), divisors[d].end(), left[d]) - divisors[d].begin();
    number = number * divisors[d].size() + static_cast<std::size_t>(place);
  }
  return number;
}

Extents LeftNumbers::left(std::size_t number) const {
  Extents left{};
  for (std::size_t d = 0; d < dim_count; number /= divisors[d++].size())
    left[d] = divisors[d][number % divisors[d].size()];
  return left;
}

PimLanes::PimLanes(const Layer& layer, const CheckedPimMachine& machine, const Spatial& spatial)
    : SpatialLanes(layer, machine, spatial) {
  if (layer.bounds[G] != 1) throw Unreadable("PIM machines have no dimension G");
  for (std::size_t d = 0; d < dim_count; ++d) numbers.divisors[d] = divisors_of(temporal[d]);
}

CheckedPimNest::CheckedPimNest(const CheckedPimProblem& asked, const PimLanes& below)
    : problem(asked), lanes(below) {
  std::array<Int, most_memories> whole{};
  for (const Operand x : operands)
    for (std::size_t c = 1; c <= innermost(x); ++c)
      whole[memory_at(x, c)] = plus(whole[memory_at(x, c)], bits_of(x, lanes.temporal, c, true));
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
    is_ample_[m] = whole[m] <= problem.machine.memories[m].capacity;
}

Extents CheckedPimNest::extents(const Extents& left, std::size_t memory) const {
  Extents tile = lanes.memories[memory].below;
  for (std::size_t d = 0; d < dim_count; ++d) tile[d] *= left[d];
  return tile;
}
Int CheckedPimNest::elements(Operand x, const Extents& left, std::size_t position) const {
  return problem.layer.elements(x, extents(left, memory_at(x, position)));
}

// Returns the bits of a block. `with_sums` means that the block of O contains partial sums.
Int CheckedPimNest::bits_of(Operand x, const Extents& left, std::size_t position, bool with_sums) const {
  const bool sums =
      with_sums || position == innermost(x) || lanes.memories[memory_at(x, position)].reduced_above;
  return times(elements(x, left, position),
               x == O && sums ? problem.layer.partial_sum : problem.layer.bits[x]);
}

Outside CheckedPimNest::outside(const Extents& left, Operand x) const {
  Outside outside;
  for (std::size_t d = 0; d < dim_count; ++d) {
    Int& product = is_relevant(d, x) ? outside.seen : outside.repeats;
    product = times(product, lanes.temporal[d] / left[d]);
  }
  return outside;
}

// Returns cycles and energy by (3.1), (3.2), (4.1) and (4.2).
PimTransfer CheckedPimNest::transfer(Operand x, const Extents& left, std::size_t from, std::size_t to,
                                     const Outside& outside) const {
  const auto& [layer, machine, claim] = problem;
  const Int width = x == O && outside.repeats > 1 ? layer.partial_sum : layer.bits[x];
  const Int all = times(outside.seen, outside.repeats);
  const Int in = x == O ? all - outside.seen : all;
  const Int out = x == O ? all : 0;
  const Memory& source = memory(x, from);
  const Memory& target = memory(x, to);
  const Int unique = times(elements(x, left, from), width);
  PimTransfer made{.in = times(in, unique), .out = times(out, unique)};
  if (claim.objective().follows_latency) made.cycles = port_cycles(source, port(x, from), made.in, made.out);
  if (claim.objective().per_energy == 0) return made;
  const auto& around = lanes.memories[memory_at(x, to)];
  const Int copied = x == O && around.reduced_above ? layer.partial_sum : width;
  const Wide there = times<Wide>(unique, lanes.memories[memory_at(x, from)].above);
  const Wide here = times<Wide>(elements(x, left, to), copied, around.above);
  made.given = times(there, plus(times<Wide>(in, source.read), times<Wide>(out, source.write)));
  made.energy =
      plus(made.given, times(here, plus(times<Wide>(in, target.write), times<Wide>(out, target.read))));
  return made;
}

// Returns cycles and energy by (3.3) and (4.3).
PimTransfer CheckedPimNest::served(Operand x) const {
  const std::size_t inner = innermost(x);
  const Memory& held = memory(x, inner);
  const Int bits = times(bits_of(x, ones, inner, true), lanes.steps);
  const Int out = x == O ? bits : 0;
  const Wide energy = times<Wide>(bits, lanes.memories[memory_at(x, inner)].above,
                                  x == O ? plus(held.read, held.write) : held.read);
  return {bits, out, port_cycles(held, port(x, inner), bits, out), energy, energy};
}

bool CheckedPimNest::counts_rows(Operand x) const {
  const Port& home = port(x, 0);
  const Objective& objective = problem.claim.objective();
  return home.row > 0 && ((objective.follows_latency && home.activation_cycles > 0) ||
                          (objective.per_energy != 0 && home.activation_energy > 0));
}

Walk CheckedPimNest::still(Operand x, const Extents& left, bool sums) const {
  const Layer& layer = problem.layer;
  const std::size_t home = memory_at(x, 0);
  return {.operand = x,
          .size = box_of(layer, x, extents(lanes.temporal, home)),
          .tile = box_of(layer, x, extents(left, home)),
          .loops = {},
          .row = port(x, 0).row / (x == O && sums ? layer.partial_sum : layer.bits[x]),
          .banks = port(x, 0).banks};
}

Walk CheckedPimNest::walk(const PimNode& node, Operand x) const {
  Walk walk = still(x, node.left, outside(node.left, x).repeats > 1);
  Extents inside = extents(node.left, memory_at(x, 0));
  for (std::size_t l = node.outside.size(); l-- > 0;) {
    const auto [dim, factor] = node.outside[l];
    const auto [coordinate, scale] = along(problem.layer, x, dim);
    walk.loops.push_back({coordinate, factor, times(inside[dim], scale)});
    inside[dim] = times(inside[dim], factor);
  }
  std::reverse(walk.loops.begin(), walk.loops.end());
  return walk;
}

Int CheckedPimNest::rows_at_least(const PimNode& node, Operand x) const {
  const Extents tensor = extents(lanes.temporal, memory_at(x, 0));
  const Int rows = ceiling(elements_read(problem.layer, x, tensor), port(x, 0).row / problem.layer.bits[x]);
  Int least = rows;
  Int parts = 1;
  Int repeats = 1;
  each_seen(node.outside, x, [&](std::size_t dim, Int count) {
    Int& product = dim == dim_count ? repeats : parts;
    product = times(product, count);
    if (dim == dim_count) least = std::max(least, times(repeats, rows - times(parts, port(x, 0).banks)));
  });
  return least;
}

PimNode CheckedPimNest::root() const {
  const auto& [layer, machine, claim] = problem;
  const Objective& objective = claim.objective();
  PimNode node;
  node.left = lanes.temporal;
  node.latency = plus(times(machine.mvm_cycles, lanes.steps), machine.reduction_latency);
  node.energy = least_cost(layer, machine).energy;
  for (const Operand x : operands) {
    const PimTransfer serving = served(x);
    take(node, memory_at(x, innermost(x)), serving.cycles);
    node.energy = plus(node.energy, serving.energy);
  }
  if (objective.per_energy == 0) node.energy = 0;
  if (!objective.follows_latency) node.latency = 0;
  return node;
}

// Adds cycles to the port of a memory by (3.6).
void CheckedPimNest::take(PimNode& node, std::size_t memory, Int cycles) const {
  if (!problem.claim.objective().follows_latency) return;
  const Port& port = problem.machine.ports[memory];
  if (port.is_shared) cycles = node.busy[memory] = plus(node.busy[memory], cycles);
  node.latency = std::max(node.latency, plus(cycles, port.access_latency));
}

std::optional<PimNode> CheckedPimNest::placed(const PimNode& node, const LoggedNest& named) const {
  if (!node.started && named.factor != 1) return std::nullopt;
  if (node.started && (named.factor < 2 || node.left[named.dim] % named.factor != 0)) return std::nullopt;
  PimNode next = node;
  next.left[named.dim] /= named.factor;
  bool is_left = false;
  for (const Int left : next.left) is_left = is_left || left > 1;
  bool is_inside = true;
  for (const Operand x : operands) {
    const Move& move = named.moves[x];
    if (move.moves &&
        (move.doubled || move.to <= node.at[x] || move.to > innermost(x) ||
         !problem.machine.may_pass(x, node.at[x], move.to) || (node.started && !is_relevant(named.dim, x))))
      return std::nullopt;
    is_inside = is_inside && (move.moves ? move.to : node.at[x]) == innermost(x);
  }
  if (!is_left && !is_inside) return std::nullopt;
  next.rest = is_left ? 2 : 1;
  next.started = true;
  if (!node.started) return next;
  next.outside.push_back({named.dim, named.factor});
  for (const Operand x : operands)
    if (node.at[x] != 0 && is_relevant(named.dim, x))
      next.sealed = std::max(next.sealed, static_cast<std::uint8_t>(memory_at(x, node.at[x])));
  if (is_reduction(named.dim)) {
    Int& taken = next.bits[memory_at(O, node.at[O])];
    taken = plus(taken, std::exchange(next.pending, 0));
  }
  return next;
}

std::optional<PimNode> CheckedPimNest::moved(const std::optional<PimNode>& now, const LoggedNest& named,
                                             const Rows& rows) const {
  if (!now) return now;
  const PimNode& before = *now;
  std::optional<PimNode> next = before;
  const bool is_even = problem.machine.is_even;
  for (const Operand x : operands) {
    if (!named.moves[x].moves) continue;
    const std::size_t from = before.at[x];
    const std::size_t to = named.moves[x].to;
    const std::size_t entered = memory_at(x, to);
    if (is_even && before.sealed != 0 && entered <= before.sealed) return std::nullopt;
    const auto out = outside(before.left, x);
    auto [read, written, cycles, energy, given] = transfer(x, before.left, from, to, out);
    if (leaves_dram(before, x)) {
      const Port& dram = port(x, 0);
      // Some rows do not affect the cost if their energy is free and their cycles do not raise the latency.
      // `rows` is given the largest such number, which is 0 for a shared port.
      const bool is_free = problem.claim.objective().per_energy == 0 || dram.activation_energy == 0;
      const Int idle = before.latency - dram.access_latency - cycles;
      const bool some = is_free && !dram.is_shared && idle > 0 && dram.activation_cycles > 0;
      const Int opened = rows(x, before, some ? idle / dram.activation_cycles : 0);
      cycles = plus(cycles, times(opened, dram.activation_cycles));
      if (problem.claim.objective().per_energy != 0) energy = plus(energy, opening(x, opened));
    }
    take(*next, memory_at(x, from), cycles);
    next->energy = plus(next->energy, energy);
    const Int least = bits_of(x, before.left, to, out.repeats > 1);
    next->bits[entered] = plus(next->bits[entered], least);
    if (x == O) next->pending = is_ample_[entered] ? 0 : bits_of(O, before.left, to, true) - least;
    next->at[x] = static_cast<std::uint8_t>(to);
    next->opened[x] = 0;
  }
  return next;
}

// Checks (4.3) of docs/models/cim.md.
bool CheckedPimNest::fits(const PimNode& node) const {
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
    if (node.bits[m] > problem.machine.memories[m].capacity) return false;
  return true;
}

// Clears figures that no longer matter. Bits matter in a memory that some operand can still fill and that
// cannot hold all whole operands. Cycles matter if an operand that shares the port must still leave. Outer
// loops matter while rows must still be opened.
void CheckedPimNest::forget_idle(PimNode& node) const {
  std::array<bool, most_memories> fills{};
  std::array<bool, most_memories> serves{};
  bool opens = false;
  for (const Operand x : operands) {
    opens = opens || leaves_dram(node, x);
    for (std::size_t c = node.at[x]; c <= innermost(x); ++c) {
      const std::size_t m = memory_at(x, c);
      fills[m] = fills[m] || (!is_ample_[m] && (c > node.at[x] || (x == O && node.pending > 0)));
      serves[m] = serves[m] || c != innermost(x);
    }
  }
  for (std::size_t m = 0; m < most_memories; ++m) {
    if (!fills[m]) node.bits[m] = 0;
    if (!serves[m]) node.busy[m] = 0;
  }
  if (!opens) node.outside.clear();
}

MappingCost cost_of(const CheckedPimProblem& problem, const CheckedPimMapping& mapping) {
  const auto& [layer, machine, claim] = problem;
  if (!axes_carry(mapping.spatial, machine) || !keeps_dims_once(mapping.spatial, machine))
    return {{}, "an axis cannot carry its factors"};
  const PimLanes lanes(layer, machine, mapping.spatial);
  const CheckedPimNest nest(problem, lanes);
  for (const Operand x : operands) {
    const auto size = nest.still(x, lanes.temporal, false).size;
    const auto allowed = layouts_for(machine, x, size);
    if (nest.port(x, 0).row > 0 &&
        std::find(allowed.begin(), allowed.end(), mapping.layouts[x]) == allowed.end())
      return {{}, "a layout is not allowed for its operand"};
  }
  std::optional<PimNode> node = nest.root();
  const auto rows = [&](Operand x, const PimNode& at, Int) {
    return rows_opened(nest.walk(at, x), mapping.layouts[x]);
  };
  for (const LoggedNest& logged : mapping.nests) {
    if (node) node = nest.moved(nest.placed(*node, logged), logged, rows);
    if (node && !nest.fits(*node)) return {{}, "its tiles do not fit into a memory"};
  }
  if (!node || node->rest != 1) return {{}, "its loops do not form the layer, or misplace a tile"};
  return {{node->latency, node->energy}, ""};
}

}  // namespace nestor::check::pim
