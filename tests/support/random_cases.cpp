#include "support/random_cases.h"

#include <algorithm>

#include "model/cim/evaluate.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::tests {

std::vector<std::uint8_t> chain_of(Operand operand, const Architecture& machine) {
  std::vector<std::uint8_t> chain;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (machine.memories[m].operands.contains(operand)) chain.push_back(static_cast<std::uint8_t>(m));
  return chain;
}

namespace {

template <typename T>
const T& pick(Random& random, const std::vector<T>& from) {
  return from[random.below(from.size())];
}

double random_energy(Random& random) { return static_cast<double>(random.between(0, 4000)) / 512.0; }

/// Adds one or two homes, shared and private buffers, and one innermost memory per operand.
void add_memories(Random& random, Architecture& machine, bool graded) {
  const auto add = [&](OperandSet operands) {
    Memory memory{.operands = operands};
    memory.bandwidth = random.chance(0.5) ? random.between(1, 40) : Int{8} << random.between(0, 4);
    memory.double_buffer = random.chance(graded ? 0.4 : 0.7);
    memory.read_energy = random_energy(random);
    memory.write_energy = random_energy(random);
    machine.memories.push_back(memory);
  };
  const OperandSet all = OperandSet::of(Operand::I, Operand::W, Operand::O);
  if (random.chance(0.9)) {
    add(all);
  } else {
    // Separate homes: the second may also buffer weights, and its capacity then limits only the weights.
    add(OperandSet::of(Operand::W));
    add(!graded && random.chance(0.5) ? all : OperandSet::of(Operand::I, Operand::O));
  }
  // Graded machines have one operand, often O, with a long chain, and fewer buffers for the others. This
  // keeps the number of mappings small enough for brute force.
  const Operand deep =
      graded ? pick(random, std::vector<Operand>{Operand::O, Operand::O, Operand::I, Operand::W})
             : Operand::O;
  const double share = graded ? 0.2 : 0.65;
  for (Int buffers = graded ? 2 : random.between(0, 4); buffers > 0; --buffers) {
    OperandSet operands;
    if (graded) operands.insert(deep);
    while (operands.empty())
      for (const Operand operand : all_operands)
        if (random.chance(share)) operands.insert(operand);
    add(operands);
  }
  std::vector<Operand> order(all_operands.begin(), all_operands.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::swap(order[i], order[i + random.below(order.size() - i)]);
  for (const Operand operand : order) add(OperandSet::of(operand));
}

/// Makes outer memories slower and costlier than inner ones.
void grade_memories(Random& random, Architecture& machine) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Memory& memory = machine.memories[m];
    const auto depth = static_cast<Int>(m);
    memory.bandwidth = (Int{1} << depth) + random.between(0, 3);
    const double energy = 64.0 / static_cast<double>(Int{1} << (2 * depth));
    memory.read_energy = energy;
    memory.write_energy = random.chance(0.5) ? energy : energy * 1.25;
  }
}

/// Adds axes at random places; at least one is below all memories, as in a macro.
void add_axes(Random& random, Architecture& machine, std::size_t dims) {
  const auto count = static_cast<std::size_t>(random.between(1, 4));
  std::vector<std::size_t> places(count);
  for (auto& place : places) place = 1 + random.below(machine.memories.size());
  places.front() = machine.memories.size();
  std::sort(places.begin(), places.end());
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    machine.memories[m].axes_above = static_cast<std::uint8_t>(
        std::count_if(places.begin(), places.end(), [&](std::size_t place) { return place <= m; }));
  for (std::size_t a = 0; a < count; ++a) {
    Axis axis;
    while (axis.dims.empty())
      for (std::size_t d = 0; d < dims; ++d)
        if (random.chance(0.4)) axis.dims.insert(all_dims[d]);
    machine.axes.push_back(axis);
  }
}

Dim mirror_of(Dim dim) {
  if (dim == Dim::P || dim == Dim::Q) return dim == Dim::P ? Dim::Q : Dim::P;
  if (dim == Dim::R || dim == Dim::S) return dim == Dim::R ? Dim::S : Dim::R;
  return dim;
}

void mirror_axes(Random& random, Architecture& machine) {
  for (Axis& axis : machine.axes)
    if (random.chance(0.9))
      for (const Dim dim : {Dim::P, Dim::R, Dim::Q, Dim::S})
        if (axis.dims.contains(dim)) axis.dims.insert(mirror_of(dim));
}

