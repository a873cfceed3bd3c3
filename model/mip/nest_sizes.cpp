// Eqs. 6 to 9: data sizes as one-hot choices, and capacities.
#include <fmt/format.h>

#include <algorithm>

#include "model/loopnest/tiles.h"
#include "model/mip/nest_figures.h"

namespace nestor::mip {
namespace {

// Variants of a size: the width of an output element, and a second buffer.
constexpr std::size_t variant_of(bool final, bool doubled) { return (final ? 1U : 0U) + (doubled ? 2U : 0U); }
constexpr bool is_final(std::size_t variant) { return (variant & 1U) != 0; }
constexpr bool is_doubled(std::size_t variant) { return (variant & 2U) != 0; }

}  // namespace

Meaning NestFigures::meaning(std::string_view symbol, Operand operand, std::size_t memory, int source) const {
  return {.symbol = symbol,
          .operand = static_cast<int>(index_of(operand)),
          .memory = static_cast<int>(memory),
          .source = source};
}

std::size_t NestFigures::next_inward(Operand operand, std::size_t memory) const {
  for (const std::size_t m : nest_.chain(operand))
    if (m > memory) return m;
  return memory;
}

const std::vector<ExtentChoice>& NestFigures::reductions_outside(std::size_t memory) {
  auto& choices = reductions_[memory];
  if (choices.empty())
    choices = nest_.choose_outside(fmt::format("VR_{}", memory), meaning("V^R", Operand::O, memory),
                                   layer_.reductions(), Operand::O, memory);
  return choices;
}

Sum NestFigures::reduced_above(std::size_t axis) {
  if (axis == 0) return 0.0;
  const auto found = reduced_.find(axis);
  if (found != reduced_.end()) return Sum(found->second);
  std::vector<Sum> of_axes;
  Sum any;
  for (std::size_t a = 0; a < axis; ++a) {
    Sum carries;
    for (const AxisChoice& choice : nest_.axis(a)) {
      bool reduces = false;
      for (const Dim dim : all_dims)
        reduces = reduces || (layer_.is_reduction(dim) && choice.node[index_of(dim)] != 0);
      if (reduces) carries.add(choice.column, 1);
    }
    any += carries;
    of_axes.push_back(std::move(carries));
  }
  const bool known = program_.known_value(any) > 0.5;
  const Index column = program_.add({.name = fmt::format("reduced_above_{}", axis),
                                     .upper = 1,
                                     .integer = true,
                                     .meaning = {.symbol = "reduced", .axis = static_cast<int>(axis)}},
                                    known);
  for (std::size_t a = 0; a < axis; ++a)
    program_.row(fmt::format("reduced_{}_{}", axis, a), Sum(column), Sense::at_least, of_axes[a]);
  program_.row(fmt::format("reduced_{}", axis), Sum(column), Sense::at_most, any);
  reduced_.emplace(axis, column);
  return Sum(column);
}

// Adds V^S of Eq. 7, a choice of the extents of the operand's tile, the width of its elements (section 4 of
// docs/models/cim.md) and its number of buffers. Returns the bits of all buffers together.
Sum NestFigures::size_of(Operand operand, std::size_t memory) {
  const Memory& place = machine_.memories[memory];
  const LayerShape& layer = layer_;
  const std::size_t next = next_inward(operand, memory);
  const bool widths = operand == Operand::O && next != memory && layer.bits.output != layer.bits.partial_sum;
  const Sum closed = widths ? complete(next) : Sum(0.0);
  const Sum reduced = widths ? reduced_above(place.axes_above) : Sum(0.0);
  const Sum doubled = nest_.doubled(operand, memory);
  const bool final_known =
      widths && program_.known_value(closed) > 0.5 && program_.known_value(reduced) < 0.5;
  const auto bits = [&](const Extents& extents, std::size_t variant) {
    return elements(layer, operand, extents) * layer.bits.of(operand, !is_final(variant));
  };
  ExtentQuery query{.name = fmt::format("VS_{}_{}", letter(operand), memory),
                    .meaning = meaning("V^S", operand, memory),
                    .dims = layer.relevance.of(operand),
                    .operand = operand,
                    .memory = memory,
                    .axis = place.axes_above,
                    .selected = nest_.used(operand, memory),
                    .variants = 4,
                    .known_variant = variant_of(final_known, program_.known_value(doubled) > 0.5)};
  query.allows = [&](const Extents& extents, std::size_t variant) {
    if ((is_final(variant) && !widths) || (is_doubled(variant) && doubled.empty())) return false;
    return bits(extents, variant) <= place.capacity / (is_doubled(variant) ? 2 : 1);
  };
  query.figure = [&](const Extents& extents, std::size_t variant) {
    return static_cast<double>(bits(extents, variant));
  };
  const auto choices = nest_.choose_extents(query);
  Sum final;
  Sum twice;
  Sum needed;
  for (const ExtentChoice& choice : choices) {
    const double figure = program_.columns()[choice.column].meaning.figure;
    if (is_final(choice.variant)) final.add(choice.column, 1);
    if (is_doubled(choice.variant)) twice.add(choice.column, 1);
    needed.add(choice.column, is_doubled(choice.variant) ? 2 * figure : figure);
  }
  program_.row(query.name + "_double", twice, Sense::equal, doubled);
  if (widths) {
    program_.row(query.name + "_complete", final, Sense::at_most, closed);
    program_.row(query.name + "_apart", final, Sense::at_most, Sum(1.0) - reduced);
    program_.row(query.name + "_final", final, Sense::at_least, query.selected + closed - reduced - 1);
  }
  size_[memory][index_of(operand)] = total(program_, choices);
  return needed;
}

// Adds Eq. 9. A memory in which all its operands fit completely needs no row.
void NestFigures::add_sizes(bool all) {
  for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
    const Memory& memory = machine_.memories[m];
    double whole = 0;
    std::vector<Operand> held;
    for (const Operand operand : all_operands) {
      const auto& chain = nest_.chain(operand);
      if (std::find(chain.begin(), chain.end(), m) == chain.end() || chain.front() == m) continue;
      held.push_back(operand);
      whole += static_cast<double>(whole_bits(layer_, operand)) * (memory.double_buffer ? 2 : 1);
    }
    if (held.empty() || (!all && whole <= static_cast<double>(memory.capacity))) continue;
    Sum needed;
    for (const Operand operand : held) needed += size_of(operand, m);
    if (memory.capacity != unlimited_capacity)
      program_.row(fmt::format("eq9_{}", m), needed, Sense::at_most, static_cast<double>(memory.capacity));
  }
}

}  // namespace nestor::mip
