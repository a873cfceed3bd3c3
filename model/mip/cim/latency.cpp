// Eqs. 12 and 13 and Table III: the critical path L and the processing latency P of every slot, from the
// innermost outward. All rows are valid for every buffering of a slot. Rows for a buffering that the slot
// does not use are redundant or disabled.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/mip/cim/formulation.h"

namespace nestor::cim {

using mip::Jump;
using mip::LoopChoice;
using mip::Sense;

namespace {

// Returns X^N of an operand's transfers in a slot; with `doubled_only`, psi^DL (Eq. 12) of its
// double-buffered transfers.
mip::Sum transfers_in(const mip::NestProgram& nest, std::size_t slot, Operand operand, bool doubled_only) {
  mip::Sum sum;
  for (const Jump& jump : nest.jumps(operand))
    if (jump.gap == slot + 1 && !jump.edge && (jump.doubled || !doubled_only)) sum.add(jump.column, 1);
  return sum;
}

// Returns the columns of a slot's loops, grouped by their factor N (V^F).
std::map<Int, mip::Sum> by_factor(const mip::NestProgram& nest, std::size_t slot) {
  std::map<Int, mip::Sum> loops;
  for (const LoopChoice& choice : nest.loops(slot))
    loops[nest.lattices()[choice.dim].nodes()[choice.node].value].add(choice.column, 1);
  return loops;
}

}  // namespace

// Adds L_i: at least each operand's transfer and its processing latency inside the slot, or their sum if the
// transfer is single-buffered.
void MiredoProgram::add_period(std::size_t slot) {
  const auto number = static_cast<int>(slot);
  const Index period = program_.add(
      {.name = fmt::format("L_s{}", slot), .upper = 4 * limit_, .meaning = {.symbol = "L", .slot = number}});
  period_[slot] = Sum(period);
  const bool innermost = slot + 1 == nest_.slots();
  const auto mvm = static_cast<double>(problem_.machine.mvm_cycles);
  if (innermost) program_.at_least(fmt::format("L_mvm_s{}", slot), period, mvm);
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const Sum inner = innermost ? Sum(mvm) : processing_[slot + 1][x];
    const Sum& moved = operand == Operand::O ? slot_returns_[slot] : slot_transfer_[slot][x];
    const auto label = fmt::format("s{}_{}", slot, letter(operand));
    program_.at_least("L_single_" + label, period,
                      moved + inner - transfers_in(nest_, slot, operand, true) * limit_);
    if (innermost || !transfers_in(nest_, slot, operand, true).empty()) {
      program_.at_least("L_transfer_" + label, period, moved);
      program_.at_least("L_inner_" + label, period, inner);
    }
  }
}

void MiredoProgram::add_latency() {
  const std::size_t slots = nest_.slots();
  period_.resize(slots);
  processing_.resize(slots);
  std::vector<Sum> waited(slots);  // L_i (N_i - 1)
  for (std::size_t i = slots; i-- > 0;) {
    add_period(i);
    const Index period = period_[i].terms().front().index;
    if (i + 1 < slots)  // L_i >= L_{i+1} N_{i+1}
      program_.at_least(fmt::format("L_critical_s{}", i), period, period_[i + 1] + waited[i + 1]);
    const double known = program_.known()[period];
    const auto part = [&](Int factor, const Sum& chosen, double most) {
      const mip::Meaning what{.symbol = "L V^F", .slot = static_cast<int>(i), .factor = factor};
      const Index column =
          program_.add({.name = fmt::format("L_s{}_n{}", i, factor), .upper = most, .meaning = what},
                       program_.known_value(chosen) > 0.5 ? known : 0);
      program_.row(fmt::format("VF_s{}_n{}", i, factor), Sum(column), Sense::at_most, chosen * most);
      return column;
    };
    Sum parts(part(1, Sum(nest_.idle(i)), 4 * limit_));
    for (const auto& [factor, chosen] : by_factor(nest_, i)) {
      const auto more = static_cast<double>(factor - 1);
      const Index column = part(factor, chosen, std::floor(limit_ / more));
      parts.add(column, 1);
      waited[i].add(column, more);
    }
    program_.row(fmt::format("L_parts_s{}", i), Sum(period), Sense::equal, parts);
    for (const Operand operand : all_operands) add_processing(i, operand, waited[i]);
  }
  add_total(waited);
  add_steps();
}

