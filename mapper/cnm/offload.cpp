#include "mapper/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mapper/cnm/offload_places.h"

namespace nestor::cnm {
namespace {

bool is_less(const PlacementCost& a, const PlacementCost& b) {
  return a.time_ps != b.time_ps ? a.time_ps < b.time_ps : a.transfers < b.transfers;
}

constexpr double most_ps = 4e18;

}  // namespace

std::optional<Int> picoseconds_of(double ms) {
  const double ps = std::floor(ms * 1e9 + 0.5);
  return ps >= 0 && ps <= most_ps ? std::optional(static_cast<Int>(ps)) : std::nullopt;
}

PlacementCost cost_of_placement(const OffloadProblem& problem, const std::vector<std::size_t>& placement) {
  const OffloadPlaces places(problem);
  PlacementCost cost;
  for (std::size_t i = 0; i < placement.size(); ++i) cost.time_ps += *places.time(i, placement[i]);
  for (std::size_t v = 0; v < problem.program.values.size(); ++v) {
    if (!places.counts(v)) continue;
    const auto maker = places.maker(v);
    const auto pay = [&](Int ps) {
      cost.time_ps += ps;
      ++cost.transfers;
    };
    if (maker)
      if (const auto back = places.return_ps(v, placement[*maker])) pay(*back);
    const std::size_t made = maker ? places.made_at(v, placement[*maker]) : OffloadPlaces::host;
    std::vector<bool> met(places.count(v), false);
    bool elsewhere = false;
    const auto read = [&](std::size_t place) {
      elsewhere |= place != made;
      met[place] = true;
    };
    for (std::size_t i = 0; i < placement.size(); ++i)
      for (const auto& [value, at] : places.reads(i))
        if (value == v) read(at[placement[i]]);
    if (places.host_reads(v)) read(OffloadPlaces::host);
    if (!elsewhere) continue;
    if (made != OffloadPlaces::host) pay(places.from_ps(v, made));
    for (std::size_t place = 1; place < met.size(); ++place)
      if (met[place] && place != made) pay(places.to_ps(v, place));
  }
  return cost;
}

std::string find_fault(const OffloadProblem& problem) {
  for (const ProgramOperation& operation : problem.program.operations) {
    bool runs = false;
    for (const OffloadSystem& system : problem.systems) {
      const auto time = operation.time_ms.find(system.name);
      if (time == operation.time_ms.end()) continue;
      runs = true;
      if (!picoseconds_of(time->second))
        return fmt::format("the time of operation '{}' on '{}' is too large", operation.name, system.name);
    }
    if (!runs) return fmt::format("no system can run operation '{}'", operation.name);
  }
  if (!OffloadPlaces(problem).is_countable()) return "the time is too large";
  return {};
}

namespace {

/// State of a value that is still to be read. It determines the value's remaining cost.
struct Pending {
  std::size_t value = 0;
  std::size_t made = OffloadPlaces::host;
  bool left = true;  ///< true if the value has left the place where it was computed
  std::vector<bool> met;
};

// Search over the operations in their order. A layer contains the nodes after one operation, sorted by their
// placements, so the first of equally good nodes has the earliest placement.
class PlacementSearch {
 public:
  PlacementSearch(const OffloadProblem& problem, const StopSignal& stop, std::size_t most_states)
      : problem_(problem), stop_(stop), most_states_(most_states), places_(problem) {}

  OffloadResult run() {
    find_alone();
    take_quickest();
    least_left_.assign(operations() + 1, 0);
    for (std::size_t i = operations(); i-- > 0;) least_left_[i] = least_left_[i + 1] + least_time(i);
    layers_.push_back({Node{}});
    std::vector<std::vector<Pending>> states = {inputs()};
    for (std::size_t i = 0; i < operations(); ++i) {
      if (!advance(i, states)) {
        result_.bound_ps = std::min(result_.bound_ps, result_.cost.time_ps);
        return std::move(result_);
      }
    }
    const auto& last = layers_.back();
    const auto best = std::min_element(last.begin(), last.end(),
                                       [](const Node& a, const Node& b) { return is_less(a.cost, b.cost); });
    result_.cost = best->cost;
    result_.bound_ps = best->cost.time_ps;
    result_.placement = path_to(static_cast<std::size_t>(best - last.begin()));
    return std::move(result_);
  }