/// Gives mirrored dimensions the same factors, but not always in the same places.
void mirror_factors(Mapping& mapping) {
  const auto add = [&mapping](Dim dim, Int factor) {
    if (mirror_of(dim) != dim && factor > 1)
      mapping.loops.push_back({.dim = mirror_of(dim), .factor = factor});
  };
  const auto loops = mapping.loops;
  for (const Loop& loop : loops) add(loop.dim, loop.factor);
  for (const Extents& axis : mapping.spatial)
    for (const Dim dim : all_dims) add(dim, axis[index_of(dim)]);
}

std::string numbered(char letter_of_kind, std::size_t number) {
  std::string name(1, letter_of_kind);
  name += std::to_string(number);
  return name;
}

void name_parts(NamedArchitecture& architecture) {
  architecture.name = "random";
  for (std::size_t m = 0; m < architecture.machine.memories.size(); ++m)
    architecture.memory_names.push_back(numbered('m', m));
  for (std::size_t a = 0; a < architecture.machine.axes.size(); ++a)
    architecture.axis_names.push_back(numbered('a', a));
}

/// Draws the memory of each operand at every loop. It is never further out than the operand's memory at an
/// enclosing loop.
void place_blocks(Random& random, const Architecture& machine, Mapping& mapping) {
  for (const Operand operand : all_operands) {
    const auto chain = chain_of(operand, machine);
    std::vector<std::uint8_t> places(mapping.loops.size());
    for (auto& place : places) place = pick(random, chain);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) mapping.loops[i].at[index_of(operand)] = places[i];
  }
}

/// Doubles some buffers before normalising. Normalising may empty a buffer and must then clear its double
/// buffering.
void double_some(Random& random, const Architecture& machine, Mapping& mapping) {
  for (const Operand operand : all_operands)
    for (const Loop& loop : mapping.loops) {
      const std::uint8_t m = loop.at[index_of(operand)];
      if (m != machine.home(operand) && machine.memories[m].double_buffer && random.chance(0.1))
        mapping.double_buffered[m].insert(operand);
    }
}

void choose_buffering(Random& random, const Architecture& machine, Mapping& mapping) {
  for (const Operand operand : all_operands) {
    for (const std::uint8_t m : chain_of(operand, machine)) {
      const bool used = m == machine.innermost(operand) ||
                        std::any_of(mapping.loops.begin(), mapping.loops.end(),
                                    [&](const Loop& loop) { return loop.at[index_of(operand)] == m; });
      if (used && m != machine.home(operand) && machine.memories[m].double_buffer && random.chance(0.55))
        mapping.double_buffered[m].insert(operand);
    }
  }
}

std::size_t dims_of(const RandomCaseOptions& options) { return options.groups ? dim_count : group_dim_count; }

void choose_factors(Random& random, const RandomCaseOptions& options, RandomCase& result) {
  Mapping& mapping = result.mapping;
  Architecture& machine = result.architecture.machine;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    Int lanes = 1;
    for (const Dim dim : all_dims) {
      if (!machine.axes[a].dims.contains(dim) || lanes > 8) continue;
      if (random.chance(options.mirrored ? 0.8 : 0.4)) continue;
      const Int factor = random.between(1, 4);
      mapping.spatial[a][index_of(dim)] = factor;
      lanes *= factor;
    }
    machine.axes[a].size = lanes + (random.chance(0.5) ? 0 : random.between(0, 5));
  }
  static const std::vector<Int> short_factors = {2, 2, 2, 2, 3, 3, 4, 5, 6, 7};
  static const std::vector<Int> mixed_factors = {2, 2, 3, 3, 5, 8, 17, 36, 61, 150, 400};
  const auto& factors = options.long_loops ? mixed_factors : short_factors;
  Int steps = 1;
  for (Int loops = random.between(0, options.max_loops); loops > 0; --loops) {
    const Int factor = pick(random, factors);
    if (steps * factor > options.max_steps) continue;
    steps *= factor;
    Dim dim = all_dims[random.below(dims_of(options))];
    if (options.mirrored && random.chance(0.7)) dim = mapping.loops.empty() ? Dim::R : Dim::P;
    mapping.loops.push_back({.dim = dim, .factor = factor});
  }
  if (options.mirrored) mirror_factors(mapping);
  for (const Loop& loop : mapping.loops) result.layer.bounds[index_of(loop.dim)] *= loop.factor;
  for (const Extents& axis : mapping.spatial)
    for (std::size_t d = 0; d < dim_count; ++d) result.layer.bounds[d] *= axis[d];
}

