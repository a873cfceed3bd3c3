// Hybrid row formulas (Eqs. 24 to 32; (6.1) to (6.5) of docs/models/pim.md). Products of loops are one-hot
// choices that are constrained by their prime exponents; the tile and its layout are a single choice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/loopnest/tiles.h"
#include "model/mip/pim/formulation.h"
#include "model/pim/rows/hybrid_rows.h"

namespace nestor::pim {

using mip::ExtentChoice;
using mip::ExtentQuery;
using mip::Sense;
using Product = mip::NestFigures::Product;
using ProductQuery = mip::NestFigures::ProductQuery;

namespace {

void add(std::map<Int, mip::Sum>& sum, const std::map<Int, mip::Sum>& more) {
  for (const auto& [prime, exponent] : more) sum[prime] += exponent;
}

// Returns the share of the positions at which a tile of I crosses no block border, for one block size.
SafeShare share_of(const LayerShape& layer, std::size_t direction, const Extents& tile, Int block) {
  const Dim outputs = direction == 0 ? Dim::P : Dim::Q;
  const Dim taps = direction == 0 ? Dim::R : Dim::S;
  const Int p = tile[index_of(outputs)];
  const Int r = tile[index_of(taps)];
  Int step = 0;  // greatest common divisor of the steps of the outside loops
  if (p < layer.bound(outputs)) step = std::gcd(step, p * layer.stride[direction]);
  if (r < layer.bound(taps)) step = std::gcd(step, r * layer.dilation[direction]);
  return safe_share(step, input_span(layer, direction, p, r), block);
}

SafeShare best_share(const LayerShape& layer, std::size_t direction, const Extents& tile) {
  const Int size = input_span(layer, direction, layer.bound(direction == 0 ? Dim::P : Dim::Q),
                              layer.bound(direction == 0 ? Dim::R : Dim::S));
  SafeShare best{0, 1};
  for (Int block = 1; block <= size; ++block) {
    if (size % block != 0) continue;
    const SafeShare share = share_of(layer, direction, tile, block);
    if (share.safe * best.period > best.safe * share.period) best = share;
  }
  return best;
}

}  // namespace

// Adds Eq. (6.1), and the repeats in the memory next to DRAM. Returns the exponents of the outer repeats, of
// all repeats including those in this memory, and of the loops that move the tile.
PimProgram::Repeats PimProgram::repeats(Operand operand) {
  const auto& lattices = nest_.lattices();
  const std::size_t home = nest_.chain(operand).front();
  const std::size_t inner = nest_.chain(operand).back();
  const char o = letter(operand);
  const std::size_t slots = nest_.slots();
  const auto binary = [&](std::string name, const char* symbol, std::size_t slot, bool known) {
    return program_.add({.name = std::move(name),
                         .upper = 1,
                         .integer = true,
                         .meaning = {.symbol = symbol,
                                     .slot = static_cast<int>(slot),
                                     .operand = static_cast<int>(index_of(operand))}},
                        known);
  };
  // 1 if a relevant loop is in this slot or further out.
  std::vector<Sum> moved(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    Sum seen;
    for (const mip::LoopChoice& choice : nest_.loops(i))
      if (problem_.layer.is_relevant(static_cast<Dim>(choice.dim), operand)) seen.add(choice.column, 1);
    const Sum before = i == 0 ? Sum(0.0) : moved[i - 1];
    const Sum either = before + seen;
    const Index column =
        binary(fmt::format("moved_s{}_{}", i, o), "moved", i, program_.known_value(either) > 0.5);
    moved[i] = Sum(column);
    program_.row(fmt::format("moved_a_s{}_{}", i, o), moved[i], Sense::at_least, before);
    program_.row(fmt::format("moved_b_s{}_{}", i, o), moved[i], Sense::at_least, seen);
    program_.row(fmt::format("moved_c_s{}_{}", i, o), moved[i], Sense::at_most, either);
  }
  // Flags of the slots at home before any relevant loop, and of the slots in the memory next to DRAM.
  std::vector<Sum> early(slots);
  std::vector<Sum> buffered(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    const std::size_t after_home = nest_.chain(operand)[1];
    const Sum at_home = Sum(1.0) - nest_.inside(i, operand, after_home);
    const bool known_early = program_.known_value(at_home) > 0.5 && program_.known_value(moved[i]) < 0.5;
    const Index is_early = binary(fmt::format("early_s{}_{}", i, o), "outer", i, known_early);
    early[i] = Sum(is_early);
    program_.row(fmt::format("early_a_s{}_{}", i, o), early[i], Sense::at_most, at_home);
    program_.row(fmt::format("early_b_s{}_{}", i, o), early[i], Sense::at_most, Sum(1.0) - moved[i]);
    program_.row(fmt::format("early_c_s{}_{}", i, o), early[i], Sense::at_least, at_home - moved[i]);
    for (const std::size_t to : nest_.chain(operand)) {
      const Sum direct = nest_.transfers(operand, home, to);
      if (to == home || to == inner || direct.empty()) continue;
      std::size_t next = to;
      for (const std::size_t m : nest_.chain(operand))
        if (m > to && next == to) next = m;
      const Sum there = nest_.inside(i, operand, to) - nest_.inside(i, operand, next);
      const bool known = program_.known_value(direct) > 0.5 && program_.known_value(there) > 0.5;
      const auto name = fmt::format("buffered_s{}_{}_{}", i, o, to);
      const Index column = binary(name, "buffered", i, known);
      program_.row(name + "_a", Sum(column), Sense::at_most, there);
      program_.row(name + "_b", Sum(column), Sense::at_most, direct);
      program_.row(name + "_c", Sum(column), Sense::at_least, there + direct - 1);
      buffered[i].add(column, 1);
    }
  }
  // Adds a column for the product of a count and one of these flags.
  const auto counted = [&](const std::string& name, std::size_t slot, std::size_t d, std::size_t k,
                           const Sum& flag) {
    const auto most = static_cast<double>(lattices[d].factors().factors[k].count);
    const Sum count = nest_.in_slot(slot, d, k);
    const Index column = program_.add({.name = name,
                                       .upper = most,
                                       .meaning = {.symbol = "repeats",
                                                   .slot = static_cast<int>(slot),
                                                   .dim = static_cast<int>(d),
                                                   .operand = static_cast<int>(index_of(operand))}},
                                      program_.known_value(count) * program_.known_value(flag));
    program_.row(name + "_a", Sum(column), Sense::at_most, count);
    program_.row(name + "_b", Sum(column), Sense::at_most, flag * most);
    program_.row(name + "_c", Sum(column), Sense::at_least, count + (flag - 1) * most);
    return Sum(column);
  };
  Repeats repeats;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (problem_.layer.is_relevant(static_cast<Dim>(d), operand)) {
      figures_.add_primes(repeats.tiles, d, [&](std::size_t k) {
        Sum outside = static_cast<double>(lattices[d].factors().factors[k].count);
        outside -= nest_.on_axes(0, d, k);
        return outside - nest_.in_content(operand, nest_.chain(operand)[1], d, k);
      });
      continue;
    }
    figures_.add_primes(repeats.outer, d, [&](std::size_t k) {
      Sum outer;
      for (std::size_t i = 0; i < slots; ++i)
        outer += counted(fmt::format("outer_s{}_{}_{}{}", i, o, letter(static_cast<Dim>(d)), k), i, d, k,
                         early[i]);
      return outer;
    });
    figures_.add_primes(repeats.all, d, [&](std::size_t k) {
      Sum all = static_cast<double>(lattices[d].factors().factors[k].count);
      all -= nest_.on_axes(0, d, k);
      all -= nest_.in_content(operand, nest_.chain(operand)[1], d, k);
      for (std::size_t i = 0; i < slots; ++i)
        if (!buffered[i].empty())
          all += counted(fmt::format("buffer_s{}_{}_{}{}", i, o, letter(static_cast<Dim>(d)), k), i, d, k,
                         buffered[i]);
      return all;
    });
  }
  return repeats;
}

