#include "heuristics/pim/first_mapping.h"

#include <algorithm>
#include <vector>

#include "heuristics/pim/level_nest.h"
#include "model/loopnest/rules/honours.h"
#include "model/pim/legality.h"

namespace nestor::pim {
namespace {

// Cheaper first; of equally cheap ones the less busy.
struct Score {
  double cost = 0;
  double load = 0;
  friend bool operator<(const Score& a, const Score& b) {
    return a.cost < b.cost || (a.cost == b.cost && a.load < b.load);
  }
};

class Climber {
 public:
  Climber(const Problem& problem, const std::array<Extents, max_axes>& spatial, double enough)
      : problem_(problem), nest_(problem, spatial), enough_(enough) {}

  std::optional<FirstMapping> run() {
    if (!improve()) return std::nullopt;  // the smallest tiles do not fit
    for (bool better = true; better && score_.cost > enough_;) {
      better = false;
      for (std::size_t d = 0; d < dim_count; ++d) better |= pull(d);
      better |= reorder();
    }
    FirstMapping found{.mapping = best_, .cost = score_.cost};
    choose_layouts(problem_, found.mapping, rows_);
    found.cost = cost_of(found.mapping).cost;
    return found;
  }

 private:
  Score cost_of(const PimMapping& mapping) {
    const PimEvaluation evaluation = evaluate(problem_.layer, problem_.machine, mapping, rows_);
    Score score{objective_value(problem_.objective, evaluation), 0};
    for (const MemoryCycles& cycles : evaluation.memory_cycles)
      score.load += static_cast<double>(cycles.shared);
    return score;
  }

  // Whether the nest as it stands is legal and better; then it is kept.
  bool improve() {
    const PimMapping mapping = nest_.mapping();
    if (find_violation(problem_.layer, problem_.machine, mapping)) return false;
    const Score score = cost_of(mapping);
    if (found_ && !(score < score_)) return false;
    found_ = true;
    score_ = score;
    best_ = mapping;
    return true;
  }

  // Tries every factor of a dimension at every other level, innermost first.
  bool pull(std::size_t d) {
    bool better = false;
    for (std::size_t from = 0; from < nest_.levels(); ++from)
      for (const auto& factor : prime_factors(nest_.factor(from, d)).factors)
        for (std::size_t to = nest_.levels(); to-- > 0;) {
          if (to == from || nest_.factor(from, d) % factor.value != 0) continue;
          nest_.move(from, to, d, factor.value);
          if (improve()) {
            better = true;
            if (score_.cost <= enough_) return true;
          } else {
            nest_.move(to, from, d, factor.value);
          }
        }
    return better;
  }

  bool reorder() {
    bool better = false;
    for (std::size_t level = 0; level < nest_.levels(); ++level)
      for (std::size_t i = 0; i + 1 < dim_count; ++i) {
        if (nest_.factor(level, nest_.dim_at(level, i)) == 1 &&
            nest_.factor(level, nest_.dim_at(level, i + 1)) == 1)
          continue;
        nest_.exchange(level, i);
        if (improve())
          better = true;
        else
          nest_.exchange(level, i);
      }
    return better;
  }

  const Problem& problem_;
  LevelNest nest_;
  double enough_;
  RowCounter rows_;
  PimMapping best_;
  Score score_;
  bool found_ = false;
};

// Bits that the lanes take and give per step at the border of their innermost memories: what they share is
// counted once.
double bits_per_step(const Problem& problem, const std::array<Extents, max_axes>& spatial) {
  double bits = 0;
  const Machine& machine = problem.machine;
  for (const Operand operand : all_operands) {
    std::size_t source = machine.innermost(operand);
    while (!machine.memories[--source].operands.contains(operand)) continue;
    Extents extents = unit_extents;
    for (std::size_t a = machine.memories[source].axes_above; a < machine.axes.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d) extents[d] *= spatial[a][d];
    bits += static_cast<double>(elements(problem.layer, operand, extents)) *
            static_cast<double>(problem.layer.bits.widest(operand));
  }
  return bits;
}

}  // namespace

std::optional<FirstMapping> climb(const Problem& problem, const std::array<Extents, max_axes>& spatial,
                                  double enough) {
  return Climber(problem, spatial, enough).run();
}

std::optional<FirstMapping> first_mapping(const Problem& problem, const ChoiceList& choices,
                                          std::size_t tries, double enough) {
  struct Candidate {
    double bound;
    double bits;
    std::size_t choice;
    bool operator<(const Candidate& other) const {
      if (bound != other.bound) return bound < other.bound;
      return bits != other.bits ? bits < other.bits : choice < other.choice;
    }
  };
  std::vector<double> bounds;
  for (std::size_t i = 0; i < choices.count(); ++i) bounds.push_back(choices.bound(i));
  std::vector<Candidate> candidates;
  if (bounds.empty()) return std::nullopt;
  const double least = *std::min_element(bounds.begin(), bounds.end());
  std::size_t wanted = 4 * tries;
  if (static_cast<std::size_t>(std::count(bounds.begin(), bounds.end(), least)) < wanted) {
    std::vector<double> sorted = bounds;
    wanted = std::min(wanted, sorted.size());
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(wanted) - 1, sorted.end());
    const double last = sorted[wanted - 1];
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (bounds[i] <= last) candidates.push_back({bounds[i], bits_per_step(problem, choices.spatial(i)), i});
  } else {
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (bounds[i] == least) candidates.push_back({least, bits_per_step(problem, choices.spatial(i)), i});
  }
  tries = std::min(tries, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(tries),
                    candidates.end());
  std::optional<FirstMapping> best;
  for (std::size_t i = 0; i < tries; ++i) {
    auto found = climb(problem, choices.spatial(candidates[i].choice), enough);
    if (!found || !honours(problem.constraints, problem.machine, found->mapping.nest)) continue;
    found->choice = candidates[i].choice;
    if (!best || found->cost < best->cost) best = found;
    if (best->cost <= enough) break;
  }
  return best;
}

}  // namespace nestor::pim