Operand longest_chain(const Architecture& machine) {
  Operand longest = Operand::I;
  for (const Operand operand : all_operands)
    if (chain_of(operand, machine).size() > chain_of(longest, machine).size()) longest = operand;
  return longest;
}

/// Replaces the loops by four short loops that are relevant to the operand with the longest chain. For O, a
/// reduction may be outside these loops, so that partial sums return. Does nothing if the operand depends on
/// no dimension.
void stack_loops(Random& random, RandomCase& result, std::size_t dims) {
  const Operand operand = longest_chain(result.architecture.machine);
  if (result.layer.relevance.dims[index_of(operand)].empty()) return;
  for (const Loop& loop : result.mapping.loops) result.layer.bounds[index_of(loop.dim)] /= loop.factor;
  result.mapping.loops.clear();
  const bool reduction_first = operand == Operand::O && random.chance(0.6);
  while (result.mapping.loops.size() < (reduction_first ? 5U : 4U)) {
    const bool reduce = reduction_first && result.mapping.loops.empty();
    const Dim dim = reduce ? Dim::C : all_dims[random.below(dims)];
    if (!reduce && !result.layer.is_relevant(dim, operand)) continue;
    const Int factor = random.chance(0.7) ? 2 : 3;
    result.mapping.loops.push_back({.dim = dim, .factor = factor});
    result.layer.bounds[index_of(dim)] *= factor;
  }
}

/// Places one loop in each memory of the longest chain while loops remain. Capacities are set later, so that
/// the mapping fits.
void spread_longest_chain(const Architecture& machine, const LayerShape& layer, Mapping& mapping) {
  const Operand operand = longest_chain(machine);
  const auto chain = chain_of(operand, machine);
  const bool reduction_first =
      operand == Operand::O && !mapping.loops.empty() && layer.is_reduction(mapping.loops[0].dim);
  for (std::size_t i = 0; i < mapping.loops.size(); ++i) {
    const std::size_t place = i - (i > 0 && reduction_first ? 1 : 0);
    mapping.loops[i].at[index_of(operand)] = chain[std::min(place, chain.size() - 1)];
  }
  normalise(mapping, layer, machine);
}

/// Sets capacities close to the needs of the mapping, so that tests detect overestimated sizes.
void set_capacities(Random& random, RandomCase& result) {
  Architecture& machine = result.architecture.machine;
  const auto usage = cim::evaluate(result.layer, machine, result.mapping).usage_bits;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool all_home = true;
    for (const Operand operand : all_operands)
      if (machine.memories[m].operands.contains(operand) && machine.home(operand) != m) all_home = false;
    if (all_home) continue;
    const Int need = std::max<Int>(1, usage[m]);
    machine.memories[m].capacity = random.chance(0.5) ? need : need + random.between(0, 2 * need);
  }
}

/// Returns a relevance in which each operand depends on all dimensions, or on each dimension with probability
/// 0.6. Uses a separate generator, so other draws do not change.
Relevance random_relevance(std::uint64_t seed) {
  Random random(seed + 77);
  if (random.chance(0.3)) return Relevance::elementwise();
  Relevance relevance;
  for (DimSet& dims : relevance.dims)
    for (const Dim dim : group_dims)
      if (random.chance(0.6)) dims.insert(dim);
  return relevance;
}

}  // namespace

RandomCase random_case(std::uint64_t seed, const RandomCaseOptions& options) {
  Random random(seed);
  RandomCase result;
  result.seed = seed;
  Architecture& machine = result.architecture.machine;
  add_memories(random, machine, options.graded);
  if (options.graded) grade_memories(random, machine);
  add_axes(random, machine, dims_of(options));
  if (options.mirrored) mirror_axes(random, machine);
  name_parts(result.architecture);
  machine.mvm_cycles = random.between(1, 16);
  machine.mac_energy = random_energy(random);
  machine.leakage = random.chance(0.4) ? random_energy(random) : 0;

  LayerShape& layer = result.layer;
  for (auto& stride : layer.stride) stride = random.chance(0.6) ? 1 : random.between(2, 3);
  for (auto& dilation : layer.dilation) dilation = random.chance(0.6) ? 1 : random.between(2, 3);
  if (options.mirrored) {
    if (random.chance(0.6)) layer.stride[1] = layer.stride[0];
    if (random.chance(0.6)) layer.dilation[1] = layer.dilation[0];
  }
  if (options.any_relevance) layer.relevance = random_relevance(seed);
  static const std::vector<Int> widths = {1, 2, 4, 7, 8, 8, 16};
  layer.bits = {pick(random, widths), pick(random, widths), pick(random, widths), 0};
  layer.bits.partial_sum = layer.bits.output + random.between(0, 24);

  choose_factors(random, options, result);
  if (options.graded && random.chance(0.75)) stack_loops(random, result, dims_of(options));
  place_blocks(random, machine, result.mapping);
  if (!options.graded) double_some(random, machine, result.mapping);
  if (options.canonical) normalise(result.mapping, layer, machine);
  if (options.graded) spread_longest_chain(machine, layer, result.mapping);
  choose_buffering(random, machine, result.mapping);
  set_capacities(random, result);
  return result;
}

