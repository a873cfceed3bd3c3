// Loop placement for greedy_nest.h, as a problem of the priority search: the possible next steps, the
// transfers that each step would cause, and the cost of a complete placement.
#pragma once

#include <limits>
#include <span>

#include "base/random.h"
#include "model/cim/search/problem.h"

namespace nestor::cim {

class NestBuilder {
 public:
  /// One factor of one dimension, or the end of the spatial part. `dim` and `factor` are the fixed part; the
  /// factor's axis or memories may vary.
  struct Choice {
    bool seal = false;  ///< true if the spatial part ends here
    std::uint8_t dim = 0;
    std::uint8_t factor = 0;                       ///< index into the dimension's factor set
    std::uint8_t axis = 0;                         ///< axis of the factor, in the spatial part
    std::array<std::uint8_t, operand_count> at{};  ///< memory of each operand, in the temporal part
  };
  struct Priority {
    double transfers = 0;  ///< weighted cost of the transfers that this step causes; lower is better
    double reuse = 0;
    friend bool operator<(const Priority& a, const Priority& b) {
      return a.transfers != b.transfers ? a.transfers > b.transfers : a.reuse < b.reuse;
    }
  };
  using Cost = double;
  static constexpr std::size_t most_choices = max_loops + 1;

  explicit NestBuilder(const CimProblem& problem);

  void reset();
  bool complete() const { return sealed_ && left_ == 0; }
  Cost cost() const { return complete() ? cost_ : -std::numeric_limits<double>::infinity(); }
  void apply(const Choice& choice);
  template <typename Visit>
  void for_each_choice(Visit&& visit) const;
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) const;
  std::size_t perturb(std::span<Choice> sequence, Random& random) const;

  bool found() const { return best_cost_ < std::numeric_limits<double>::infinity(); }
  const Mapping& best() const { return best_; }
  double best_cost() const { return best_cost_; }

 private:
  using Places = std::array<std::uint8_t, operand_count>;

  bool place_fixed_factors();
  bool may_spread(std::size_t axis, std::size_t dim, Int factor) const;
  Int tile_bits(std::size_t memory, Operand operand, const Extents& inner, const Extents& below) const;
  Int fullest(std::size_t axis, std::size_t dim, std::size_t factor, Int room) const;
  bool fits_spatially(std::size_t axis, std::size_t dim, Int factor) const;
  bool fits(const Places& at, std::size_t dim, Int factor) const;
  void spread(std::size_t axis, std::size_t dim, Int factor);
  void place_loop(const Choice& choice, Int factor);
  void refresh_sizes();
  Priority priority_of(const Choice& choice, Int factor) const;
  template <typename Visit>
  void on_axis(std::size_t axis, std::size_t dim, std::size_t factor, Visit& visit) const;
  template <typename Visit>
  void each_placing(std::size_t dim, std::size_t factor, bool free, Visit& visit) const;
  std::size_t targets(std::size_t operand, std::size_t dim, Int factor, bool free,
                      std::array<std::uint8_t, max_memories>& list) const;
  void finish();
  double value(const Mapping& mapping) const;

  const CimProblem& problem_;
  double cycle_weight_ = 1;
  double energy_weight_ = 1;

  std::array<std::array<std::uint16_t, max_distinct_factors>, dim_count> count_{};  ///< remaining factors
  int left_ = 0;
  bool sealed_ = false;
  bool possible_ = true;
  SpatialFactors spatial_{};
  std::array<Int, max_axes> axis_product_{};
  std::array<Extents, max_memories> below_{};  ///< for each memory, factors on the axes below it
  Extents inner_ = unit_extents;               ///< extents of the loops placed so far
  Int rest_ = 1;                               ///< iterations of the loops not yet placed
  Int rest_reduction_ = 1;
  Places at_{};
  bool partial_ = true;  ///< O's current tile contains partial sums
  std::array<std::array<Int, operand_count>, max_memories> size_{};
  FixedVector<Loop, max_loops> loops_;  ///< innermost first
  double cost_ = 0;

  Mapping best_;
  double best_cost_ = std::numeric_limits<double>::infinity();
};

template <typename Visit>
void NestBuilder::for_each_choice(Visit&& visit) const {
  bool any = false;
  const auto note = [&](const Choice& choice, const Priority& priority) {
    any = true;
    visit(choice, priority);
  };
  const auto each_factor = [&](auto&& use) {
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t f = 0; f < problem_.factors[d].factors.size(); ++f)
        if (count_[d][f] > 0) use(d, f);
  };
  if (sealed_) {
    each_factor([&](std::size_t d, std::size_t f) { each_placing(d, f, false, note); });
    // Operands that share a memory may fit separately but not together. Then an operand that could stay must
    // move out.
    if (!any) each_factor([&](std::size_t d, std::size_t f) { each_placing(d, f, true, note); });
    return;
  }
  for (std::size_t axis = problem_.machine.axes.size(); axis-- > 0 && !any;)
    each_factor([&](std::size_t d, std::size_t f) { on_axis(axis, d, f, note); });
  if (!any && possible_) visit(Choice{.seal = true}, Priority{});
}

template <typename Visit>
void NestBuilder::for_each_variant(const Choice& choice, Visit&& visit) const {
  if (choice.seal) {
    if (!sealed_ && possible_) visit(choice, Priority{});
    return;
  }
  if (count_[choice.dim][choice.factor] == 0) return;
  if (sealed_)
    each_placing(choice.dim, choice.factor, true, visit);
  else
    for (std::size_t axis = 0; axis < problem_.machine.axes.size(); ++axis)
      on_axis(axis, choice.dim, choice.factor, visit);
}

// The priority of a factor is the largest product of this factor and remaining factors that still fits on the
// axis.
template <typename Visit>
void NestBuilder::on_axis(std::size_t axis, std::size_t dim, std::size_t factor, Visit& visit) const {
  const Int value = problem_.factors[dim].factors[factor].value;
  if (!may_spread(axis, dim, value) || !fits_spatially(axis, dim, value)) return;
  const Int room = problem_.machine.axes[axis].size / axis_product_[axis] / value;
  Priority priority;
  priority.reuse = static_cast<double>(value * fullest(axis, dim, factor, room));
  visit(Choice{.dim = static_cast<std::uint8_t>(dim),
               .factor = static_cast<std::uint8_t>(factor),
               .axis = static_cast<std::uint8_t>(axis)},
        priority);
}

// Visits every placement of a factor as the next loop that fits. An operand whose tile would grow too large
// moves to a memory further out; if `free`, the other operands whose tiles grow may move, too.
template <typename Visit>
void NestBuilder::each_placing(std::size_t dim, std::size_t factor, bool free, Visit& visit) const {
  const Int value = problem_.factors[dim].factors[factor].value;
  std::array<std::array<std::uint8_t, max_memories>, operand_count> list{};
  std::array<std::size_t, operand_count> count{};
  for (std::size_t x = 0; x < operand_count; ++x) count[x] = targets(x, dim, value, free, list[x]);
  Choice choice{.dim = static_cast<std::uint8_t>(dim), .factor = static_cast<std::uint8_t>(factor)};
  for (std::size_t i = 0; i < count[0]; ++i)
    for (std::size_t w = 0; w < count[1]; ++w)
      for (std::size_t o = 0; o < count[2]; ++o) {
        choice.at = {list[0][i], list[1][w], list[2][o]};
        if (fits(choice.at, dim, value)) visit(choice, priority_of(choice, value));
      }
}

}  // namespace nestor::cim
