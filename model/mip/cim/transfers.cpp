// Eqs. 10 and 11: the cycles of every transfer, rounded up, as one-hot choices, and the slots of the
// transfers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/loopnest/tiles.h"
#include "model/mip/cim/formulation.h"

namespace nestor::cim {

using mip::ExtentChoice;
using mip::ExtentQuery;
using mip::Jump;
using mip::Sense;

// Returns an upper limit on the latency: every step includes every transfer, three times.
double MiredoProgram::worst_latency() const {
  double step = static_cast<double>(problem_.machine.mvm_cycles);
  for (const Operand operand : all_operands)
    for (const std::size_t m : nest_.chain(operand))
      step += 3 * (1 + static_cast<double>(whole_bits(problem_.layer, operand)) /
                           static_cast<double>(problem_.machine.memories[m].bandwidth));
  return step * product_of<double>(problem_.layer.bounds);
}

// Returns an upper limit on the latency of mappings that can improve the result, from worst_latency(), the
// latency constraint and `best`.
double MiredoProgram::latency_limit(std::optional<double> best) const {
  const CimObjective& objective = problem_.objective;
  double limit = worst_latency();
  if (problem_.constraints.limits_latency())
    limit = std::min(limit, static_cast<double>(problem_.constraints.max_latency));
  if (!best) return std::floor(limit);
  const double floor = objective.needs_additive() ? additive_floor(problem_) : 0;
  double weight = objective.leakage;  // weight of a cycle in the objective
  double rest = *best - floor;
  if (objective.kind == ObjectiveKind::latency) {
    weight = 1;
    rest = *best;
  } else if (objective.kind == ObjectiveKind::eq14) {
    weight = objective.latency_weight;
  } else if (objective.kind == ObjectiveKind::blended) {
    weight = objective.latency_weight + objective.additive_weight * objective.leakage;
    rest = *best - objective.additive_weight * floor;
  }
  if (weight > 0) limit = std::min(limit, rest / weight * (1 + 1e-9) + 1e-6);
  return std::floor(limit);
}

// Adds T of Eq. 11 for each pair of memories, from V^T of Eq. 10: the size of the tile, including the axes
// below the source.
void MiredoProgram::add_transfers() {
  const LayerShape& layer = problem_.layer;
  const auto& memories = problem_.machine.memories;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const bool widths = operand == Operand::O && layer.bits.output != layer.bits.partial_sum;
    for (const std::size_t to : nest_.chain(operand)) {
      Sum finals;
      Sum opens;
      for (const std::size_t from : nest_.chain(operand)) {
        if (from >= to) break;
        const Sum selected = nest_.transfers(operand, from, to);
        if (selected.empty()) continue;
        const auto bits = [&](const Extents& extents, std::size_t variant) {
          return elements(layer, operand, extents) * layer.bits.of(operand, variant == 0);
        };
        double lanes = 1;
        for (std::size_t a = memories[from].axes_above; a < memories[to].axes_above; ++a)
          lanes *= static_cast<double>(problem_.machine.axes[a].size);
        // A window over the outputs of A lanes and the taps of B lanes has at most A B (stride dilation)
        // times the elements of one lane's window: (A p - 1) s + (B r - 1) d + 1 <= A B s d ((p - 1) s + (r -
        // 1) d + 1).
        for (std::size_t direction = 0; direction < 2; ++direction)
          if (slides(layer, operand, direction))
            lanes *= static_cast<double>(layer.stride[direction] * layer.dilation[direction]);
        const double room = static_cast<double>(memories[to].capacity) * lanes;
        ExtentQuery query{.name = fmt::format("VT_{}_{}_{}", letter(operand), from, to),
                          .meaning = figures_.meaning("V^T", operand, to, static_cast<int>(from)),
                          .dims = layer.relevance.of(operand),
                          .operand = operand,
                          .memory = to,
                          .axis = memories[from].axes_above,
                          .selected = selected,
                          .variants = widths ? 2U : 1U};
        if (widths) {
          query.known_variant = figures_.is_complete_known(to) ? 1 : 0;
        }
        query.figure = [&](const Extents& extents, std::size_t variant) {
          return static_cast<double>(ceil_divide(bits(extents, variant), memories[from].bandwidth));
        };
        query.allows = [&](const Extents& extents, std::size_t variant) {
          const double stored = static_cast<double>(elements(layer, operand, extents)) *
                                static_cast<double>(layer.bits.narrowest(operand));
          return query.figure(extents, variant) <= limit_ && stored <= room;
        };
        const auto choices = nest_.choose_extents(query);
        transfer_[to][x] += total(program_, choices);
        for (const ExtentChoice& choice : choices) {
          longest_[to][x] = std::max(longest_[to][x], program_.columns()[choice.column].meaning.figure);
          (choice.variant == 1 ? finals : opens).add(choice.column, 1);
        }
      }
      if (!widths || (finals.empty() && opens.empty())) continue;
      program_.row(fmt::format("final_{}", to), finals, Sense::at_most, figures_.complete(to));
      program_.row(fmt::format("open_{}", to), opens, Sense::at_most, Sum(1.0) - figures_.complete(to));
    }
  }
}

