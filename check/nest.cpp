#include "check/nest.h"

#include <algorithm>

namespace nestor::check {
namespace {

Int no_more_than_2_60(Int number) {
  if (number > Int{1} << 60) throw TooLarge();
  return number;
}

}  // namespace

std::vector<Int> divisors_of(Int number) {
  std::vector<Int> divisors;
  for (Int n = 1; n <= number / n; ++n) {
    if (number % n != 0) continue;
    divisors.push_back(n);
    if (n != number / n) divisors.push_back(number / n);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

Lanes::Lanes(const Layer& layer, const Machine& machine, const Spatial& spatial) : temporal(layer.bounds) {
  for (const Extents& factors : spatial)
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (temporal[d] % factors[d] != 0) throw Unreadable("a spatial factor does not divide its dimension");
      temporal[d] /= factors[d];
    }
  for (const Memory& memory : machine.memories) {
    Extents& inside = below.emplace_back();
    inside.fill(1);
    Int outside = 1;
    bool reduced = false;
    for (std::size_t a = 0; a < machine.axes.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d)
        if (machine.axes[a].place > memory.place) {
          inside[d] *= spatial[a][d];
        } else {
          outside = times(outside, spatial[a][d]);
          reduced = reduced || (is_reduction(d) && spatial[a][d] > 1);
        }
    above.push_back(outside);
    reduced_above.push_back(reduced);
  }
  Int macs = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    steps = times(steps, temporal[d]);
    divisors[d] = divisors_of(temporal[d]);
    macs = times(macs, layer.bounds[d]);
  }
  // Every step reads an input and reads and writes a partial sum in every instance; W stays in the array.
  energy = wide_times(macs, machine.mac);
  for (const Operand x : {I, O}) {
    const std::size_t m = machine.chains[x].back();
    const Int bits = times(layer.elements(x, below[m]), x == I ? layer.bits[I] : layer.partial_sum);
    const Int each = times(times(bits, above[m]), steps);
    const Wide access =
        x == I ? machine.memories[m].read : plus(machine.memories[m].read, machine.memories[m].write);
    energy = plus(energy, wide_times(each, access));
  }
}

Nest::Nest(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes)
    : layer_(layer), machine_(machine), claim_(claim), lanes_(lanes) {
  std::array<Int, most_memories> most{};  // all of every operand, at its widest, in two buffers
  for (const Operand x : operands)
    for (std::size_t position = 1; position < machine.chains[x].size(); ++position) {
      const std::size_t memory = memory_at(x, position);
      const Int whole = times(elements(x, lanes.temporal, memory), width_stored(x, position, false));
      most[memory] = plus(most[memory], times(whole, Int{2}));
    }
  for (std::size_t m = 0; m < machine.memories.size(); ++m) is_ample_[m] = most[m] <= capacity(m);
}

Extents Nest::content_of(const Node& node) const {
  Extents content{};
  for (std::size_t d = 0; d < dim_count; ++d) content[d] = lanes_.divisors[d][node.placed[d]];
  return content;
}

Int Nest::elements(Operand operand, const Extents& content, std::size_t memory) const {
  Extents tile = lanes_.below[memory];
  for (std::size_t d = 0; d < dim_count; ++d) tile[d] *= content[d];
  return layer_.elements(operand, tile);
}

// Partial sums are wide where sums are still to be added: in the innermost memory, under an axis that
// reduces, and in or inside a block with a reduction loop.
Int Nest::width_stored(Operand operand, std::size_t position, bool entered_complete) const {
  if (operand != O) return layer_.bits[operand];
  const bool innermost = position + 1 == machine_.chains[O].size();
  const bool open = innermost || lanes_.reduced_above[memory_at(O, position)] || !entered_complete;
  return open ? layer_.partial_sum : layer_.bits[O];
}

Int Nest::cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const {
  const std::size_t source = memory_at(operand, to);
  const Int width = operand == O && !complete ? layer_.partial_sum : layer_.bits[operand];
  return no_more_than_2_60(
      ceiling(times(elements(operand, content, source), width), machine_.memories[source].bandwidth));
}

Wide Nest::transfer_energy(Operand operand, const Extents& content, std::size_t from, std::size_t to,
                           Int count, Int back, bool complete) const {
  const std::size_t inner = memory_at(operand, from);
  const std::size_t outer = memory_at(operand, to);
  const Int width = operand == O && !complete ? layer_.partial_sum : layer_.bits[operand];
  const Int copied = operand == O && lanes_.reduced_above[inner] ? layer_.partial_sum : width;
  // Of all lanes: those above the outer memory do the same, those in between hold copies or parts.
  const Int unique = times(times(elements(operand, content, outer), width), lanes_.above[outer]);
  const Int copies = times(times(elements(operand, content, inner), copied), lanes_.above[inner]);
  const Memory& source = machine_.memories[outer];
  const Memory& target = machine_.memories[inner];
  const Wide inward = plus(wide_times(unique, source.read), wide_times(copies, target.write));
  if (operand != O) return wide_times(count, inward);
  const Wide outward = plus(wide_times(copies, target.read), wide_times(unique, source.write));
  return plus(wide_times(count, outward), wide_times(back, inward));
}

Int Nest::bits_of(const Node& node, Operand operand, const Extents& content) const {
  const std::size_t position = node.at[operand];
  return times(elements(operand, content, memory_at(operand, position)),
               width_stored(operand, position, node.entered_complete));
}

bool Nest::may_transfer(const Node& node, Operand operand) const {
  if (node.at[operand] == 0) return false;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, operand) && remaining(node, d) != 1) return true;
  return false;
}

