#include "model/cim/linear/relaxation_program.h"

#include <algorithm>
#include <cmath>

namespace nestor::cim {
namespace {

using simplex::Entry;
using simplex::Index;
using simplex::infinity;
using simplex::no_index;

// Spacing of the tangent points in the exponent. Between them, tangents are at most 3 % below the
// exponential.
constexpr double tangent_spacing = 0.5;

// Dimensions that represent the extents of a window of I: P or R for the height, Q or S for the width.
struct HaloChoice {
  Dim along_height = Dim::P;
  Dim along_width = Dim::Q;
  Dim left_height() const { return along_height == Dim::P ? Dim::R : Dim::P; }
  Dim left_width() const { return along_width == Dim::Q ? Dim::S : Dim::Q; }
};

constexpr std::array<HaloChoice, 4> halo_choices{
    {{Dim::P, Dim::Q}, {Dim::P, Dim::S}, {Dim::R, Dim::Q}, {Dim::R, Dim::S}}};

// Returns the dimensions whose extents multiply to the elements of a tile, or to fewer for windows.
DimSet counted_dims(const LayerShape& layer, Operand operand, const HaloChoice& halo) {
  if (operand != Operand::I) return layer.relevance.of(operand);
  return DimSet::of(Dim::N, Dim::C, Dim::G, halo.along_height, halo.along_width);
}

class Builder {
 public:
  Builder(RelaxedCost cost, const SpatialSetting& setting, const UsePattern& pattern,
          const ContentLimits& limits)
      : cost_(cost), setting_(setting), pattern_(pattern), limits_(limits) {}
  RelaxationProgram build();

 private:
  using Terms = std::vector<Entry>;

  std::size_t choices(Operand operand) const { return operand == Operand::I ? halo_choices.size() : 1; }
  void add_contents(Operand operand);
  void add_transfers(Operand operand);
  void add_input_or_weight(Operand operand, std::size_t src, std::size_t m, const Content& content);
  void add_output(std::size_t src, std::size_t m, const Content& content);
  void add_output_energy(std::size_t src, std::size_t m, double distinct, Index visits, double greatest);
  void add_output_cycles(std::size_t src, double distinct, Index visits, double greatest);
  double cost_of(std::size_t src, std::size_t m, DimSet dims, double bits) const;
  void add_cycles();
  void add_capacity(std::size_t memory);
  simplex::Interval log_extents(const ContentLimits::Content& limits, Dim dim) const;
  Terms logs(const Content& content, DimSet dims) const;
  double elements(std::size_t m, DimSet dims) const;
  double element_bits(Operand operand, std::size_t m) const;
  void add_exponential(Index column, Terms exponent, double constant, double low, double high);

