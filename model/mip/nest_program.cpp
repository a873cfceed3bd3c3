#include "model/mip/nest_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/loopnest/search/operand_setup.h"

namespace nestor::mip {
namespace {

bool is_one(double value) { return value > 0.5; }

}  // namespace

NestProgram::NestProgram(Program& program, const NestProblem& problem, const Hierarchy& machine,
                         const Mapping* known, const NestOptions& options)
    : program_(program),
      problem_(problem),
      machine_(machine),
      options_(options),
      lattices_(lattices_of(problem.factors)),
      slots_(slot_count(problem.factors)) {
  options_.ordered = options_.ordered && problem.constraints.outer_loops.empty();
  if (known != nullptr) known_ = known_nest(*known, machine, lattices_, slots_, options_.ordered);
  add_axes();
  add_loops();
  add_placement();
  for (const Operand operand : all_operands) {
    const auto chain = chain_of(problem.constraints, machine, operand);
    chains_[index_of(operand)].assign(chain.begin(), chain.end());
    add_paths(operand);
    add_path_rows(operand);
  }
  if (options_.ordered) add_order();
  add_fixed_loops();
  add_stationary();
  if (is_contradictory(problem.constraints, machine)) {
    const Index never = program_.add({.name = "never", .upper = 0, .meaning = {.symbol = "constant"}});
    program_.row("impossible", Sum(never), Sense::at_least, 1);
  }
}

bool NestProgram::is_allowed(std::size_t axis, const Extents& factors) const {
  const Constraints& fixed = problem_.constraints;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (fixed.axis_factors[axis][d] != 0 && factors[d] != fixed.axis_factors[axis][d]) return false;
  const auto least = fixed.min_utilisation[axis] * static_cast<double>(machine_.axes[axis].size);
  return product_of<double>(factors) >= least;
}

// Adds X^U: one column for each set of factors that fits an axis.
void NestProgram::add_axes() {
  axes_.resize(machine_.axes.size());
  for (std::size_t a = 0; a < machine_.axes.size(); ++a) {
    std::vector<std::pair<std::array<std::size_t, dim_count>, Extents>> sets = {{{}, unit_extents}};
    for (std::size_t d = 0; d < dim_count; ++d) {
      const auto dim = static_cast<Dim>(d);
      if (!machine_.axes[a].dims.contains(dim) || !problem_.constraints.axis_dims[a].contains(dim)) continue;
      const std::size_t before = sets.size();
      for (std::size_t n = 1; n < lattices_[d].nodes().size(); ++n)
        for (std::size_t i = 0; i < before; ++i) {
          auto set = sets[i];
          set.first[d] = n;
          set.second[d] = lattices_[d].nodes()[n].value;
          if (product_of<double>(set.second) <= static_cast<double>(machine_.axes[a].size))
            sets.push_back(set);
        }
    }
    Sum one;
    for (const auto& [nodes, factors] : sets) {
      if (!is_allowed(a, factors)) continue;
      const bool known = known_ && known_->axes[a] == nodes;
      const auto name = fmt::format("XU_{}_{}", a, axes_[a].size());
      const Meaning meaning{.symbol = "X^U", .axis = static_cast<int>(a), .extents = factors};
      const Index column =
          program_.add({.name = name, .upper = 1, .integer = true, .meaning = meaning}, known);
      axes_[a].push_back({nodes, column});
      one.add(column, 1);
    }
    program_.row(fmt::format("axis_{}", a), one, Sense::equal, 1);
  }
}

// Adds X^L and V^F, one column for each possible loop of a slot, and 1 - psi^L, one column for a slot without
// a loop.
void NestProgram::add_loops() {
  loops_.resize(slots_);
  for (std::size_t i = 0; i < slots_; ++i) {
    const auto slot = static_cast<int>(i);
    const KnownSlot* known = known_ ? &known_->slots[i] : nullptr;
    idle_.push_back(program_.add({.name = fmt::format("idle_s{}", i),
                                  .upper = 1,
                                  .integer = true,
                                  .meaning = {.symbol = "1-psi^L", .slot = slot}},
                                 known != nullptr && known->dim < 0));
    Sum one(idle_[i]);
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t n = 1; n < lattices_[d].nodes().size(); ++n) {
        const Meaning meaning{.symbol = "X^L",
                              .slot = slot,
                              .dim = static_cast<int>(d),
                              .factor = lattices_[d].nodes()[n].value};
        const bool is_known = known != nullptr && known->dim == static_cast<int>(d) && known->node == n;
        const Index column =
            program_.add({.name = fmt::format("XL_s{}_{}{}", i, letter(static_cast<Dim>(d)), n),
                          .upper = 1,
                          .integer = true,
                          .meaning = meaning},
                         is_known);
        loops_[i].push_back({d, n, column});
        one.add(column, 1);
      }
    program_.row(fmt::format("slot_{}", i), one, Sense::equal, 1);
    if (i > 0)  // inactive slots are outermost
      program_.row(fmt::format("idle_first_{}", i), Sum(idle_[i - 1]), Sense::at_least, Sum(idle_[i]));
  }
}