 private:
  struct Node {
    std::size_t parent = 0;
    std::size_t system = 0;
    PlacementCost cost;
  };

  std::size_t operations() const { return problem_.program.operations.size(); }

  Int least_time(std::size_t operation) const {
    std::optional<Int> least;
    for (std::size_t s = 0; s < problem_.systems.size(); ++s)
      if (const auto time = places_.time(operation, s)) least = least ? std::min(*least, *time) : *time;
    return least.value_or(0);
  }

  void offer(std::vector<std::size_t> placement) {
    const auto cost = cost_of_placement(problem_, placement);
    if (!result_.placement.empty() && !is_less(cost, result_.cost)) return;
    result_.cost = cost;
    result_.placement = std::move(placement);
  }

  void find_alone() {
    for (std::size_t s = 0; s < problem_.systems.size(); ++s) {
      bool all = true;
      for (std::size_t i = 0; i < operations(); ++i) all = all && places_.time(i, s).has_value();
      std::vector<std::size_t> placement(operations(), s);
      result_.alone.push_back(all ? std::optional(cost_of_placement(problem_, placement)) : std::nullopt);
      if (all) offer(std::move(placement));
    }
  }

  // Offers the placement that runs every operation where it is fastest. The best of this placement and the
  // single-system placements limits the search.
  void take_quickest() {
    std::vector<std::size_t> placement;
    for (std::size_t i = 0; i < operations(); ++i)
      for (std::size_t s = 0; s < problem_.systems.size(); ++s)
        if (places_.time(i, s) == least_time(i)) {
          placement.push_back(s);
          break;
        }
    offer(std::move(placement));
  }

  Pending made(std::size_t value, std::size_t place) const {
    return {value, place, place == OffloadPlaces::host, std::vector<bool>(places_.count(value), false)};
  }

  std::vector<Pending> inputs() const {
    std::vector<Pending> pending;
    for (std::size_t v = 0; v < problem_.program.values.size(); ++v)
      if (places_.counts(v) && !places_.maker(v)) pending.push_back(made(v, OffloadPlaces::host));
    return pending;
  }

  void read(Pending& value, std::size_t place, PlacementCost& cost) const {
    if (place == value.made) return;
    const auto pay = [&](Int ps) {
      cost.time_ps += ps;
      ++cost.transfers;
    };
    if (!value.left) pay(places_.from_ps(value.value, value.made));
    value.left = true;
    if (place == OffloadPlaces::host || value.met[place]) return;
    pay(places_.to_ps(value.value, place));
    value.met[place] = true;
  }

  // Returns the state after operation i runs on a system, and adds the costs of this step to `cost`.
  std::vector<Pending> after(std::size_t i, std::size_t system, const std::vector<Pending>& before,
                             PlacementCost& cost) const {
    cost.time_ps += *places_.time(i, system);
    std::vector<Pending> state = before;
    for (const auto& [v, at] : places_.reads(i))
      for (Pending& pending : state)
        if (pending.value == v) read(pending, at[system], cost);
    for (const std::size_t v : problem_.program.operations[i].writes) {
      if (!places_.counts(v)) continue;
      if (const auto back = places_.return_ps(v, system)) {
        cost.time_ps += *back;
        ++cost.transfers;
      }
      state.push_back(made(v, places_.made_at(v, system)));
      if (places_.host_reads(v)) read(state.back(), OffloadPlaces::host, cost);
    }
    forget(i, state);
    return state;
  }

