// Energy (section 7 of docs/models/cim.md) as a sum over one-hot choices, each weighted with a constant.
//
// The bits that cross the boundary between two memories in all lanes together are, for elements of width b,
//     b * MACs * g / (product of the extents of the irrelevant dimensions).
// The extents are those of the tile, including the axes below the memory at which the bits are counted. g is
// the number of elements of the tile divided by the product of its relevant extents. It is 1 except for
// overlapping windows of inputs. Therefore, one choice of these extents (V^E) determines the energy of a
// transfer at either end.
#include <fmt/format.h>

#include "model/loopnest/tiles.h"
#include "model/mip/nest_figures.h"

namespace nestor::mip {

double window_share(const LayerShape& layer, Operand operand, const Extents& extents) {
  double product = 1;
  for (const Dim dim : all_dims)
    if (layer.is_relevant(dim, operand)) product *= static_cast<double>(extents[index_of(dim)]);
  return static_cast<double>(elements(layer, operand, extents)) / product;
}

DimSet counted_dims(const LayerShape& layer, Operand operand) {
  DimSet dims;
  for (const Dim dim : all_dims)
    if (!layer.is_relevant(dim, operand)) dims.insert(dim);
  const std::array<std::array<Dim, 2>, 2> windows = {{{Dim::P, Dim::R}, {Dim::Q, Dim::S}}};
  for (std::size_t direction = 0; direction < windows.size(); ++direction) {
    const auto [outputs, taps] = windows[direction];
    const bool plain = layer.bound(taps) == 1 && layer.stride[direction] == 1;
    if (!slides(layer, operand, direction) || plain) continue;
    dims.insert(outputs);
    dims.insert(taps);
  }
  return dims;
}

// Returns V^E: the number of elements that cross a boundary, in all lanes, over the whole layer.
Sum NestFigures::passes(const std::string& name, Operand operand, std::size_t memory, std::size_t axis,
                        const Sum& selected) {
  const LayerShape& layer = layer_;
  ExtentQuery query{.name = name,
                    .meaning = {.symbol = "V^E",
                                .operand = static_cast<int>(index_of(operand)),
                                .memory = memory == ExtentQuery::no_memory ? -1 : static_cast<int>(memory)},
                    .dims = counted_dims(layer, operand),
                    .operand = operand,
                    .memory = memory,
                    .axis = axis,
                    .selected = selected};
  const double macs = product_of<double>(layer.bounds);
  query.figure = [&](const Extents& extents, std::size_t) {
    double unseen = 1;
    for (const Dim dim : all_dims)
      if (!layer.is_relevant(dim, operand)) unseen *= static_cast<double>(extents[index_of(dim)]);
    return macs * window_share(layer, operand, extents) / unseen;
  };
  return total(program_, nest_.choose_extents(query));
}

// Returns the correction of the energy of a transfer of O, for which passes() assumes that every tile moves
// in and out at partial-sum width. The first visit of a tile fetches nothing, and complete tiles move out at
// the width of outputs. `in`, `out`: pJ per bit. `one_lane`: tiles move out at partial-sum width if several
// lanes share outputs.
Sum NestFigures::returned(const std::string& name, std::size_t memory, std::size_t axis, const Sum& selected,
                          double in, double out, bool one_lane) {
  const LayerShape& layer = layer_;
  static_cast<void>(complete(memory));
  ExtentQuery query{.name = name,
                    .meaning = meaning("V^A", Operand::O, memory),
                    .dims = layer.reductions(),
                    .operand = Operand::O,
                    .axis_end = axis,
                    .selected = selected,
                    .variants = 2,
                    .known_variant = is_complete_known(memory) ? 1U : 0U};
  double distinct = 1;  // number of distinct outputs
  for (const Dim dim : all_dims)
    if (!layer.is_reduction(dim)) distinct *= static_cast<double>(layer.bound(dim));
  const auto sum = static_cast<double>(layer.bits.partial_sum);
  const auto narrower = sum - static_cast<double>(layer.bits.output);
  query.figure = [&](const Extents& extents, std::size_t variant) {
    const double lanes = product_of<double>(extents);
    double saved = in * sum * lanes;
    if (variant == 1 && (!one_lane || lanes == 1)) saved += out * narrower * lanes;
    return -distinct * saved;
  };
  const auto choices = nest_.choose_extents(query);
  Sum finals;
  Sum opens;
  for (const ExtentChoice& choice : choices) (choice.variant == 1 ? finals : opens).add(choice.column, 1);
  program_.row(name + "_complete", finals, Sense::at_most, complete(memory));
  program_.row(name + "_open", opens, Sense::at_most, Sum(1.0) - complete(memory));
  return total(program_, choices);
}

// Returns the energy (7.3) of the transfers of I or W.
Sum NestFigures::operand_energy(Operand operand) {
  const auto& memories = machine_.memories;
  const auto bits = static_cast<double>(layer_.bits.of(operand));
  Sum energy;
  for (const std::size_t to : nest_.chain(operand))
    for (const std::size_t from : nest_.chain(operand)) {
      const Sum selected = nest_.transfers(operand, from, to);
      if (from >= to || selected.empty() || memories[from].read_energy == 0) continue;
      energy += passes(fmt::format("VE_{}_{}_{}", letter(operand), from, to), operand, to,
                       memories[from].axes_above, selected) *
                (bits * memories[from].read_energy);
    }
  for (const std::size_t to : nest_.chain(operand))
    if (to != nest_.chain(operand).front() && memories[to].write_energy != 0)
      energy += passes(fmt::format("VE_{}_{}", letter(operand), to), operand, to, memories[to].axes_above,
                       nest_.used(operand, to)) *
                (bits * memories[to].write_energy);
  return energy;
}

// Returns the energy (7.4) of the transfers of O.
Sum NestFigures::output_energy() {
  const auto& memories = machine_.memories;
  const auto sum = static_cast<double>(layer_.bits.partial_sum);
  Sum energy;
  for (const std::size_t to : nest_.chain(Operand::O)) {
    for (const std::size_t from : nest_.chain(Operand::O)) {
      const Sum selected = nest_.transfers(Operand::O, from, to);
      const double both = memories[from].read_energy + memories[from].write_energy;
      if (from >= to || selected.empty() || both == 0) continue;
      const auto label = fmt::format("{}_{}", from, to);
      energy += passes("VE_O_" + label, Operand::O, to, memories[from].axes_above, selected) * (sum * both);
      energy += returned("VA_" + label, to, memories[from].axes_above, selected, memories[from].read_energy,
                         memories[from].write_energy, false);
    }
    const double both = memories[to].read_energy + memories[to].write_energy;
    if (to == nest_.chain(Operand::O).front() || both == 0) continue;
    energy += passes(fmt::format("VE_O_{}", to), Operand::O, to, memories[to].axes_above,
                     nest_.used(Operand::O, to)) *
              (sum * both);
    energy += returned(fmt::format("VA_{}", to), to, memories[to].axes_above, nest_.used(Operand::O, to),
                       memories[to].write_energy, memories[to].read_energy, true);
  }
  return energy;
}

// Returns the energy of all transfers, and of the accesses to the innermost memories in every step (7.5).
Sum NestFigures::energy(bool reads_weights) {
  Sum energy = operand_energy(Operand::I) + operand_energy(Operand::W) + output_energy();
  const auto add_steps = [&](Operand operand, double per_bit) {
    if (per_bit == 0) return;
    const std::size_t axis = machine_.memories[machine_.innermost(operand)].axes_above;
    energy +=
        passes(fmt::format("VE_array_{}", letter(operand)), operand, ExtentQuery::no_memory, axis, 1.0) *
        (static_cast<double>(layer_.bits.of(operand, true)) * per_bit);
  };
  const auto innermost = [&](Operand operand) { return machine_.memories[machine_.innermost(operand)]; };
  add_steps(Operand::I, innermost(Operand::I).read_energy);
  if (reads_weights) add_steps(Operand::W, innermost(Operand::W).read_energy);
  add_steps(Operand::O, innermost(Operand::O).read_energy + innermost(Operand::O).write_energy);
  return energy;
}

}  // namespace nestor::mip
