#include "check/cim/rules.h"

namespace nestor::check {
namespace {

Int no_more_than_2_60(Int number) {
  if (number > Int{1} << 60) throw TooLarge();
  return number;
}

// Returns one way (CimLanes::Way) from a divisor to each of its larger multiples in the list. A way is prime
// if its factor is prime.
std::vector<CimLanes::Way> ways_up(const std::vector<Int>& divisors, std::size_t from) {
  std::vector<CimLanes::Way> ways;
  for (std::size_t to = from + 1; to < divisors.size(); ++to) {
    if (divisors[to] % divisors[from] != 0) continue;
    const Int factor = divisors[to] / divisors[from];
    const bool is_prime = std::none_of(
        ways.begin(), ways.end(), [&](const auto& way) { return way.is_prime && factor % way.factor == 0; });
    ways.push_back({to, factor, is_prime});
  }
  return ways;
}

}  // namespace

CimLanes::CimLanes(const Layer& layer, const Machine& machine, const Spatial& spatial)
    : SpatialLanes(layer, machine, spatial),
      mirrors(is_symmetric(layer, machine) && mirror(spatial) == spatial) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    divisors[d] = divisors_of(temporal[d]);
    for (std::size_t i = 0; i < divisors[d].size(); ++i) ways[d].push_back(ways_up(divisors[d], i));
  }
  // Every step reads the inputs, and reads and writes the partial sums, in every instance of the innermost
  // memories. W stays in the array: docs/models/cim.md (7.5), with the compute energy of (7.6).
  energy = least_cost(layer, machine).energy;
  for (const Operand x : {I, O}) {
    const std::size_t m = machine.chains[x].back();
    const Memory& memory = machine.memories[m];
    const Int elements = layer.elements(x, memories[m].below);
    const Int each = times(elements, x == I ? layer.bits[I] : layer.partial_sum, memories[m].above, steps);
    served[x] = times(x == I ? memory.read : plus(memory.read, memory.write), each);
    energy = plus(energy, served[x]);
  }
}

CimNest::CimNest(const CheckedCimProblem& asked, const CimLanes& below) : problem(asked), lanes(below) {
  std::array<Int, most_memories> whole{};  // bits of all operands at their greatest width
  for (const Operand x : operands)
    for (std::size_t c = 1; c < problem.machine.chains[x].size(); ++c)
      whole[memory_at(x, c)] = plus(whole[memory_at(x, c)], bits_of(x, lanes.temporal, c, false));
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m) {
    const Int capacity = problem.machine.memories[m].capacity;
    is_ample_[m] = times(whole[m], 2) <= capacity;
    most_gain = plus(most_gain, times(static_cast<Wide>(m), std::min(whole[m], capacity)));
  }
}

Extents CimNest::content_of(const Node& node) const {
  Extents content{};
  for (std::size_t d = 0; d < dim_count; ++d) content[d] = lanes.divisors[d][node.placed[d]];
  return content;
}

Int CimNest::elements(Operand operand, const Extents& content, std::size_t memory) const {
  Extents tile = lanes.memories[memory].below;
  for (std::size_t d = 0; d < dim_count; ++d) tile[d] *= content[d];
  return problem.layer.elements(operand, tile);
}

// Returns the bits by (4.1) and (4.2). Partial sums have their full width where additions remain: in the
// innermost memory, under an axis that reduces, and in a block if a reduction loop is in it or outside it.
Int CimNest::bits_of(Operand operand, const Extents& content, std::size_t position, bool complete) const {
  const std::size_t memory = memory_at(operand, position);
  const bool open =
      position + 1 == problem.machine.chains[O].size() || lanes.memories[memory].reduced_above || !complete;
  return times(elements(operand, content, memory),
               operand == O && open ? problem.layer.partial_sum : problem.layer.bits[operand]);
}

// Returns the cycles of a transfer by (5.1) and (5.2).
Int CimNest::cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const {
  const std::size_t source = memory_at(operand, to);
  if (untimed[source][operand]) return 0;
  const Int width = operand == O && !complete ? problem.layer.partial_sum : problem.layer.bits[operand];
  return no_more_than_2_60(
      ceiling(times(elements(operand, content, source), width), problem.machine.memories[source].bandwidth));
}

