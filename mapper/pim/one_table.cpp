#include "mapper/pim/one_table.h"

#include <algorithm>
#include <numeric>

#include "base/tables/hash_table.h"
#include "model/pim/boundaries.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::StoredPairs;

// All sets of (memory, operand) pairs whose memory is neither the operand's home nor its innermost memory.
class Tables {
 public:
  explicit Tables(const nestor::pim::PimMachine& machine) {
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      for (const Operand operand : all_operands)
        if (machine.memories[m].operands.contains(operand) && m != machine.home(operand) &&
            m != machine.innermost(operand))
          pairs_.emplace_back(m, operand);
  }
  std::size_t bits() const { return pairs_.size(); }
  StoredPairs table(std::uint64_t set) const {
    StoredPairs stored{};
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (((set >> i) & 1U) != 0) stored[pairs_[i].first].insert(pairs_[i].second);
    return stored;
  }
  // Returns the set of pairs that a mapping uses.
  std::uint64_t used(const nestor::pim::PimNest& nest) const {
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (nest.used(pairs_[i].first, pairs_[i].second)) set |= std::uint64_t{1} << i;
    return set;
  }

 private:
  std::vector<std::pair<std::size_t, Operand>> pairs_;
};

class TableSearch {
 public:
  TableSearch(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
              const nestor::pim::PimMachine& machine, const PimRequest& request, const Resources& resources)
      : layers_(layers),
        shapes_(shapes),
        machine_(machine),
        request_(request),
        resources_(resources),
        tables_(machine) {}

  NetworkMap run() {
    if (!map_alone()) return std::move(best_);
    open_ = tables_.bits() > most_pairs ? sum_of_bounds_ : no_cost;
    if (open_ < no_cost) best_.status = Status::work_limit;
    for (const std::uint64_t set : order()) {
      if (best_sum_ <= sum_of_bounds_) break;  // no table can be better
      if (const auto status = stopped()) {
        open_ = std::min(open_, sum_of_bounds_);
        best_.status = *status;
        break;
      }
      ++best_.tables;
      consider(tables_.table(set));
    }
    if (open_ >= best_sum_) best_.status = Status::optimal;
    if (best_.shapes.empty() && open_ == no_cost) best_.status = Status::infeasible;
    best_.bound = std::min(open_, best_sum_);
    return std::move(best_);
  }

 private:
  static constexpr std::size_t most_pairs = 20;

  const LayerShape& shape(std::size_t i) const { return layers_[shapes_[i].first].shape; }
  double weight(std::size_t i) const { return static_cast<double>(shapes_[i].repeat); }

  void note(Fault fault) {
    if (best_.fault == Fault::none) best_.fault = fault;
  }

  std::optional<Status> stopped() const {
    StopSource stop(resources_.deadline);
    stop.watch(resources_.interrupted);
    return stop.requested() ? std::optional(stop.status()) : std::nullopt;
  }

  // Maps every layer alone. The optimum of a layer alone is a lower bound on its cost under any table: where
  // a table stores a pair without a loop, not storing it costs no more. Returns false if a layer has no
  // mapping.
  bool map_alone() {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const PimLayerMap own = map_layer(shape(i), machine_, request_, resources_);
      note(own.fault);
      if (own.status == Status::infeasible) {
        best_.status = Status::infeasible;
        return false;
      }
      bounds_.push_back(weight(i) * *own.bound);
      if (own.best.empty()) continue;
      const nestor::pim::PimNest nest(shape(i), machine_, own.best.front().mapping);
      liked_[tables_.used(nest)] += bounds_.back();
    }
    sum_of_bounds_ = std::accumulate(bounds_.begin(), bounds_.end(), 0.0);
    dismissals_.assign(shapes_.size(), 0);
    return true;
  }

  // Returns the tables in the order of the search. Tables that layers choose on their own come first, in
  // descending order of the sum of these layers' bounds. The other tables follow, starting with the one that
  // has all pairs. If there are more than most_pairs pairs, tables contain only the first of them.
  std::vector<std::uint64_t> order() const {
    std::vector<std::uint64_t> sets(std::size_t{1} << std::min(tables_.bits(), most_pairs));
    for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = sets.size() - 1 - i;
    const auto liking = [this](std::uint64_t set) {
      const auto found = liked_.find(set);
      return found == liked_.end() ? 0.0 : found->second;
    };
    std::stable_sort(sets.begin(), sets.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return liking(a) > liking(b); });
    return sets;
  }

  // Evaluates a table. Layers that have ruled out the most tables come first. The evaluation ends as soon as
  // the sum of costs cannot be the best.
  void consider(const StoredPairs& table) {
    std::vector<std::size_t> turn(shapes_.size());
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    std::stable_sort(turn.begin(), turn.end(),
                     [this](std::size_t a, std::size_t b) { return dismissals_[a] > dismissals_[b]; });
    std::vector<PimLayerMap> maps(shapes_.size());
    double sum = sum_of_bounds_;    // costs of the layers so far, plus bounds of the other layers
    double least = sum_of_bounds_;  // proved bounds of the layers so far, plus bounds of the other layers
    std::optional<Status> limit;
    for (const std::size_t i : turn) {
      // Formula (7.2) of docs/models/pim.md.
      const double allowed = (best_sum_ - (sum - bounds_[i])) / weight(i);
      const auto problem = with_table(problem_of(shape(i), machine_, request_), table);
      ++best_.searches;
      maps[i] = map_problem(problem, request_, resources_, allowed);
      const PimLayerMap& map = maps[i];
      note(map.fault);
      if (map.status == Status::infeasible) {
        ++dismissals_[i];
        least = no_cost;
        break;
      }
      if (map.status != Status::optimal) limit = map.status;
      least += weight(i) * *map.bound - bounds_[i];
      sum += (map.best.empty() ? no_cost : weight(i) * map.best.front().objective) - bounds_[i];
      if (sum >= best_sum_) break;
    }
    if (limit && least < no_cost) {
      open_ = std::min(open_, least);
      best_.status = *limit;
    }
    if (least == no_cost || sum >= best_sum_) return;
    best_sum_ = sum;
    best_.shapes = std::move(maps);
    best_.table = table;
  }

  std::span<const Layer> layers_;
  std::span<const UniqueShape> shapes_;
  const nestor::pim::PimMachine& machine_;
  const PimRequest& request_;
  const Resources& resources_;
  Tables tables_;
  NetworkMap best_;
  std::vector<double> bounds_;  // bound on the cost of every layer alone, times its repeat count
  double sum_of_bounds_ = 0;
  HashMap<std::uint64_t, double> liked_;  // by table: sum of the bounds of layers that choose it on their own
  std::vector<std::uint64_t> dismissals_;
  double best_sum_ = no_cost;
  double open_ = no_cost;  // lower bound on the tables that a limit left open
};

}  // namespace

NetworkMap map_with_one_table(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
                              const nestor::pim::PimMachine& machine, const PimRequest& request,
                              const Resources& resources) {
  PimRequest plain = request;
  plain.break_ties = false;
  return TableSearch(layers, shapes, machine, plain, resources).run();
}

}  // namespace nestor::mapper::pim
