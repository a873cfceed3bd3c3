#include "heuristics/cnm/priority_map.h"

#include <algorithm>
#include <vector>

#include "base/primes.h"
#include "heuristics/priority/priority.h"

namespace nestor::cnm {
namespace {

constexpr std::uint64_t constructions = 3;
constexpr std::uint64_t patience = 8;
// Largest number of orders of step loops tried per map; enough for all orders of four dimensions.
constexpr std::size_t most_orders = 24;

// A prime factor of an extent.
struct Factor {
  std::uint32_t dim = 0;
  Int value = 1;
};
std::vector<Factor> factors_of(const std::vector<Int>& extents) {
  std::vector<Factor> factors;
  for (std::uint32_t d = 0; d < extents.size(); ++d)
    for_each_prime_factor(extents[d], [&](Int prime) { factors.push_back({d, prime}); });
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Factor& a, const Factor& b) { return a.value > b.value; });
  return factors;
}

// A mapping that is built factor by factor. A factor's place is a level (outermost first), the block, or the
// steps.
class Places {
 public:
  struct Choice {
    std::uint32_t factor = 0;
    std::uint32_t place = 0;
    bool forced = false;  // true if derived runs must use this place
  };
  // A lower estimated cost is preferred; at equal cost, a lower cost of transfers.
  struct Priority {
    MapJudge::RemainingTransfers outlook;
    bool operator<(const Priority& other) const {
      const auto &a = outlook, &b = other.outlook;
      return a.cost != b.cost ? a.cost > b.cost : a.transfers > b.transfers;
    }
  };
  using Cost = double;

  Places(const Kernel& kernel, std::size_t levels, const MapJudge& judge, const StopSource& stop)
      : judge_(judge), stop_(stop), levels_(levels), factors_(factors_of(kernel.extents)) {
    whole_ = single_unit(kernel, levels);
    whole_.block.assign(kernel.dim_count(), 1);
    reset();
  }

  std::size_t length() const { return factors_.size(); }
  const CnmMap& map() const { return map_; }
  std::uint64_t costed() const { return costed_; }

  void reset() {
    map_ = whole_;
    placed_ = 0;
    finish_if_complete();
  }
  bool complete() const { return placed_ == factors_.size(); }
  Cost cost() const { return complete() ? cost_ : 0; }

  void apply(const Choice& choice) {
    move(map_, choice);
    ++placed_;
    finish_if_complete();
  }

  // Factors are placed in a fixed order, so only their places are chosen.
  template <typename Visit>
  void for_each_choice(Visit&& visit) {
    for (std::uint32_t place = 0; place < levels_ + 2; ++place)
      offer({static_cast<std::uint32_t>(placed_), place, false}, visit);
  }
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) {
    if (choice.forced) return offer(choice, visit);
    for_each_choice(visit);
  }

  std::size_t perturb(std::span<Choice> sequence, Random& random) {
    if (sequence.empty()) return 0;
    const auto at = static_cast<std::size_t>(random.below(sequence.size()));
    const auto places = static_cast<std::uint32_t>(levels_ + 2);
    const auto other = static_cast<std::uint32_t>(random.below(places - 1));
    sequence[at].place = other < sequence[at].place ? other : other + 1;
    sequence[at].forced = true;
    for (std::size_t i = at + 1; i < sequence.size(); ++i) sequence[i].forced = false;
    return at;
  }

 private:
  void move(CnmMap& map, const Choice& choice) const {
    const Factor& factor = factors_[choice.factor];
    if (choice.place < levels_) {
      map.tuples[choice.place][factor.dim] *= factor.value;
      map.tuples.back()[factor.dim] /= factor.value;
    } else if (choice.place == levels_) {
      map.block[factor.dim] *= factor.value;
    }
  }

  template <typename Visit>
  void offer(const Choice& choice, Visit& visit) const {
    CnmMap map = map_;
    move(map, choice);
    const auto outlook = judge_.outlook(map);
    if (outlook.cost < no_cost) visit(choice, Priority{outlook});
  }

  void finish_if_complete() {
    if (!complete()) return;
    cost_ = no_cost;
    std::vector<std::size_t> order, idle, best;
    for (std::size_t d = 0; d < map_.block.size(); ++d) (map_.local()[d] > 1 ? order : idle).push_back(d);
    std::size_t tried = 0;
    do {
      map_.order = order;
      map_.order.insert(map_.order.end(), idle.begin(), idle.end());
      ++costed_;
      const double cost = judge_.cost(map_);
      if (best.empty() || cost < cost_) {
        cost_ = cost;
        best = map_.order;
      }
    } while (++tried < most_orders && !stop_.requested() &&
             std::next_permutation(order.begin(), order.end()));
    map_.order = best;
  }

  const MapJudge& judge_;
  const StopSource& stop_;
  const std::size_t levels_;
  const std::vector<Factor> factors_;
  CnmMap whole_, map_;
  std::size_t placed_ = 0;
  Cost cost_ = no_cost;
  std::uint64_t costed_ = 0;
};

}  // namespace

std::optional<PriorityMap> priority_map(const Kernel& kernel, std::size_t levels, const MapJudge& judge,
                                        std::uint64_t seed, const StopSource& stop) {
  Places places(kernel, levels, judge, stop);
  std::vector<Places::Choice> work(places.length()), best(places.length());
  priority::PrioritySearch<Places> search(places, work, best, seed);
  const auto ended = [&] { return stop.requested(); };
  search.restart(constructions, ended);
  search.improve(patience, ended);
  if (!search.found() || search.best_cost() == no_cost) return std::nullopt;
  places.reset();
  for (const auto& choice : search.best()) places.apply(choice);
  return PriorityMap{places.map(), search.best_cost(), places.costed()};
}

}  // namespace nestor::cnm