// Adds Eq. 2: each factor is placed once, in a slot or on an axis.
void NestProgram::add_placement() {
  for (std::size_t d = 0; d < dim_count; ++d)
    for (std::size_t k = 0; k < lattices_[d].factors().factors.size(); ++k) {
      Sum placed = on_axes(0, d, k);
      for (std::size_t i = 0; i < slots_; ++i) placed += in_slot(i, d, k);
      program_.row(
          fmt::format("eq2_{}{}", letter(static_cast<Dim>(d)), lattices_[d].factors().factors[k].value),
          placed, Sense::equal, lattices_[d].factors().factors[k].count);
    }
}

Index NestProgram::jump(Operand operand, Jump jump) {
  const auto x = index_of(operand);
  bool known = false;
  if (known_) {
    const auto memory_at = [&](std::size_t gap, bool outside) -> std::size_t {
      if (outside) return gap == 0 ? chains_[x].front() : known_->slots[gap - 1].at[x];
      return gap == slots_ ? chains_[x].back() : known_->slots[gap].at[x];
    };
    const bool edge =
        jump.from == chains_[x].front() && (jump.gap == 0 || known_->slots[jump.gap - 1].dim < 0);
    known = memory_at(jump.gap, true) == jump.from && memory_at(jump.gap, false) == jump.to &&
            edge == jump.edge && known_->doubled[jump.to].contains(operand) == jump.doubled;
  }
  const auto name = fmt::format("XN_g{}_{}_{}_{}{}{}", jump.gap, letter(operand), jump.from, jump.to,
                                jump.doubled ? "_d" : "", jump.edge ? "_e" : "");
  const Meaning meaning{.symbol = jump.doubled ? "X^N psi^DL" : "X^N",
                        .slot = static_cast<int>(jump.gap) - 1,
                        .operand = static_cast<int>(x),
                        .memory = static_cast<int>(jump.to),
                        .source = static_cast<int>(jump.from),
                        .doubled = jump.doubled};
  jump.column = program_.add({.name = name, .upper = 1, .integer = true, .meaning = meaning}, known);
  jumps_[x].push_back(jump);
  return jump.column;
}

// Adds X^Z and X^N of an operand.
void NestProgram::add_paths(Operand operand) {
  const auto x = index_of(operand);
  const auto& chain = chains_[x];
  at_[x].resize(slots_);
  for (std::size_t i = 0; i < slots_; ++i)
    for (const std::size_t m : chain)
      at_[x][i][m] = program_.add({.name = fmt::format("XZ_s{}_{}_{}", i, letter(operand), m),
                                   .upper = 1,
                                   .integer = true,
                                   .meaning = {.symbol = "X^Z",
                                               .slot = static_cast<int>(i),
                                               .operand = static_cast<int>(x),
                                               .memory = static_cast<int>(m)}},
                                  known_ && known_->slots[i].at[x] == m);
  for (std::size_t gap = 0; gap <= slots_; ++gap)
    for (std::size_t a = 0; a + 1 < chain.size(); ++a)
      for (std::size_t b = a + 1; b < chain.size(); ++b) {
        // A jump must not skip a memory that the operand must use.
        bool passes = false;
        for (std::size_t c = a + 1; c < b; ++c)
          passes = passes || problem_.constraints.must_use[chain[c]].contains(operand);
        if (passes) continue;
        const Jump made{.gap = gap, .from = chain[a], .to = chain[b]};
        if (a == 0) {
          Jump edge = made;
          edge.edge = true;
          jump(operand, edge);
        }
        if (gap == 0) continue;
        jump(operand, made);
        Jump doubled = made;
        doubled.doubled = true;
        if (options_.double_buffers && machine_.memories[chain[b]].double_buffer) jump(operand, doubled);
      }
}