Node Nest::root() const {
  Node node;
  for (const Operand x : operands) node.at[x] = static_cast<std::uint8_t>(machine_.chains[x].size() - 1);
  node.rest = lanes_.steps;
  node.m = machine_.mvm_cycles;
  node.p.fill(machine_.mvm_cycles);
  node.energy = lanes_.energy;
  return node;
}

const Step* find_step(const std::vector<Step>& steps, bool moves, std::size_t to, bool doubled) {
  for (const Step& step : steps)
    if (step.moves == moves && (!moves || (step.to == to && step.doubled == doubled))) return &step;
  return nullptr;
}

std::vector<Step> Nest::steps(const Node& node, Operand operand) const {
  Step stays;
  stays.to = node.at[operand];
  stays.contender = node.p[operand];
  std::vector<Step> all = {stays};
  const Extents content = content_of(node);
  bool complete = true;
  Int distinct = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    const Int left = remaining(node, d);
    if (is_reduction(d)) complete = complete && left == 1;
    if (is_relevant(d, operand)) distinct = times(distinct, left);
  }
  const Int back = operand == O && !complete ? node.rest - distinct : 0;
  const std::size_t inner = memory_at(operand, node.at[operand]);
  for (std::size_t to = 0; to < node.at[operand]; ++to) {
    Step step;
    step.moves = true;
    step.to = static_cast<std::uint8_t>(to);
    step.cycles = cycles(operand, content, to, complete);
    step.returned = step.cycles;
    if (!claim_.objective().miredo && back > 0)
      step.returned = plus(step.cycles, ceiling(times(step.cycles, back), node.rest));
    if (claim_.follows_energy())
      step.energy = transfer_energy(operand, content, node.at[operand], to, node.rest, back, complete);
    step.bits = bits_of(node, operand, content);
    step.contender = plus(step.returned, node.p[operand]);
    all.push_back(step);
    // Two buffers change nothing but cycles.
    if (!machine_.memories[inner].double_buffer || !claim_.follows_latency()) continue;
    step.doubled = true;
    step.contender = std::max(step.returned, node.p[operand]);
    all.push_back(step);
  }
  return all;
}