  RelaxedCost cost_;
  const SpatialSetting& setting_;
  const UsePattern& pattern_;
  const ContentLimits& limits_;
  RelaxationProgram result_;
  double least_cycles_ = 0;  // cycles of one MVM per step
  Index cycles_ = no_index;  // column of t, in multiples of least_cycles_
  std::array<std::vector<std::size_t>, operand_count> contents_of_;
};

Builder::Terms Builder::logs(const Content& content, DimSet dims) const {
  Terms terms;
  for (const Dim dim : all_dims)
    if (dims.contains(dim) && content.log_extent[index_of(dim)] != no_index)
      terms.push_back({content.log_extent[index_of(dim)], 1.0});
  return terms;
}

// Returns the elements of the spatial part of a tile in one instance of memory m.
double Builder::elements(std::size_t m, DimSet dims) const {
  double product = 1;
  for (const Dim dim : all_dims)
    if (dims.contains(dim)) product *= setting_.below(m, dim);
  return product;
}

// Adds column >= exp(exponent + constant) by tangents, for exponents (including the constant) within [low,
// high]. With slope s > 0, exp(y) >= s * (1 - ln s) + s * y for all y. Rows are divided by s.
void Builder::add_exponential(Index column, Terms exponent, double constant, double low, double high) {
  for (Entry& entry : exponent) entry.value = -entry.value;
  const int count = static_cast<int>(std::ceil((high - low) / tangent_spacing));
  for (int k = 0; k <= count; ++k) {
    const double at = count == 0 ? low : low + (high - low) * k / count;
    const double slope = std::exp(at);
    Terms row = exponent;
    row.push_back({column, 1 / slope});
    // The rounding of 1 / slope and of its logarithm is well within the margin.
    const double right = 1 - std::log(slope) + constant;
    result_.program.add_row({right - setting_.margin - relative_margin * (2 + std::abs(at)), infinity}, row);
  }
}

// Returns the interval of the logarithm of a content's extent, rounded outward; the logarithm of 1 is exact.
simplex::Interval Builder::log_extents(const ContentLimits::Content& limits, Dim dim) const {
  const std::size_t d = index_of(dim);
  const auto most = static_cast<double>(std::min(limits.most[d], setting_.temporal[d]));
  const auto least = static_cast<double>(limits.least[d]);
  return {least > 1 ? setting_.log_down(least) : 0, setting_.log_up(most)};
}

void Builder::add_contents(Operand operand) {
  const auto& used = pattern_[index_of(operand)];
  for (std::size_t i = 1; i < used.size(); ++i) {
    const ContentLimits::Content& limits = limits_.content[used[i]][index_of(operand)];
    Content content;
    content.operand = operand;
    content.memory = used[i];
    content.log_extent.fill(no_index);
    for (const Dim dim : all_dims) {
      const Int bound = setting_.temporal[index_of(dim)];
      if (bound == 1) continue;
      const Index column = result_.program.add_column(0, log_extents(limits, dim));
      content.log_extent[index_of(dim)] = column;
      if (i == 1) continue;
      const Index outer = result_.contents.back().log_extent[index_of(dim)];
      const std::array<Entry, 2> nested{{{outer, 1.0}, {column, -1.0}}};
      result_.program.add_row({0, infinity}, nested);
    }
    contents_of_[index_of(operand)].push_back(result_.contents.size());
    result_.contents.push_back(content);
  }
}

// Returns the cost of all inward transfers if the content contains no irrelevant temporal loop. An element
// has `bits` bits.
double Builder::cost_of(std::size_t src, std::size_t m, DimSet dims, double bits) const {
  const Memory& outer = setting_.machine.memories[src];
  const Memory& inner = setting_.machine.memories[m];
  if (cost_ == RelaxedCost::stall_cycles)
    return setting_.steps * bits * elements(src, dims) / static_cast<double>(outer.bandwidth);
  const double read = outer.read_energy * elements(src, dims) * setting_.lanes_above(src);
  const double write = inner.write_energy * elements(m, dims) * setting_.lanes_above(m);
  return setting_.steps * bits * (read + write);
}

void Builder::add_input_or_weight(Operand operand, std::size_t src, std::size_t m, const Content& content) {
  const auto bits =
      static_cast<double>(operand == Operand::I ? setting_.layer.bits.input : setting_.layer.bits.weight);
  std::array<double, halo_choices.size()> cost{};
  double most = 0;
  for (std::size_t c = 0; c < choices(operand); ++c) {
    cost[c] = cost_of(src, m, counted_dims(setting_.layer, operand, halo_choices[c]), bits);
    most = std::max(most, cost[c]);
  }
  if (most == 0) return;
  // Energies add up, so each transfer has its own column, as a share of the largest cost of any halo choice.
  const bool adds = cost_ == RelaxedCost::energy;
  const Index share = adds ? result_.program.add_column(most, {0, 2}) : cycles_;
  if (!adds) most = least_cycles_;
  for (std::size_t c = 0; c < choices(operand); ++c) {
    if (cost[c] == 0) continue;
    DimSet outside = DimSet::of(Dim::N, Dim::P, Dim::Q);
    if (operand == Operand::I)
      outside = DimSet::of(Dim::K, halo_choices[c].left_height(), halo_choices[c].left_width());
    double longest = 0;
    for (const Dim dim : all_dims)
      if (outside.contains(dim)) longest += std::log(static_cast<double>(setting_.temporal[index_of(dim)]));
    Terms exponent = logs(content, outside);
    for (Entry& entry : exponent) entry.value = -1;
    const double relative = std::log(cost[c] / most);
    // Tangents below the least total cycles cannot improve the bound.
    const double low = adds ? relative - longest : std::max(relative - longest, 0.0);
    if (relative >= low) add_exponential(share, exponent, relative, low, relative);
  }
}

void Builder::add_output(std::size_t src, std::size_t m, const Content& content) {
  double distinct = 1;
  double visits = 0;
  double visits_down = 0;
  for (const Dim dim : all_dims) {
    const auto bound = static_cast<double>(setting_.temporal[index_of(dim)]);
    if (setting_.layer.relevance.of(Operand::O).contains(dim)) distinct *= bound;
    if (!setting_.layer.is_reduction(dim) || bound == 1) continue;
    visits += std::log(bound);
    visits_down += setting_.log_down(bound);
  }
  // The column is X, the number of visits to an output tile, as a share of its largest value.
  const double greatest = std::exp(visits);
  Index share = no_index;
  if (visits > 0) {
    share = result_.program.add_column(0, {0, 2});
    Terms exponent = logs(content, setting_.layer.reductions());
    for (Entry& entry : exponent) entry.value = -1;
    // ln(X / greatest) = visits_down - sum z - ln(greatest)
    const double shift = visits_down - std::log(greatest) - relative_margin * (1 + visits);
    add_exponential(share, exponent, shift, -visits, 0);
    const std::array<Entry, 1> once{{{share, greatest}}};
    result_.program.add_row({1 - 1e-12, infinity}, once);
  }
  if (cost_ == RelaxedCost::energy)
    add_output_energy(src, m, distinct, share, greatest);
  else
    add_output_cycles(src, distinct, share, greatest);
}

void Builder::add_output_energy(std::size_t src, std::size_t m, double distinct, Index visits,
                                double greatest) {
  const DimSet dims = setting_.layer.relevance.of(Operand::O);
  const auto partial = static_cast<double>(setting_.layer.bits.partial_sum);
  const double narrow = std::min(partial, static_cast<double>(setting_.layer.bits.output));
  const double copies = elements(m, dims) * setting_.lanes_above(m);
  const double unique = elements(src, dims) * setting_.lanes_above(src);
  const double copy_bits = setting_.is_reduced_above(m) ? partial : narrow;
  const auto& inner = setting_.machine.memories[m];
  const auto& outer = setting_.machine.memories[src];
  const double first =
      distinct * (copies * copy_bits * inner.read_energy + unique * narrow * outer.write_energy);
  const double again =
      distinct * partial *
      (copies * (inner.read_energy + inner.write_energy) + unique * (outer.read_energy + outer.write_energy));
  result_.program.set_offset(result_.program.offset() + first);
  if (visits == no_index) return;
  result_.program.set_cost(visits, again * greatest);  // X - 1 transfers are repeated
  result_.program.set_offset(result_.program.offset() - again);
}

void Builder::add_output_cycles(std::size_t src, double distinct, Index visits, double greatest) {
  const auto partial = static_cast<double>(setting_.layer.bits.partial_sum);
  const double narrow = std::min(partial, static_cast<double>(setting_.layer.bits.output));
  // Cycles of one round of transfers of elements of one bit, in units of the column.
  const double moved = distinct * elements(src, setting_.layer.relevance.of(Operand::O)) /
                       static_cast<double>(setting_.machine.memories[src].bandwidth) / least_cycles_;
  if (visits == no_index) {
    const std::array<Entry, 1> once{{{cycles_, 1.0}}};
    result_.program.add_row({moved * narrow * (1 - 1e-12), infinity}, once);
    return;
  }
  const std::array<Entry, 2> out{{{cycles_, 1.0}, {visits, -moved * narrow * greatest}}};
  result_.program.add_row({0, infinity}, out);
  const double twice = 2 * moved * partial;
  const std::array<Entry, 2> both{{{cycles_, 1.0}, {visits, -twice * greatest}}};
  result_.program.add_row({-twice * (1 + 1e-12), infinity}, both);
}

void Builder::add_transfers(Operand operand) {
  const auto& used = pattern_[index_of(operand)];
  for (std::size_t i = 1; i < used.size(); ++i) {
    const Content content = result_.contents[contents_of_[index_of(operand)][i - 1]];
    if (operand == Operand::O)
      add_output(used[i - 1], used[i], content);
    else
      add_input_or_weight(operand, used[i - 1], used[i], content);
  }
}

double Builder::element_bits(Operand operand, std::size_t m) const {
  const BitWidths& bits = setting_.layer.bits;
  const bool open = m == setting_.machine.innermost(Operand::O) || setting_.is_reduced_above(m);
  return static_cast<double>(open ? bits.of(operand, true) : bits.narrowest(operand));
}

void Builder::add_capacity(std::size_t memory) {
  const auto& machine = setting_.machine;
  if (machine.memories[memory].capacity == unlimited_capacity) return;
  const auto capacity = static_cast<double>(machine.memories[memory].capacity);
  struct Tenant {
    Operand operand;
    const Content* content;
  };
  std::vector<Tenant> tenants;
  for (const Operand operand : all_operands) {
    const auto& used = pattern_[index_of(operand)];
    for (std::size_t i = 1; i < used.size(); ++i)
      if (used[i] == memory)
        tenants.push_back({operand, &result_.contents[contents_of_[index_of(operand)][i - 1]]});
  }
  Terms total;
  for (const auto& [operand, content] : tenants) {
    const bool shared = tenants.size() > 1;
    Index share = no_index;
    if (shared) {
      share = result_.program.add_column(0, {0, 1});
      total.push_back({share, 1.0});
    }
    for (std::size_t c = 0; c < choices(operand); ++c) {
      const DimSet dims = counted_dims(setting_.layer, operand, halo_choices[c]);
      const double fixed = element_bits(operand, memory) * elements(memory, dims);
      Terms exponent = logs(*content, dims);
      result_.program.add_row({-infinity, setting_.log_up(capacity / fixed)}, exponent);
      const double empty = std::log(fixed / capacity);
      if (shared && empty < 0)
        add_exponential(share, exponent, empty - relative_margin * (1 + std::abs(empty)),
                        std::max(empty, -6.0), 0);
    }
  }
  if (!total.empty()) result_.program.add_row({-infinity, 1 + 1e-12}, total);
}

// The upper bound on t exceeds any transfer time: it assumes that all bits of every step move in both
// directions, one memory after the other.
void Builder::add_cycles() {
  const auto& machine = setting_.machine;
  least_cycles_ = setting_.steps * static_cast<double>(machine.mvm_cycles);
  const auto widest =
      static_cast<double>(std::max({setting_.layer.bits.input, setting_.layer.bits.weight,
                                    setting_.layer.bits.output, setting_.layer.bits.partial_sum}));
  double most = 1;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    double all = 1;
    for (const Dim dim : all_dims) all *= setting_.below(m, dim);
    most += 6 * setting_.steps * all * widest / static_cast<double>(machine.memories[m].bandwidth) /
            least_cycles_;
  }
  cycles_ = result_.program.add_column(least_cycles_, {1 - 1e-12, 2 * most});
}

RelaxationProgram Builder::build() {
  for (const Operand operand : all_operands) add_contents(operand);
  if (cost_ == RelaxedCost::energy)
    result_.program.set_offset(setting_.constant);
  else
    add_cycles();
  for (const Operand operand : all_operands) add_transfers(operand);
  for (std::size_t m = 0; m < setting_.machine.memories.size(); ++m) add_capacity(m);
  return std::move(result_);
}

}  // namespace

RelaxationProgram build_relaxation(RelaxedCost cost, const SpatialSetting& setting, const UsePattern& pattern,
                                   const ContentLimits& limits) {
  return Builder(cost, setting, pattern, limits).build();
}

}  // namespace nestor::cim