// Adds Eqs. 3 to 5: the path begins at home, ends at the innermost memory and never moves outward. Jumps
// occur only directly inside loops that are relevant to the operand (canonical form), or outside all loops.
void NestProgram::add_path_rows(Operand operand) {
  const auto x = index_of(operand);
  const auto& chain = chains_[x];
  const char o = letter(operand);
  for (std::size_t gap = 0; gap <= slots_; ++gap) {
    Sum loop_jumps;
    Sum edges;
    for (const std::size_t m : chain) {
      const Sum before = gap == 0 ? Sum(m == chain.front() ? 1.0 : 0.0) : Sum(at_[x][gap - 1][m]);
      const Sum after = gap == slots_ ? Sum(m == chain.back() ? 1.0 : 0.0) : Sum(at_[x][gap][m]);
      Sum in;
      Sum out;
      for (const Jump& jump : jumps_[x]) {
        if (jump.gap != gap) continue;
        if (jump.to == m) in.add(jump.column, 1);
        if (jump.from != m) continue;
        out.add(jump.column, 1);
        (jump.edge ? edges : loop_jumps).add(jump.column, 1);
      }
      program_.row(fmt::format("eq5_g{}_{}_{}", gap, o, m), after - before, Sense::equal, in - out);
      program_.row(fmt::format("eq5_out_g{}_{}_{}", gap, o, m), out, Sense::at_most, before);
    }
    if (gap < slots_)  // inactive slots stay at home
      program_.row(fmt::format("eq3_idle_s{}_{}", gap, o), Sum(at_[x][gap][chain.front()]), Sense::at_least,
                   Sum(idle_[gap]));
    if (gap == 0) continue;
    Sum seen;
    for (const LoopChoice& choice : loops_[gap - 1])
      if (layer().is_relevant(static_cast<Dim>(choice.dim), operand)) seen.add(choice.column, 1);
    program_.row(fmt::format("canonical_g{}_{}", gap, o), loop_jumps, Sense::at_most, seen);
    program_.row(fmt::format("edge_g{}_{}", gap, o), edges, Sense::at_most, Sum(idle_[gap - 1]));
  }
  for (const std::size_t m : chain)
    if (m != chain.front() && m != chain.back())
      program_.row(fmt::format("eq4_{}_{}", o, m), used(operand, m),
                   problem_.constraints.must_use[m].contains(operand) ? Sense::equal : Sense::at_most, 1);
}

// Loops between which no operand moves commute. These rows require their dimensions to ascend, so that only
// one order is allowed.
void NestProgram::add_order() {
  for (std::size_t i = 0; i + 1 < slots_; ++i) {
    Sum moves;
    for (const Operand operand : all_operands)
      for (const Jump& jump : jumps(operand))
        if (!jump.edge && (jump.gap == i + 1 || jump.gap == i + 2)) moves.add(jump.column, 1);
    for (std::size_t d = 0; d < dim_count; ++d) {
      Sum outer;
      Sum inner;
      for (const LoopChoice& choice : loops_[i])
        if (choice.dim >= d) outer.add(choice.column, 1);
      for (const LoopChoice& choice : loops_[i + 1])
        if (choice.dim <= d) inner.add(choice.column, 1);
      if (outer.empty() || inner.empty()) continue;
      program_.row(fmt::format("order_s{}_{}", i, letter(static_cast<Dim>(d))), outer + inner, Sense::at_most,
                   moves + 1);
    }
  }
}