namespace {

/// Distributes the prime factors of each bound over the temporal loops and the axes that accept them.
void scatter_bounds(Random& random, const LayerShape& layer, const Architecture& machine, Mapping& mapping) {
  std::array<Int, max_axes> lanes{};
  lanes.fill(1);
  const double spatial_share = random.unit();
  std::vector<Loop> loops;
  for (const Dim dim : all_dims) {
    Int left = layer.bound(dim);
    for (Int factor = 2; left > 1; factor = left % factor == 0 ? factor : factor + 1) {
      if (left % factor != 0) continue;
      left /= factor;
      const std::size_t a = machine.axes.empty() ? 0 : random.below(machine.axes.size());
      const bool fits = a < machine.axes.size() && machine.axes[a].dims.contains(dim) &&
                        lanes[a] * factor <= machine.axes[a].size;
      if (fits && random.chance(spatial_share)) {
        mapping.spatial[a][index_of(dim)] *= factor;
        lanes[a] *= factor;
      } else {
        loops.push_back({.dim = dim, .factor = factor});
      }
    }
  }
  for (std::size_t i = 0; i < loops.size(); ++i)
    std::swap(loops[i], loops[i + random.below(loops.size() - i)]);
  for (const Loop& loop : loops) {
    if (!mapping.loops.empty() && mapping.loops.back().dim == loop.dim && random.chance(0.7))
      mapping.loops.back().factor *= loop.factor;
    else
      mapping.loops.push_back(loop);
  }
}

}  // namespace

std::vector<Mapping> random_mappings(const LayerShape& layer, const NamedArchitecture& architecture,
                                     std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Mapping> found;
  for (std::size_t attempt = 0; attempt < 2000 * count && found.size() < count; ++attempt) {
    Mapping mapping;
    scatter_bounds(random, layer, architecture.machine, mapping);
    place_blocks(random, architecture.machine, mapping);
    normalise(mapping, layer, architecture.machine);
    Mapping buffered = mapping;
    choose_buffering(random, architecture.machine, buffered);
    for (const Mapping& candidate : {buffered, mapping}) {
      if (find_violation(layer, architecture.machine, candidate)) continue;
      found.push_back(candidate);
      break;
    }
  }
  return found;
}

std::string RandomCase::describe() const {
  std::string text = "seed " + std::to_string(seed) + ": bounds";
  for (const Dim dim : all_dims) text += std::string(" ") + letter(dim) + std::to_string(layer.bound(dim));
  text += " stride " + std::to_string(layer.stride[0]) + "," + std::to_string(layer.stride[1]);
  text += " dilation " + std::to_string(layer.dilation[0]) + "," + std::to_string(layer.dilation[1]) + "\n";
  const Architecture& machine = architecture.machine;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const Memory& memory = machine.memories[m];
    text += "  m" + std::to_string(m) + " ";
    for (const Operand operand : all_operands) {
      if (!memory.operands.contains(operand)) continue;
      text += letter(operand);
      if (mapping.double_buffered[m].contains(operand)) text += '*';
    }
    text +=
        " bw " + std::to_string(memory.bandwidth) + " axes above " + std::to_string(memory.axes_above) + "\n";
  }
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    text += "  axis " + std::to_string(a) + ":";
    for (const Dim dim : all_dims)
      if (mapping.spatial[a][index_of(dim)] > 1)
        text += std::string(" ") + letter(dim) + std::to_string(mapping.spatial[a][index_of(dim)]);
    text += "\n";
  }
  for (const Loop& loop : mapping.loops) {
    text += std::string("  for ") + letter(loop.dim) + std::to_string(loop.factor);
    for (const Operand operand : all_operands)
      text += std::string(" ") + letter(operand) + "@m" + std::to_string(loop.at[index_of(operand)]);
    text += "\n";
  }
  return text;
}

}  // namespace nestor::tests