// Adds Eqs. (6.2) to (6.5): a column for the rows of an operand, which is at least the number that the chosen
// layout opens.
void PimProgram::add_rows(Operand operand) {
  const auto x = index_of(operand);
  const LayerShape& layer = problem_.layer;
  const std::size_t home = nest_.chain(operand).front();
  const Memory& dram = problem_.machine.memories[home];
  const bool planes = has_planes(layer, operand);
  const bool aligned = problem_.layouts.contains(LayoutKind::row_aligned);
  const bool linear = problem_.layouts.contains(LayoutKind::sequential) ||
                      (planes && problem_.layouts.contains(LayoutKind::hwc)) || !aligned;
  const bool widths = operand == Operand::O && layer.bits.output != layer.bits.partial_sum;
  const Repeats of_loops = repeats(operand);
  const char o = letter(operand);
  const Coordinates tensor_box = tile_box(layer, operand, layer.bounds);
  Int tensor = 1;
  for (const Int size : tensor_box) tensor *= size;
  const auto row_elements = [&](bool open) { return dram.row / layer.bits.of(operand, open); };
  const auto stream = [&](bool open) {
    return static_cast<double>(std::max<Int>(1, ceil_divide(tensor, row_elements(open))));
  };
  // Variants of the tile: 0 is sequential or hwc and 1 row_aligned, plus 2 for final sums. The sums below
  // distinguish the layout, whether the tile divides a row, and the width.
  std::array<std::array<Sum, 2>, 2> sequential;  // indices: small, final
  Sum in_rows;
  Sum crossing;
  for (const std::size_t to : nest_.chain(operand)) {
    const Sum selected = nest_.transfers(operand, home, to);
    if (to == home || selected.empty()) continue;
    const bool is_final = widths && figures_.is_complete_known(to);
    const auto crossed = [&](const Extents& tile, bool in_blocks) {
      if (operand != Operand::I) return 0.0;
      const Int lines = std::max<Int>(1, row_elements(true) / tensor_box[3]);
      const SafeShare tall = in_blocks ? best_share(layer, 0, tile) : share_of(layer, 0, tile, lines);
      const SafeShare wide = in_blocks ? best_share(layer, 1, tile) : SafeShare{};
      return static_cast<double>(tall.period * wide.period - tall.safe * wide.safe) /
             static_cast<double>(tall.period * wide.period);
    };
    bool known_aligned = false;
    if (known_ != nullptr) known_aligned = known_->layouts[x].kind == LayoutKind::row_aligned;
    ExtentQuery query{.name = fmt::format("VB_{}_{}", o, to),
                      .meaning = figures_.meaning("x_layout", operand, to),
                      .dims = layer.relevance.of(operand),
                      .operand = operand,
                      .memory = to,
                      .axis = dram.axes_above,
                      .selected = selected,
                      .variants = 4,
                      .known_variant = (known_aligned ? 1U : 0U) + (is_final ? 2U : 0U)};
    query.allows = [&](const Extents&, std::size_t variant) {
      return ((variant & 1U) != 0 ? aligned : linear) && (variant < 2 || widths);
    };
    query.figure = [&](const Extents& tile, std::size_t variant) {
      return crossed(tile, (variant & 1U) != 0);
    };
    const auto choices = nest_.choose_extents(query);
    Sum finals;
    Sum opens;
    for (const ExtentChoice& choice : choices) {
      const bool final = choice.variant >= 2;
      (final ? finals : opens).add(choice.column, 1);
      Int tile = 1;
      for (const Int size : tile_box(layer, operand, choice.extents)) tile *= size;
      const Int row = row_elements(!final);
      const bool small = tile <= row && row % tile == 0;
      if ((choice.variant & 1U) != 0)
        in_rows.add(choice.column, 1);
      else
        sequential[small ? 1 : 0][final ? 1 : 0].add(choice.column, 1);
    }
    crossing += total(program_, choices);
    if (!widths) continue;
    program_.row(query.name + "_final", finals, Sense::at_most, figures_.complete(to));
    program_.row(query.name + "_open", opens, Sense::at_most, Sum(1.0) - figures_.complete(to));
  }
  const double each = problem_.follows_latency() ? static_cast<double>(dram.activation_cycles) : 0;
  const auto fits = [&](double rows) { return rows < 1e15 && rows * each <= limit_; };
  Sum rows;
  double most = 0;
  const auto add_product = [&](const std::string& name, const Sum& selected,
                               const std::map<Int, Sum>& exponents, double factor) {
    if (selected.empty()) return;
    ProductQuery query{
        .name = name, .meaning = {.symbol = "rows", .operand = static_cast<int>(x)}, .exponents = exponents};
    query.selected = selected;
    query.allows = [&](double value) { return fits(value * factor); };
    for (const Product& product : figures_.choose_product(query)) {
      rows.add(product.column, product.value * factor);
      most = std::max(most, product.value * factor);
    }
  };
  for (const bool small : {false, true})
    for (const bool final : {false, true})
      add_product(fmt::format("VR_{}_{}{}", o, small ? "small" : "large", final ? "_final" : ""),
                  sequential[small ? 1 : 0][final ? 1 : 0], small ? of_loops.outer : of_loops.all,
                  stream(!final));
  std::map<Int, Sum> tiles = of_loops.outer;
  add(tiles, of_loops.tiles);
  add_product(fmt::format("VR_{}_aligned", o), in_rows, tiles, 1);
  const Index column = program_.add({.name = fmt::format("rows_{}", o),
                                     .upper = each > 0 ? std::floor(limit_ / each) : 1e15,
                                     .integer = true,
                                     .meaning = {.symbol = "row_acts", .operand = static_cast<int>(x)}});
  rows_[x] = Sum(column);
  double known = program_.known_value(rows);
  if (!crossing.empty()) {  // eq. (6.5): each tile across a border opens two rows, for all inner repeats
    std::map<Int, Sum> exponents = of_loops.tiles;
    add(exponents, of_loops.all);
    for (const auto& [prime, outer] : of_loops.outer) exponents[prime] -= outer;
    ProductQuery query{.name = fmt::format("VX_{}", o),
                       .meaning = {.symbol = "crossings", .operand = static_cast<int>(x)},
                       .exponents = exponents};
    const Index crossed = program_.add({.name = fmt::format("crossed_{}", o), .upper = 1e15});
    for (const Product& product : figures_.choose_product(query))
      program_.at_least(fmt::format("eq30_{}_{}", o, product.column), crossed,
                        crossing * (2 * product.value) + (Sum(product.column) - 1) * (2 * product.value));
    rows += Sum(crossed);
    known = program_.known_value(rows);
  }
  program_.at_least(fmt::format("eq32_{}", o), column, rows);
  program_.set_known(column, std::ceil(known - 1e-9));
}

}  // namespace nestor::pim