// Returns bits and energies by (7.1) to (7.4). Energies cover all lanes. Lanes above the outer memory make
// equal transfers, and lanes between the memories have copies or parts of the tile.
Traffic CimNest::traffic(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count,
                         Int back, bool complete) const {
  const std::size_t inner = memory_at(operand, from);
  const std::size_t outer = memory_at(operand, to);
  const auto& [layer, machine, claim] = problem;
  const Memory& source = machine.memories[outer];
  const Memory& target = machine.memories[inner];
  const Int width = operand == O && !complete ? layer.partial_sum : layer.bits[operand];
  const Int copied = operand == O && lanes.memories[inner].reduced_above ? layer.partial_sum : width;
  const Int unique = times(elements(operand, content, outer), width);
  const Wide there = times<Wide>(unique, lanes.memories[outer].above);
  const Wide here = times<Wide>(elements(operand, content, inner), copied, lanes.memories[inner].above);
  const Int in = operand == O ? back : count;
  const Int out = operand == O ? count : 0;
  return {times(unique, in), times(unique, out),
          times(there, plus(times<Wide>(source.read, in), times<Wide>(source.write, out))),
          times(here, plus(times<Wide>(target.write, in), times<Wide>(target.read, out)))};
}

// Returns 0 if the objective contains no energy.
Wide CimNest::price(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count,
                    Int back, bool complete, bool entered_complete) const {
  if (problem.claim.objective().counts_sizes)
    return -times(static_cast<Wide>(memory_at(operand, from)),
                  bits_of(operand, content, from, entered_complete));
  if (problem.claim.objective().per_energy == 0) return 0;
  const auto [read, written, given, taken] = traffic(operand, content, from, to, count, back, complete);
  return plus(given, taken);
}

bool CimNest::may_transfer(const Node& node, Operand operand) const {
  if (node.at[operand] == 0) return false;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, operand) && remaining(node, d) != 1) return true;
  return false;
}

Node CimNest::root() const {
  Node node;
  for (const Operand x : operands)
    node.at[x] = static_cast<std::uint8_t>(problem.machine.chains[x].size() - 1);
  node.rest = lanes.steps;
  node.m = problem.machine.mvm_cycles;
  node.p.fill(node.m);
  if (!problem.claim.objective().counts_sizes) node.energy = lanes.energy;
  return node;
}

std::vector<OperandStep> CimNest::steps(const Node& node, Operand operand) const {
  const Objective& objective = problem.claim.objective();
  const std::size_t from = node.at[operand];
  std::vector<OperandStep> all = {{.move = {}, .contender = node.p[operand]}};
  const Extents content = content_of(node);
  const bool complete = has_all_reductions(node);
  Int distinct = 1;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, operand)) distinct = times(distinct, remaining(node, d));
  const Int back = operand == O && !complete ? node.rest - distinct : 0;
  for (std::size_t to = 0; to < from; ++to) {
    if (!problem.machine.may_pass(operand, from, to)) continue;
    OperandStep step{.move = {true, false, static_cast<std::uint8_t>(to)}};
    step.cycles = cycles(operand, content, to, complete);
    const Int returned = objective.miredo ? 0 : ceiling(times(step.cycles, back), node.rest);
    const Int moved = plus(step.cycles, returned);
    step.bits = bits_of(operand, content, from, node.entered_complete);
    step.energy = price(operand, content, from, to, node.rest, back, complete, node.entered_complete);
    step.contender = plus(moved, node.p[operand]);
    all.push_back(step);
    // A second buffer can only save cycles.
    if (!memory(operand, from).double_buffer || !objective.follows_latency) continue;
    step.move.doubled = true;
    step.contender = std::max(moved, node.p[operand]);
    all.push_back(step);
  }
  return all;
}