  // Removes all data that no later operation uses, so that states with equal remaining costs become equal.
  void forget(std::size_t i, std::vector<Pending>& state) const {
    std::erase_if(state, [&](const Pending& pending) { return places_.last_read(pending.value) <= i; });
    for (Pending& pending : state) {
      const auto& later = places_.read_after(pending.value, i);
      for (std::size_t place = 0; place < later.size(); ++place)
        pending.met[place] = pending.met[place] && later[place];
      if (pending.left && !later[pending.made]) pending.made = OffloadPlaces::host;
    }
  }

  static std::string key_of(const std::vector<Pending>& state) {
    std::string key;
    for (const Pending& pending : state) {
      key += fmt::format("{},{},{}:", pending.value, pending.made, pending.left ? 1 : 0);
      for (std::size_t place = 0; place < pending.met.size(); ++place)
        if (pending.met[place]) key += fmt::format("{},", place);
      key += ';';
    }
    return key;
  }

  bool advance(std::size_t i, std::vector<std::vector<Pending>>& states) {
    const std::vector<Node>& before = layers_.back();
    std::vector<Node> nodes;
    std::vector<std::vector<Pending>> made;
    HashMap<std::string, std::size_t> found;
    for (std::size_t parent = 0; parent < before.size(); ++parent)
      for (std::size_t s = 0; s < problem_.systems.size(); ++s) {
        if (!places_.time(i, s)) continue;
        if (nodes.size() >= most_states_ || stop_.requested()) return give_up(i, nodes.size());
        Node node{parent, s, before[parent].cost};
        auto state = after(i, s, states[parent], node.cost);
        // The remaining operations take at least least_left_, so such a node cannot lead to a better
        // placement than the known one.
        if (node.cost.time_ps + least_left_[i + 1] > result_.cost.time_ps) continue;
        const auto [entry, is_new] = found.try_emplace(key_of(state), nodes.size());
        if (is_new) {
          nodes.push_back(node);
          made.push_back(std::move(state));
        } else if (is_less(node.cost, nodes[entry->second].cost)) {
          nodes[entry->second] = node;
        }
      }
    sort_by_placement(nodes, made);
    result_.states += nodes.size();
    layers_.push_back(std::move(nodes));
    states = std::move(made);
    return true;
  }

  static void sort_by_placement(std::vector<Node>& nodes, std::vector<std::vector<Pending>>& states) {
    std::vector<std::size_t> order(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(nodes[a].parent, nodes[a].system) < std::pair(nodes[b].parent, nodes[b].system);
    });
    std::vector<Node> sorted;
    std::vector<std::vector<Pending>> moved;
    for (const std::size_t i : order) {
      sorted.push_back(nodes[i]);
      moved.push_back(std::move(states[i]));
    }
    nodes = std::move(sorted);
    states = std::move(moved);
  }

  // Sets the status and the bound. The bound is valid because every placement that might be better than the
  // known one passes through a node of the last complete layer.
  bool give_up(std::size_t i, std::size_t reached) {
    result_.status = reached >= most_states_ ? Status::memory_limit : Status::time_limit;
    std::optional<Int> bound;
    for (const Node& node : layers_.back()) {
      const Int least = node.cost.time_ps + least_left_[i];
      bound = bound ? std::min(*bound, least) : least;
    }
    result_.bound_ps = bound.value_or(0);
    return false;
  }

  std::vector<std::size_t> path_to(std::size_t node) const {
    std::vector<std::size_t> placement(operations());
    for (std::size_t i = operations(); i > 0; --i) {
      placement[i - 1] = layers_[i][node].system;
      node = layers_[i][node].parent;
    }
    return placement;
  }

  const OffloadProblem& problem_;
  const StopSignal& stop_;
  std::size_t most_states_;
  OffloadPlaces places_;
  /// For each operation, the least time of this and all later operations, without transfers.
  std::vector<Int> least_left_;
  std::vector<std::vector<Node>> layers_;
  OffloadResult result_;
};

}  // namespace

OffloadResult place_operations(const OffloadProblem& problem, const StopSignal& stop,
                               std::size_t most_states) {
  return PlacementSearch(problem, stop, most_states).run();
}

}  // namespace nestor::cnm