// Adds P_i of Table III. Each row is valid for every buffering, or psi^DL disables it.
void MiredoProgram::add_processing(std::size_t slot, Operand operand, const Sum& waited) {
  const auto x = index_of(operand);
  const auto label = fmt::format("s{}_{}", slot, letter(operand));
  const Index column = program_.add(
      {.name = "P_" + label,
       .upper = 4 * limit_,
       .meaning = {.symbol = "P", .slot = static_cast<int>(slot), .operand = static_cast<int>(x)}});
  processing_[slot][x] = Sum(column);
  const Sum inner = slot + 1 == nest_.slots() ? Sum(static_cast<double>(problem_.machine.mvm_cycles))
                                              : processing_[slot + 1][x];
  const Sum& period = period_[slot];
  const Sum& moved = slot_transfer_[slot][x];
  const Sum any = transfers_in(nest_, slot, operand, false);
  const Sum doubled = transfers_in(nest_, slot, operand, true);
  if (operand == Operand::O) {
    program_.at_least("P_none_" + label, column, waited + inner);
    if (problem_.objective.latency_model == LatencyModel::miredo) {
      program_.at_least("P_single_" + label, column, waited + moved * 2 + inner - doubled * limit_);
      if (doubled.empty()) return;
      program_.at_least("P_double_a_" + label, column, waited + moved * 2);
      program_.at_least("P_double_b_" + label, column, waited + moved + inner);
    } else {  // eq. (6b.2)
      program_.at_least("P_single_" + label, column,
                        waited + slot_returns_[slot] + inner - doubled * (2 * limit_));
      if (!doubled.empty()) program_.at_least("P_double_" + label, column, waited + moved);
    }
    return;
  }
  program_.at_least("P_none_" + label, column, waited + inner - any * (2 * limit_));
  program_.at_least("P_single_" + label, column, waited - period + moved * 2 + inner - doubled * limit_);
  if (doubled.empty()) return;
  program_.at_least("P_double_a_" + label, column, waited - period * 2 + moved * 3);
  program_.at_least("P_double_b_" + label, column, waited - period * 2 + moved * 2 + inner);
  for (const auto& [factor, chosen] : by_factor(nest_, slot)) {  // T_i N_i
    const auto times = static_cast<double>(factor);
    program_.at_least(fmt::format("P_stream_{}_n{}", label, factor), column,
                      moved * times + (chosen - 1) * (limit_ * times));
  }
}

// Adds the latency, eq. (6.5) or (6b.3), with the fills and drains outside all loops.
void MiredoProgram::add_total(const std::vector<Sum>& waited) {
  const bool stall = problem_.objective.latency_model == LatencyModel::stall;
  const auto mvm = static_cast<double>(problem_.machine.mvm_cycles);
  latency_ = program_.add({.name = "latency", .upper = limit_, .meaning = {.symbol = "latency"}});
  const Index first = program_.add({.name = "fill", .upper = limit_, .meaning = {.symbol = "fill"}});
  const Index last = program_.add({.name = "drain", .upper = limit_, .meaning = {.symbol = "drain"}});
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const Index column = operand == Operand::O ? last : first;
    Sum all;
    for (const std::size_t to : nest_.chain(operand)) {
      all += transfer_[to][x];
      Sum edge;
      for (const Jump& jump : nest_.jumps(operand))
        if (jump.to == to && jump.edge) edge.add(jump.column, 1);
      if (!stall && !edge.empty())
        program_.at_least(fmt::format("edge_{}_{}", letter(operand), to), column,
                          transfer_[to][x] + (edge - 1) * longest_[to][x]);
    }
    if (stall) program_.at_least(fmt::format("edge_{}", letter(operand)), column, all);
  }
  const Sum edges = Sum(first) + Sum(last);
  if (stall) {
    Sum steady = edges + mvm;
    for (const Sum& slot : waited) steady += slot;
    program_.at_least("eq14_latency", latency_, steady);
    return;
  }
  for (const Operand operand : all_operands)
    program_.at_least(fmt::format("eq14_latency_{}", letter(operand)), latency_,
                      edges + (waited.empty() ? Sum(mvm) : processing_[0][index_of(operand)]));
}

// Adds a cut that all solutions satisfy: every temporal step takes an MVM.
void MiredoProgram::add_steps() {
  program_.row("steps", Sum(latency_), Sense::at_least,
               figures_.steps(static_cast<double>(problem_.machine.mvm_cycles), limit_));
}

}  // namespace nestor::cim
