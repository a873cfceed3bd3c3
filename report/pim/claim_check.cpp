#include "report/pim/claim_check.h"

namespace nestor::report {

ClaimedOptimum claim_of_all(std::span<const Layer> layers, std::span<const ClaimedOptimum> claims) {
  ClaimedOptimum all;
  all.subject = all.name = "all layers under one bypass table";
  all.status = Status::optimal;
  all.objective = all.lower_bound = 0;
  const auto add = [](std::optional<double>& sum, const std::optional<double>& part, double repeat) {
    sum = sum && part ? std::optional(*sum + repeat * *part) : std::nullopt;
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto repeat = static_cast<double>(layers[i].repeat);
    add(all.objective, claims[i].objective, repeat);
    add(all.lower_bound, claims[i].lower_bound, repeat);
    if (claims[i].status != Status::optimal) all.status = claims[i].status;
  }
  // If the search over tables was stopped, the layers' bounds hold only for the best table so far. Their sum
  // is then not a bound over all tables.
  if (all.status != Status::optimal) all.lower_bound.reset();
  return all;
}

ProvedOptimum proof_of_all(const UniqueShapes& shapes, const mapper::pim::NetworkMap& map) {
  ProvedOptimum proof{map.status, map.bound, {}, {}};
  if (map.shapes.empty()) return proof;
  double sum = 0;
  for (std::size_t s = 0; s < map.shapes.size(); ++s)
    if (!map.shapes[s].best.empty())
      sum += static_cast<double>(shapes.shapes[s].repeat) * map.shapes[s].best.front().objective;
  proof.best = {sum};
  return proof;
}

}  // namespace nestor::report