// Adds a loop of n iterations: (6.2), (6.3) or (6b.2), and (6.4).
void CimNest::recur(Node& node, Int n, const Steps& steps) const {
  const Int period = std::max({node.m, steps[I].contender, steps[W].contender, steps[O].contender});
  const Int loops = no_more_than_2_60(times(period, n));  // sums of a few such numbers fit in Int
  for (const Operand x : {I, W}) {
    Int& p = node.p[x];
    const Int t = steps[x].cycles;
    if (!steps[x].move.moves)
      p = loops - period + p;
    else if (!steps[x].move.doubled)
      p = loops - 2 * period + 2 * t + p;
    else
      p = std::max(loops - 3 * period + 2 * t + std::max(t, p), times(t, n));
    node.first[x] = plus(node.first[x], t);
  }
  Int& p = node.p[O];
  const Int t = steps[O].cycles;
  const bool doubled = steps[O].move.doubled;
  if (!steps[O].move.moves)
    p = loops - period + p;
  else if (problem.claim.objective().miredo)
    p = doubled ? loops - 2 * period + t + std::max(t, period) + std::max(t, p) : loops - period + 2 * t + p;
  else
    p = loops - period + (doubled ? std::max(t, p) : steps[O].contender);
  node.steady = plus(node.steady, loops - period, t);
  node.m = std::max({loops, node.p[I], node.p[W], node.p[O]});
}

Node CimNest::after(const Node& node, std::size_t dim, const CimLanes::Way& way, const Steps& steps) const {
  Node next = node;
  for (const Operand x : operands) {
    const Move& move = steps[x].move;
    if (!move.moves) continue;
    Int& departed = next.departed[memory_at(x, node.at[x])];
    departed = plus(departed, times(steps[x].bits, move.doubled ? 2 : 1));
    next.at[x] = move.to;
    next.energy = plus(next.energy, steps[x].energy);
    if (x == O) next.entered_complete = has_all_reductions(node);
  }
  const Objective& objective = problem.claim.objective();
  if (objective.follows_latency) recur(next, way.factor, steps);
  next.placed[dim] = static_cast<std::uint16_t>(way.to);
  next.rest = node.rest / way.factor;
  // P of an operand without further transfers does not exceed M under stall, so it no longer matters. Under
  // miredo, it grows like P of the other such operands, so the latest one represents them all.
  Int latest = 0;
  for (const Operand x : operands)
    if (!may_transfer(next, x)) latest = std::max(latest, next.p[x]);
  for (const Operand x : operands)
    if (!may_transfer(next, x)) next.p[x] = objective.miredo ? latest : 0;
  return next;
}

std::optional<Node> CimNest::after(const Node& node, const LoggedNest& named) const {
  const auto& ways = lanes.ways[named.dim][node.placed[named.dim]];
  const auto way = std::find_if(ways.begin(), ways.end(), [&](auto& w) { return w.factor == named.factor; });
  if (way == ways.end()) return std::nullopt;
  Steps taken;
  for (const Operand x : operands) {
    const auto all = steps(node, x);
    const auto step = std::find_if(all.begin(), all.end(), [&](auto& s) { return s.move == named.moves[x]; });
    if (step == all.end() || (step->move.moves && !is_relevant(named.dim, x))) return std::nullopt;
    taken[x] = *step;
  }
  return after(node, named.dim, *way, taken);
}

bool CimNest::may_end(const Node& node) const {
  return std::all_of(operands.begin(), operands.end(),
                     [&](Operand x) { return problem.machine.may_pass(x, node.at[x], 0); });
}

// Checks the capacities by (4.3).
bool CimNest::fits(const Node& node) const {
  const Extents content = content_of(node);
  auto bits = node.departed;
  for (const Operand x : operands) {
    Int& all = bits[memory_at(x, node.at[x])];
    if (node.at[x] != 0) all = plus(all, bits_of(x, content, node.at[x], node.entered_complete));
  }
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
    if (bits[m] > problem.machine.memories[m].capacity) return false;
  return true;
}

// Bits in a memory no longer matter if no operand can fill it any further, or if it can hold two buffers of
// every operand as a whole.
void CimNest::forget_idle(Node& node) const {
  std::array<bool, most_memories> binding{};
  for (const Operand x : operands)
    for (std::size_t position = 1; position <= node.at[x]; ++position)
      if (const std::size_t m = memory_at(x, position); !is_ample_[m]) binding[m] = true;
  for (std::size_t m = 0; m < most_memories; ++m)
    if (!binding[m]) node.departed[m] = 0;
}

