// Search of one branch of the mapping space: class Run of map_space.h.
#include <algorithm>

#include "model/cnm/search/map_space.h"

namespace nestor::cnm {

std::unique_ptr<MapSpace::Run> MapSpace::open(std::size_t branch, HostStorage storage) {
  return std::make_unique<Run>(*this, branch, storage);
}

MapSpace::Run::Run(MapSpace& space, std::size_t branch, HostStorage storage)
    : space_(space),
      map_(space.map_of(branch)),
      root_bound_(space.branch_bound(branch)),
      of_lists_(storage),
      open_(storage) {}

double MapSpace::Run::least_open() const {
  if (!started_) return root_bound_;
  const double least = std::min(least_cut_, open_.empty() ? no_cost : open_[0].bound);
  return least >= best_cost_ ? no_cost : least;
}

bool MapSpace::Run::push(Item item, double cut) {
  ++counts_.generated;
  if (item.bound >= cut) {
    ++counts_.cut;
    least_cut_ = std::min(least_cut_, item.bound);
    return true;
  }
  if (!open_.push_back(item)) return false;
  std::push_heap(open_.begin(), open_.end());
  return true;
}

MapSpace::Run::Item MapSpace::Run::pop() {
  const Item least = open_[0];
  std::pop_heap(open_.begin(), open_.end());
  open_.pop_back();
  return least;
}

bool MapSpace::Run::start() {
  if (started_) return true;
  host_ = space_.host_ms(map_);
  space_.list_blocks(map_, blocks_);
  orders_ = space_.orders_of(map_);
  const std::size_t bytes_of_one = sizeof(decltype(blocks_)::value_type) + map_.local().size() * sizeof(Int);
  if (!of_lists_.raise_to((blocks_.capacity() + orders_.capacity()) * bytes_of_one)) return false;
  for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
    map_.block = blocks_[i];
    const double bound = space_.cost(space_.block_bound(map_), host_) - 1;
    if (!push({std::max(root_bound_, bound), i, -1}, no_cost)) return false;
  }
  started_ = true;
  return true;
}

bool MapSpace::Run::expand(const Item& item, double cut) {
  ++counts_.expanded;
  map_.block = blocks_[item.block];
  if (item.order >= 0) {
    map_.order = orders_[static_cast<std::size_t>(item.order)];
    const Known exact = space_.known(map_, true);
    if (!exact.legal) return !space_.short_of_memory();
    const double cost = space_.cost(exact.cycles, space_.host_of_member(map_, host_));
    if (cost >= std::min(cut, best_cost_)) {
      if (cost < best_cost_) least_cut_ = std::min(least_cut_, cost);
    } else {
      best_cost_ = cost;
      best_ = map_;
    }
    return !space_.short_of_memory();
  }
  for (std::size_t order = 0; order < orders_.size(); ++order) {
    map_.order = orders_[order];
    const Known bound = space_.known(map_, false);
    if (!bound.legal) continue;
    const Item child{std::max(item.bound, space_.cost(bound.bound, host_) - 1), item.block,
                     static_cast<std::int32_t>(order)};
    if (!push(child, std::min(cut, best_cost_))) return false;
  }
  return !space_.short_of_memory();
}

SearchEnd MapSpace::Run::advance(double target, double cut, const SearchBudget& budget) {
  if (!start()) return SearchEnd::out_of_memory;
  std::uint64_t work = 0;
  while (!open_.empty() && open_[0].bound < std::min({target, cut, best_cost_})) {
    if (work == budget.work) return SearchEnd::out_of_work;
    if (budget.stop != nullptr && budget.stop->requested()) return SearchEnd::stopped;
    ++work;
    if (!expand(pop(), cut)) return SearchEnd::out_of_memory;
  }
  return SearchEnd::reached;
}

// Estimates the most promising members until one is legal.
SearchEnd MapSpace::Run::dive(double cut, const SearchBudget& budget) {
  if (!start()) return SearchEnd::out_of_memory;
  while (!open_.empty() && open_[0].bound < cut && best_cost_ == no_cost) {
    if (budget.stop != nullptr && budget.stop->requested()) return SearchEnd::stopped;
    if (!expand(pop(), cut)) return SearchEnd::out_of_memory;
  }
  return SearchEnd::reached;
}

}  // namespace nestor::cnm