// Adds T_i: the cycles of the transfer in slot i, if an operand leaves its memory there.
void MiredoProgram::add_slot_transfers() {
  const std::size_t slots = nest_.slots();
  slot_transfer_.resize(slots);
  slot_returns_.resize(slots);
  const bool returns = problem_.objective.latency_model == LatencyModel::stall;
  // T' of eq. (6b.1): the tile returns in all of its r visits except the first, where r is the product of the
  // reductions outside.
  std::array<Index, max_memories> twice{};
  for (const std::size_t to : nest_.chain(Operand::O)) {
    const Sum& once = transfer_[to][index_of(Operand::O)];
    if (!returns || once.empty()) continue;
    const double longest = longest_[to][index_of(Operand::O)];
    const double known = program_.known_value(once);
    double back = 0;
    for (const ExtentChoice& choice : figures_.reductions_outside(to))
      if (program_.known()[choice.column] > 0.5) {
        const auto visits = product_of<double>(choice.extents);
        back = std::ceil(known * (visits - 1) / visits);
      }
    twice[to] = program_.add({.name = fmt::format("TR_{}", to),
                              .upper = std::max(1.0, longest),
                              .integer = true,
                              .meaning = figures_.meaning("T'-T", Operand::O, to)},
                             back);
    for (std::size_t c = 0; c < figures_.reductions_outside(to).size(); ++c) {
      const ExtentChoice choice = figures_.reductions_outside(to)[c];
      const auto visits = product_of<double>(choice.extents);
      if (visits > 1)
        program_.row(fmt::format("returns_{}_{}", to, c), Sum(twice[to]), Sense::at_least,
                     once * ((visits - 1) / visits) + (Sum(choice.column) - 1) * longest);
    }
  }
  for (std::size_t i = 0; i < slots; ++i)
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      const auto name = fmt::format("T_s{}_{}", i, letter(operand));
      const mip::Meaning what{.symbol = "T", .slot = static_cast<int>(i), .operand = static_cast<int>(x)};
      const bool output = returns && operand == Operand::O;
      const Index column = program_.add({.name = name, .upper = limit_, .meaning = what});
      const Index with_returns =
          output ? program_.add({.name = "TB" + name.substr(1), .upper = limit_, .meaning = what}) : column;
      for (const std::size_t to : nest_.chain(operand)) {
        Sum here;
        for (const Jump& jump : nest_.jumps(operand))
          if (jump.to == to && jump.gap == i + 1 && !jump.edge) here.add(jump.column, 1);
        if (here.empty() || transfer_[to][x].empty()) continue;
        const double longest = longest_[to][x];
        const Sum absent = (here - 1) * longest;
        program_.at_least(fmt::format("eq11_s{}_{}_{}", i, letter(operand), to), column,
                          transfer_[to][x] + absent);
        if (output)
          program_.at_least(fmt::format("eq11r_s{}_{}", i, to), with_returns,
                            transfer_[to][x] + Sum(twice[to]) + absent + (here - 1) * longest);
      }
      slot_transfer_[i][x] = Sum(column);
      if (operand == Operand::O) slot_returns_[i] = Sum(with_returns);
    }
}

}  // namespace nestor::cim