// Blocks that are not at home when all loops are placed are filled or drained once: (6.5) and (6b.3).
Cost CimNest::cost(const Node& node) const {
  const Objective& objective = problem.claim.objective();
  const Extents content = content_of(node);
  Cost cost{.energy = node.energy};
  std::array<Int, 3> once{};
  for (const Operand x : operands) {
    if (node.at[x] == 0) continue;
    once[x] = cycles(x, content, 0, true);
    cost.energy = plus(cost.energy, price(x, content, node.at[x], 0, 1, 0, true, node.entered_complete));
  }
  if (!objective.follows_latency) return cost;
  const auto& [p, first] = std::tie(node.p, node.first);
  if (objective.miredo)
    cost.latency = plus(std::max({p[I], p[W], p[O]}), std::max(once[I], once[W]), once[O]);
  else
    cost.latency = plus(node.steady, std::max(plus(first[I], once[I]), plus(first[W], once[W])), once[O],
                        problem.machine.mvm_cycles);
  return cost;
}

CimMapping read_mapping(const Json& node, const Machine& machine) {
  check_form(node, cim_mapping_form, "a mapping");
  CimMapping mapping{{read_spatial(node, machine), {}}, {}};
  for (const Json& pair : node.value("double_buffer", Json::array())) {
    bool& doubled = mapping.doubled[memory_named(machine, text_of(pair, "memory"))]
                                   [place_of(text_of(pair, "operand"), operand_letters)];
    if (doubled) throw Unreadable("a mapping lists a double-buffered pair twice");
    doubled = true;
  }
  std::array<std::size_t, 3> at{};
  for (const Operand x : operands) at[x] = machine.chains[x].size() - 1;
  const Json& loops = member(node, "temporal");
  for (std::size_t l = loops.size(); l-- > 0;) {  // in a mapping, the outermost loop is first
    LoggedNest nest{.parent = static_cast<std::uint32_t>(mapping.nests.size())};
    nest.dim = static_cast<std::uint8_t>(place_of(text_of(loops.at(l), "dim"), dim_letters));
    nest.factor = integer_of(member(loops.at(l), "factor"), "factor");
    for (const Operand x : operands) {
      const auto to = position_of(member(loops.at(l), "at"), x, machine);
      if (to == at[x]) continue;
      nest.moves[x] = {true, mapping.doubled[machine.chains[x][at[x]]][x], static_cast<std::uint8_t>(to)};
      at[x] = std::min(to, machine.chains[x].size() - 1);
    }
    mapping.nests.push_back(nest);
  }
  return mapping;
}

MappingCost cost_of(const CheckedCimProblem& problem, const CimMapping& mapping) {
  if (!axes_carry(mapping.spatial, problem.machine)) return {{}, "an axis cannot carry its factors"};
  const CimLanes lanes(problem.layer, problem.machine, mapping.spatial);
  const CimNest nest(problem, lanes);
  std::optional<Node> placed = nest.root();
  for (const LoggedNest& logged : mapping.nests)
    if (placed) placed = nest.after(*placed, logged);
  if (!placed || placed->rest != 1) return {{}, "its loops do not form the layer, or misplace a tile"};
  Node& node = *placed;
  MappingCost cost{nest.cost(node), ""};
  // A second buffer of a block that is filled or drained once takes space and saves nothing.
  for (const Operand x : operands) {
    const std::size_t memory = problem.machine.chains[x][node.at[x]];
    Int& departed = node.departed[memory];
    if (node.at[x] != 0 && mapping.doubled[memory][x])
      departed = plus(departed, nest.bits_of(x, nest.content_of(node), node.at[x], node.entered_complete));
  }
  if (!nest.fits(node)) cost.fault = "its tiles do not fit into a memory";
  if (!nest.may_end(node)) cost.fault = "it bypasses a memory that --fix requires for an operand";
  return cost;
}

}  // namespace nestor::check
