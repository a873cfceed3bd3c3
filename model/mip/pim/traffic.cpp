// Eqs. 22, 23 and 38: cycles of every memory's port for each operand, rounded up, as one-hot choices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/loopnest/tiles.h"
#include "model/mip/pim/formulation.h"

namespace nestor::pim {

using mip::ExtentChoice;
using mip::ExtentQuery;
using mip::Sense;
using Product = mip::NestFigures::Product;

double PimProgram::latency_limit(std::optional<double> best) const {
  double worst = static_cast<double>(problem_.machine.mvm_cycles);
  for (const Memory& memory : problem_.machine.memories) {
    const auto rates = port_rates(memory);
    for (const Operand operand : all_operands)
      worst += 2 * static_cast<double>(whole_bits(problem_.layer, operand)) *
                   (1 / static_cast<double>(rates.read) + 1 / static_cast<double>(rates.write)) +
               static_cast<double>(memory.activation_cycles) * 4 *
                   static_cast<double>(elements(problem_.layer, operand, problem_.layer.bounds)) +
               static_cast<double>(memory.access_latency) + 2;
  }
  double limit = worst * product_of<double>(problem_.layer.bounds) +
                 static_cast<double>(problem_.machine.reduction_latency);
  if (problem_.constraints.limits_latency())
    limit = std::min(limit, static_cast<double>(problem_.constraints.max_latency));
  if (!best) return std::floor(limit);
  const NestObjective& objective = problem_.objective;
  double weight = objective.leakage;
  double rest = *best - energy_floor(problem_);
  if (objective.kind == ObjectiveKind::latency) {
    weight = 1;
    rest = *best;
  } else if (objective.kind == ObjectiveKind::blended) {
    weight = objective.latency_weight + objective.additive_weight * objective.leakage;
    rest = *best - objective.additive_weight * energy_floor(problem_);
  }
  if (weight > 0) limit = std::min(limit, rest / weight * (1 + 1e-9) + 1e-6);
  return std::floor(limit);
}

// Returns a choice of the product of the factors on the axes [0, axis); with `outputs_only`, only of the
// dimensions relevant to O.
const PimProgram::Lanes& PimProgram::lanes_above(std::size_t axis, bool outputs_only) {
  const std::size_t key = 2 * axis + (outputs_only ? 1U : 0U);
  const auto found = lanes_.find(key);
  if (found != lanes_.end()) return found->second;
  Lanes& lanes = lanes_[key];
  if (axis == 0) return lanes;
  lanes.fixed = false;
  mip::NestFigures::ProductQuery query{.name = fmt::format("VL_{}{}", axis, outputs_only ? "_O" : ""),
                                       .meaning = {.symbol = "lanes", .axis = static_cast<int>(axis)},
                                       .exponents = {}};
  double most = 1;
  for (std::size_t a = 0; a < axis; ++a) most *= static_cast<double>(problem_.machine.axes[a].size);
  query.allows = [most](double value) { return value <= most; };
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!outputs_only || problem_.layer.is_relevant(static_cast<Dim>(d), Operand::O))
      figures_.add_primes(query.exponents, d,
                          [&](std::size_t k) { return nest_.on_axes(0, d, k) - nest_.on_axes(axis, d, k); });
  lanes.products = figures_.choose_product(query);
  return lanes;
}

// Returns the cycles of moving I or W from one instance of `from` to the content of `to` or, without `to`,
// the cycles in which `from` serves all steps of any operand. The number of bits is width * MACs *
// window_share(), divided by the extents of irrelevant dimensions and the lanes above.
mip::Sum PimProgram::moved(const std::string& name, Operand operand, std::size_t from, std::size_t to,
                           const Sum& selected) {
  const LayerShape& layer = problem_.layer;
  const Memory& source = problem_.machine.memories[from];
  const bool serves = to == ExtentQuery::no_memory;
  const Lanes& lanes = lanes_above(source.axes_above, false);
  const bool output = operand == Operand::O;
  const Int width = layer.bits.of(operand, output);
  const double macs = product_of<double>(layer.bounds);
  ExtentQuery query{.name = name,
                    .meaning = figures_.meaning("V^T", operand, from),
                    .dims = mip::counted_dims(layer, operand),
                    .operand = operand,
                    .memory = to,
                    .axis = source.axes_above,
                    .selected = selected,
                    .variants = lanes.fixed ? 1 : lanes.products.size()};
  for (std::size_t v = 0; v < lanes.products.size(); ++v)
    if (program_.known()[lanes.products[v].column] > 0.5) query.known_variant = v;
  const auto bits = [&](const Extents& extents, std::size_t variant) {
    double unseen = lanes.fixed ? 1 : lanes.products[variant].value;
    for (const Dim dim : all_dims)
      if (!layer.is_relevant(dim, operand)) unseen *= static_cast<double>(extents[index_of(dim)]);
    return macs * mip::window_share(layer, operand, extents) / unseen * static_cast<double>(width);
  };
  query.figure = [&](const Extents& extents, std::size_t variant) {
    const auto whole = static_cast<Int>(std::llround(std::min(bits(extents, variant), 9e18)));
    return static_cast<double>(port_cycles(source, whole, serves && output ? whole : 0));
  };
  query.allows = [&](const Extents& extents, std::size_t variant) {
    const double value = bits(extents, variant);
    return value < 9e18 && std::abs(value - std::round(value)) <= 1e-6 * std::max(1.0, value * 1e-6) &&
           query.figure(extents, variant) <= limit_;
  };
  const auto choices = nest_.choose_extents(query);
  for (std::size_t v = 0; v < lanes.products.size(); ++v) {
    Sum chosen;
    for (const ExtentChoice& choice : choices)
      if (choice.variant == v) chosen.add(choice.column, 1);
    program_.row(fmt::format("{}_lanes_{}", name, v), chosen, Sense::at_most, Sum(lanes.products[v].column));
  }
  return total(program_, choices);
}

