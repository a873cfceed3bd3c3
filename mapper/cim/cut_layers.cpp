#include "mapper/cim/cut_layers.h"

#include <algorithm>
#include <map>

#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "model/cim/search/admission.h"
#include "model/cim/space/cim_space.h"
#include "model/workload/unique_shapes.h"

namespace nestor::mapper {
namespace {

// Search for the best cut of one shape.
class CutSearch {
 public:
  struct Best {
    Dim dim = Dim::N;
    Int first = 0;  ///< bound of the first part; or 0 if no cut costs less than the whole
    double whole = no_cost;
    double cost = no_cost;            ///< cost of the best cut, or of the whole
    Status status = Status::optimal;  // optimal, or the reason why a search ended early
    Fault fault = Fault::none;
  };

  CutSearch(const LayerShape& whole, const Architecture& machine, const CimRequest& request,
            const Resources& resources)
      : whole_(whole), machine_(machine), request_(request), resources_(resources) {
    request_.top = 1;
    request_.break_ties = false;
    request_.start.reset();
  }

  Best run() {
    best_.whole = best_.cost = least_cost(whole_.bounds, no_cost);
    for (const Cut& cut : cuts()) {
      if (cut.bound >= best_.cost) break;
      const double first = least_cost(cut.first, best_.cost - at_least(cut.second));
      const double second = least_cost(cut.second, best_.cost - first);
      if (first + second >= best_.cost) continue;
      best_.dim = cut.dim;
      best_.first = cut.first[index_of(cut.dim)];
      best_.cost = first + second;
    }
    return best_;
  }

 private:
  struct Part {
    double at_least = 0;
    bool is_exact = false;  // true if at_least is the least cost
  };
  struct Cut {
    double bound = 0;
    Dim dim = Dim::N;
    Extents first{};
    Extents second{};
  };

  // Returns the cuts whose lower bounds are below the best cost, in ascending order of these bounds.
  std::vector<Cut> cuts() {
    std::vector<Cut> cuts;
    for (const Dim dim : cut_dims) {
      const Int bound = whole_.bounds[index_of(dim)];
      for (Int second = 1; second <= bound / 2; ++second) {
        Cut cut{.dim = dim, .first = whole_.bounds, .second = whole_.bounds};
        cut.first[index_of(dim)] = bound - second;
        cut.second[index_of(dim)] = second;
        if (!is_admitted(cut.first) || !is_admitted(cut.second)) continue;
        cut.bound = at_least(cut.first) + at_least(cut.second);
        if (cut.bound < best_.cost) cuts.push_back(cut);
      }
    }
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.bound < b.bound; });
    return cuts;
  }

  LayerShape shape_of(const Extents& bounds) const {
    LayerShape shape = whole_;
    shape.bounds = bounds;
    return shape;
  }
  bool is_admitted(const Extents& bounds) const {
    return cim::admit(shape_of(bounds), machine_) == Refusal::none;
  }

  Part& part(const Extents& bounds) {
    const auto [at, is_new] = parts_.try_emplace(bounds);
    if (is_new) {
      const auto problem = problem_of(shape_of(bounds), machine_, request_);
      PaddedShapes<cim::CimProblem> shapes(problem, {}, false);
      at->second.at_least = shapes.least_of_all();
    }
    return at->second;
  }
  double at_least(const Extents& bounds) { return part(bounds).at_least; }

  // Returns the cost of the best mapping found for a part, or no_cost if none costs less than `worth`.
  double least_cost(const Extents& bounds, double worth) {
    Part& known = part(bounds);
    if (known.at_least >= worth) return no_cost;
    if (known.is_exact) return known.at_least;
    request_.worth = worth;
    const auto map = map_layer(shape_of(bounds), machine_, request_, resources_);
    const bool proved = map.status == Status::optimal || map.status == Status::infeasible;
    if (best_.fault == Fault::none) best_.fault = map.fault;
    if (best_.status == Status::optimal && !proved) best_.status = map.status;
    if (proved && map.best.empty()) known.at_least = worth;
    if (proved && !map.best.empty()) known = {map.best.front().objective, true};
    return map.best.empty() ? no_cost : map.best.front().objective;
  }

  const LayerShape& whole_;
  const Architecture& machine_;
  CimRequest request_;
  const Resources& resources_;
  std::map<Extents, Part> parts_;
  Best best_;
};

}  // namespace

CutNetwork cut_layers(const std::vector<Layer>& layers, const Architecture& machine,
                      const CimRequest& request, const Resources& resources) {
  CutNetwork network;
  const auto shapes = unique_shapes(layers);
  if (!shapes) return {.layers = layers};
  std::vector<CutSearch::Best> best(shapes->shapes.size());
  resources.executor.run(best.size(), [&](std::size_t i) {
    best[i] = CutSearch(layers[shapes->shapes[i].first].shape, machine, request, resources).run();
  });
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& found = best[shapes->shape_of_layer[i]];
    if (network.proved()) network.status = found.status;
    if (network.fault == Fault::none && found.fault != Fault::none) {
      network.fault = found.fault;
      network.faulty = layers[i].name;
    }
    if (found.first == 0) {
      network.layers.push_back(layers[i]);
      continue;
    }
    const Int bound = layers[i].shape.bounds[index_of(found.dim)];
    LayerCut cut{.whole = layers[i],
                 .first = part_of(layers[i], found.dim, 0, found.first),
                 .second = part_of(layers[i], found.dim, found.first, bound - found.first),
                 .dim = found.dim,
                 .whole_cost = found.whole,
                 .cost = found.cost};
    network.layers.push_back(cut.first);
    network.layers.push_back(cut.second);
    network.cuts.push_back(std::move(cut));
  }
  return network;
}

}  // namespace nestor::mapper
