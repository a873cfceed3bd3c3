#include "check/mapped_nest.h"

#include <algorithm>

namespace nestor::check {
namespace {

bool holds(const Machine& machine, std::size_t memory, Operand operand) {
  const auto& chain = machine.chains[operand];
  return std::find(chain.begin(), chain.end(), memory) != chain.end();
}

class NestRules {
 public:
  NestRules(const MappedNest& nest, const Layer& layer, const Machine& machine)
      : nest_(nest), layer_(layer), machine_(machine) {}

  std::vector<std::string> broken() {
    check_stored();
    if (!faults_.empty()) return faults_;
    for (std::size_t d = 0; d < dim_count; ++d) check_factors(d);
    for (std::size_t a = 0; a < machine_.axes.size(); ++a) check_axis(a);
    for (const Operand x : operands) check_order(x);
    if (!faults_.empty()) return faults_;  // stations require loops in order
    const Stations stations = nest_.stations(machine_);
    for (const Operand x : operands) check_canonical(x, stations[x]);
    for (const Operand x : operands) check_doubled(x, stations[x]);
    return faults_;
  }

 private:
  void fault(std::string sentence) { faults_.push_back(std::move(sentence)); }
  const std::string& name(std::size_t memory) const { return machine_.memories[memory].name; }

  void check_stored() {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand x : operands)
        if (nest_.stored[m][x] && !holds(machine_, m, x))
          fault(sentence(operand_letters[x], " is stored in ", name(m), ", which does not hold it"));
  }

  // Checks that temporal factors are at least 2, that the factors of a dimension divide its bound without
  // remainder, and that their product is the bound.
  void check_factors(std::size_t d) {
    const char letter = dim_letters[d];
    Int left = layer_.bounds[d];
    Int divisor = 1;
    const auto take = [&](Int factor) {
      if (divisor == 1 && left % factor == 0)
        left /= factor;
      else if (divisor == 1)
        divisor = factor;
    };
    for (const Extents& axis : nest_.spatial) take(axis[d]);
    for (const MappedLoop& loop : nest_.loops) {
      if (loop.dim != d) continue;
      if (loop.factor < 2)
        fault(sentence("a temporal loop over ", letter, " has factor ", loop.factor, ", below 2"));
      take(loop.factor);
    }
    if (divisor != 1)
      fault(sentence("factor ", divisor, " of ", letter, " does not divide the ", left,
                     " that remain of its bound ", layer_.bounds[d]));
    else if (left != 1)
      fault(sentence("the factors of ", letter, " leave ", left, " of its bound ", layer_.bounds[d],
                     " unmapped"));
  }

  void check_axis(std::size_t a) {
    const Axis& axis = machine_.axes[a];
    Wide taken = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const Int factor = nest_.spatial[a][d];
      if (factor != 1 && !axis.dims[d])
        fault(sentence("axis ", axis.name, " does not take dimension ", dim_letters[d], ", found factor ",
                       factor));
      taken = times(taken, Wide{factor});
    }
    if (taken > axis.size)
      fault(
          sentence("axis ", axis.name, " has ", axis.size, " lanes, but the factors need ", to_text(taken)));
  }