// Returns the cycles of moving O: partial sums return in all of the r visits to a tile except the first,
// where r is the product of the reductions outside.
mip::Sum PimProgram::output_moved(const std::string& name, std::size_t from, std::size_t to,
                                  const Sum& selected) {
  const LayerShape& layer = problem_.layer;
  const Memory& source = problem_.machine.memories[from];
  const Lanes& lanes = lanes_above(source.axes_above, true);
  double outputs = 1;
  for (const Dim dim : all_dims)
    if (layer.is_relevant(dim, Operand::O)) outputs *= static_cast<double>(layer.bound(dim));
  const auto visits = figures_.reductions_outside(to);
  const bool is_made = program_.known_value(selected) > 0.5;
  std::vector<Sum> of_lanes(lanes.products.size());
  Sum one;
  Sum cycles;
  for (std::size_t c = 0; c < visits.size(); ++c) {
    Sum of_visits;
    for (std::size_t v = 0; v < (lanes.fixed ? 1 : lanes.products.size()); ++v) {
      const double share = outputs / (lanes.fixed ? 1 : lanes.products[v].value);
      if (share != std::floor(share)) continue;
      const auto times = product_of<double>(visits[c].extents);
      const auto bits = static_cast<Int>(share) * layer.bits.of(Operand::O, times > 1);
      const double in = static_cast<double>(bits) * (times - 1);
      const double out = static_cast<double>(bits) * times;
      if (out > 4e18) continue;
      const auto figure =
          static_cast<double>(port_cycles(source, static_cast<Int>(in), static_cast<Int>(out)));
      if (figure > limit_) continue;
      mip::Meaning meaning = figures_.meaning("V^T", Operand::O, to, static_cast<int>(from));
      meaning.extents = visits[c].extents;
      meaning.figure = figure;
      const bool known = is_made && program_.known()[visits[c].column] > 0.5 &&
                         (lanes.fixed || program_.known()[lanes.products[v].column] > 0.5);
      const Index column = program_.add(
          {.name = fmt::format("{}_{}_{}", name, c, v), .upper = 1, .integer = true, .meaning = meaning},
          known);
      one.add(column, 1);
      cycles.add(column, figure);
      of_visits.add(column, 1);
      if (!lanes.fixed) of_lanes[v].add(column, 1);
    }
    program_.row(fmt::format("{}_visits_{}", name, c), of_visits, Sense::at_most, Sum(visits[c].column));
  }
  for (std::size_t v = 0; v < of_lanes.size(); ++v)
    program_.row(fmt::format("{}_lanes_{}", name, v), of_lanes[v], Sense::at_most,
                 Sum(lanes.products[v].column));
  program_.row(name + "_one", one, Sense::equal, selected);
  return cycles;
}

void PimProgram::add_traffic() {
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    for (const std::size_t to : nest_.chain(operand))
      for (const std::size_t from : nest_.chain(operand)) {
        const Sum selected = nest_.transfers(operand, from, to);
        if (from >= to || selected.empty()) continue;
        const auto name = fmt::format("VT_{}_{}_{}", letter(operand), from, to);
        cycles_[from][x] += operand == Operand::O ? output_moved(name, from, to, selected)
                                                  : moved(name, operand, from, to, selected);
      }
    const std::size_t inner = problem_.machine.innermost(operand);
    cycles_[inner][x] +=
        moved(fmt::format("VT_{}_steps", letter(operand)), operand, inner, ExtentQuery::no_memory, 1.0);
  }
}

}  // namespace nestor::pim