// One loop of n iterations, Table III of the model.
void Nest::recur(Node& node, Int n, const Steps& steps) const {
  const Int period = std::max({node.m, steps[I].contender, steps[W].contender, steps[O].contender});
  const Int loops = no_more_than_2_60(times(period, n));  // sums of few such numbers fit
  for (const Operand x : {I, W}) {
    Int& p = node.p[x];
    const Int t = steps[x].cycles;
    if (!steps[x].moves)
      p = loops - period + p;
    else if (!steps[x].doubled)
      p = loops - 2 * period + 2 * t + p;
    else
      p = std::max(loops - 3 * period + 2 * t + std::max(t, p), times(t, n));
    node.first[x] = plus(node.first[x], t);
  }
  Int& p = node.p[O];
  const Int t = steps[O].cycles;
  if (!steps[O].moves)
    p = loops - period + p;
  else if (claim_.objective().miredo)
    p = steps[O].doubled ? loops - 2 * period + t + std::max(t, period) + std::max(t, p)
                         : loops - period + 2 * t + p;
  else
    p = loops - period + (steps[O].doubled ? std::max(t, p) : steps[O].returned + p);
  node.steady = plus(node.steady, plus(loops - period, t));
  node.m = std::max({loops, node.p[I], node.p[W], node.p[O]});
}

Node Nest::after(const Node& node, std::size_t dim, std::size_t placed, const Steps& steps) const {
  Node next = node;
  bool complete = true;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_reduction(d)) complete = complete && remaining(node, d) == 1;
  const Int n = lanes_.divisors[dim][placed] / lanes_.divisors[dim][node.placed[dim]];
  for (const Operand x : operands) {
    if (!steps[x].moves) continue;
    Int& departed = next.departed[memory_at(x, node.at[x])];
    departed = plus(departed, times(steps[x].bits, Int{steps[x].doubled ? 2 : 1}));
    next.at[x] = steps[x].to;
    next.energy = plus(next.energy, steps[x].energy);
    if (x == O) next.entered_complete = complete;
  }
  if (claim_.follows_latency()) recur(next, n, steps);
  next.placed[dim] = static_cast<std::uint16_t>(placed);
  next.rest = node.rest / n;
  // The P of an operand without transfers to come: no longer more than M (stall), or grows as the others' do.
  Int latest = 0;
  for (const Operand x : operands)
    if (!may_transfer(next, x)) latest = std::max(latest, next.p[x]);
  for (const Operand x : operands)
    if (!may_transfer(next, x)) next.p[x] = claim_.objective().miredo ? latest : 0;
  return next;
}

bool Nest::fits(const Node& node) const {
  const Extents content = content_of(node);
  auto bits = node.departed;
  for (const Operand x : operands)
    if (node.at[x] != 0) {
      Int& all = bits[memory_at(x, node.at[x])];
      all = plus(all, bits_of(node, x, content));
    }
  for (std::size_t m = 0; m < machine_.memories.size(); ++m)
    if (bits[m] > capacity(m)) return false;
  return true;
}

// Bits in a memory bind nobody that no operand can fill any more, or that holds all operands whole.
void Nest::forget_idle_bits(Node& node) const {
  std::array<bool, most_memories> binding{};
  for (const Operand x : operands)
    for (std::size_t position = 1; position <= node.at[x]; ++position) {
      const std::size_t memory = memory_at(x, position);
      binding[memory] = !is_ample_[memory];
    }
  for (std::size_t m = 0; m < most_memories; ++m)
    if (!binding[m]) node.departed[m] = 0;
}

// What is not home when all loops are placed is filled or drained once.
Int Nest::latency_of(const Node& node) const {
  const Extents content = content_of(node);
  std::array<Int, 3> once{};
  for (const Operand x : operands)
    if (node.at[x] != 0) once[x] = cycles(x, content, 0, true);
  if (claim_.objective().miredo)
    return plus(plus(std::max({node.p[I], node.p[W], node.p[O]}), std::max(once[I], once[W])), once[O]);
  const Int first = std::max(plus(node.first[I], once[I]), plus(node.first[W], once[W]));
  return plus(plus(plus(node.steady, first), once[O]), machine_.mvm_cycles);
}

Wide Nest::energy_of(const Node& node) const {
  Wide energy = node.energy;
  if (!claim_.follows_energy()) return energy;
  const Extents content = content_of(node);
  for (const Operand x : operands)
    if (node.at[x] != 0) energy = plus(energy, transfer_energy(x, content, node.at[x], 0, 1, 0, true));
  return energy;
}

}  // namespace nestor::check