// Requires that the outermost active slots contain the loops that the user fixed.
void NestProgram::add_fixed_loops() {
  const auto& wanted = problem_.constraints.outer_loops;
  for (std::size_t i = 0; i <= slots_ && !wanted.empty(); ++i) {
    // 1 if slot i is the first active one.
    const Sum first = (i == 0 ? Sum(1.0) : Sum(idle_[i - 1])) - (i == slots_ ? Sum(0.0) : Sum(idle_[i]));
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      Sum held;
      if (i + j < slots_)
        for (const LoopChoice& choice : loops_[i + j])
          if (choice.dim == index_of(wanted[j].dim) &&
              lattices_[choice.dim].nodes()[choice.node].value == wanted[j].factor)
            held.add(choice.column, 1);
      program_.row(fmt::format("fixed_s{}_{}", i, j), held, Sense::at_least, first);
    }
  }
}

// Requires that the innermost block of a stationary operand contains every loop that is irrelevant to it.
void NestProgram::add_stationary() {
  for (const Operand operand : all_operands) {
    if (!problem_.constraints.stationary.contains(operand)) continue;
    const auto x = index_of(operand);
    for (std::size_t i = 0; i < slots_; ++i) {
      Sum unseen;
      for (const LoopChoice& choice : loops_[i])
        if (!layer().is_relevant(static_cast<Dim>(choice.dim), operand)) unseen.add(choice.column, 1);
      if (unseen.empty()) continue;
      program_.row(fmt::format("stationary_s{}_{}", i, letter(operand)), unseen, Sense::at_most,
                   Sum(at_[x][i][chains_[x].back()]));
    }
  }
}

Sum NestProgram::used(Operand operand, std::size_t memory) const {
  const auto& chain = chains_[index_of(operand)];
  if (memory == chain.front() || memory == chain.back()) return 1.0;
  Sum used;
  for (const Jump& jump : jumps(operand))
    if (jump.to == memory) used.add(jump.column, 1);
  return used;
}

Sum NestProgram::transfers(Operand operand, std::size_t from, std::size_t to) const {
  Sum direct;
  for (const Jump& jump : jumps(operand))
    if (jump.from == from && jump.to == to) direct.add(jump.column, 1);
  return direct;
}

Sum NestProgram::doubled(Operand operand, std::size_t memory) const {
  Sum doubled;
  for (const Jump& jump : jumps(operand))
    if (jump.to == memory && jump.doubled) doubled.add(jump.column, 1);
  return doubled;
}

Sum NestProgram::inside(std::size_t slot, Operand operand, std::size_t memory) const {
  const auto x = index_of(operand);
  Sum inside;
  for (const std::size_t m : chains_[x])
    if (m >= memory) inside.add(at_[x][slot][m], 1);
  return inside;
}

std::optional<Mapping> NestProgram::mapping(const std::vector<double>& values) const {
  Mapping mapping;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    std::size_t chosen = 0;
    for (const AxisChoice& choice : axes_[a]) {
      if (!is_one(values[choice.column])) continue;
      ++chosen;
      for (std::size_t d = 0; d < dim_count; ++d)
        mapping.spatial[a][d] = lattices_[d].nodes()[choice.node[d]].value;
    }
    if (chosen != 1) return std::nullopt;
  }
  for (std::size_t i = 0; i < slots_; ++i) {
    std::size_t chosen = is_one(values[idle_[i]]) ? 1 : 0;
    for (const LoopChoice& choice : loops_[i]) {
      if (!is_one(values[choice.column])) continue;
      if (++chosen != 1) return std::nullopt;
      Loop loop{static_cast<Dim>(choice.dim), lattices_[choice.dim].nodes()[choice.node].value, {}};
      for (const Operand operand : all_operands) {
        const auto x = index_of(operand);
        std::size_t holders = 0;
        for (const std::size_t m : chains_[x])
          if (is_one(values[at_[x][i][m]])) loop.at[x] = static_cast<std::uint8_t>(m), ++holders;
        if (holders != 1) return std::nullopt;
      }
      mapping.loops.push_back(loop);
    }
    if (chosen != 1) return std::nullopt;
  }
  for (const Operand operand : all_operands)
    for (const Jump& jump : jumps(operand))
      if (jump.doubled && is_one(values[jump.column])) mapping.double_buffered[jump.to].insert(operand);
  return mapping;
}

}  // namespace nestor::mip