  // Checks that loops are in memories that hold the operand, and never lead outward.
  void check_order(Operand x) {
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < nest_.loops.size(); ++i) {
      const std::size_t m = nest_.loops[i].at[x];
      if (!holds(machine_, m, x))
        return fault(sentence("loop ", i + 1, " puts ", operand_letters[x], " at ", name(m),
                              ", which does not hold it"));
      if (m < deepest)
        fault(sentence("loop ", i + 1, " takes ", operand_letters[x], " outward, from ", name(deepest),
                       " to ", name(m)));
      deepest = std::max(deepest, m);
    }
  }

  void check_canonical(Operand x, const std::vector<Station>& stations) {
    for (std::size_t s = 0; s + 1 < stations.size(); ++s) {
      const std::size_t end = stations[s + 1].outside;
      if (end == stations[s].outside || is_relevant(nest_.loops[end - 1].dim, x)) continue;
      fault(sentence("not canonical: the block of ", operand_letters[x], " at ", name(stations[s].memory),
                     " ends with loop ", end, " over ", dim_letters[nest_.loops[end - 1].dim],
                     ", which is irrelevant to it"));
    }
  }

  void check_doubled(Operand x, const std::vector<Station>& stations) {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      if (!nest_.doubled[m][x]) continue;
      const bool is_used = std::any_of(stations.begin(), stations.end(),
                                       [&](const Station& station) { return station.memory == m; });
      if (!machine_.memories[m].double_buffer)
        fault(sentence(name(m), " cannot double-buffer (", operand_letters[x], ")"));
      else if (!is_used)
        fault(sentence(name(m), " is double-buffered for ", operand_letters[x], ", which does not use it"));
      else if (m == stations[0].memory)
        fault(sentence(name(m), " is the home of ", operand_letters[x], " and cannot double-buffer it"));
    }
  }

  const MappedNest& nest_;
  const Layer& layer_;
  const Machine& machine_;
  std::vector<std::string> faults_;
};

}  // namespace

Stations MappedNest::stations(const Machine& machine) const {
  Stations stations;
  for (const Operand x : operands) {
    const auto& chain = machine.chains[x];
    std::size_t passed = 0;
    for (std::size_t c = 0; c < chain.size(); ++c) {
      const std::size_t outside = passed;
      while (passed < loops.size() && loops[passed].at[x] == chain[c]) ++passed;
      if (c == 0 || c + 1 == chain.size() || passed > outside || stored[chain[c]][x])
        stations[x].push_back({c, chain[c], outside});
    }
  }
  return stations;
}

Extents MappedNest::left(const Layer& layer, std::size_t outside) const {
  Extents left = layer.bounds;
  for (std::size_t d = 0; d < dim_count; ++d)
    for (const Extents& factors : spatial) left[d] /= factors[d];
  for (std::size_t l = 0; l < outside; ++l) left[loops[l].dim] /= loops[l].factor;
  return left;
}

bool MappedNest::reduces(std::size_t outside) const {
  return std::any_of(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(outside),
                     [](const MappedLoop& loop) { return is_reduction(loop.dim); });
}

MappedNest read_nest(const Json& mapping, const Machine& machine) {
  MappedNest nest;
  nest.spatial = read_spatial(mapping, machine);
  for (const Json& loop : member(mapping, "temporal")) {
    MappedLoop& read = nest.loops.emplace_back();
    read.dim = place_of(text_of(loop, "dim"), dim_letters);
    read.factor = integer_of(member(loop, "factor"), "factor");
    for (const Operand x : operands)
      read.at[x] =
          memory_named(machine, text_of(member(loop, "at"), std::string(1, operand_letters[x]).c_str()));
  }
  const auto read_pairs = [&](const char* key, Pairs& pairs) {
    for (const Json& pair : mapping.value(key, Json::array()))
      pairs[memory_named(machine, text_of(pair, "memory"))]
           [place_of(text_of(pair, "operand"), operand_letters)] = true;
  };
  read_pairs("stored", nest.stored);
  read_pairs("double_buffer", nest.doubled);
  return nest;
}

std::vector<std::string> overfull(const MemoryBits& held, const Machine& machine) {
  std::vector<std::string> faults;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (const Memory& memory = machine.memories[m]; held[m] > memory.capacity)
      faults.push_back(
          sentence(memory.name, " holds ", memory.capacity, " bits, but the tiles need ", held[m]));
  return faults;
}

std::vector<std::string> broken_rules(const MappedNest& nest, const Layer& layer, const Machine& machine) {
  return NestRules(nest, layer, machine).broken();
}

}  // namespace nestor::check
