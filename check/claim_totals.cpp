// Check of the totals of a result against the figures of its layers.
#include <algorithm>
#include <array>

#include "check/claim_parts.h"

namespace nestor::check {
namespace {

// Figures that are summed, and the factors by which a layer is repeated.
constexpr std::array<const char*, 3> summed = {"/latency_cycles", "/energy_pj", "/time_ms"};
constexpr std::array<const char*, 2> run_factors = {"/repeat", "/groups"};

Decimal sum(const Decimal& a, const Decimal& b) {
  const int places = std::max(a.places, b.places);
  return {plus(times(a.digits, power_of_ten(places - a.places)),
               times(b.digits, power_of_ten(places - b.places))),
          places};
}

Wide times_run(const Json& layer) {
  Wide runs = 1;
  for (const auto* const factor : run_factors)
    if (const auto count = number_at(layer, factor)) runs = times(runs, count->in(1));
  return runs;
}

// Checks a total that is the sum over layers, each multiplied by its number of repetitions. If a layer itself
// lacks the figure, the first point of its front is used.
std::string sum_fault(const Json& totals, const char* total, const Parts& layers, const std::string& key) {
  const auto claimed = number_at(totals, total);
  if (!claimed) return "";
  Decimal found;
  for (const Json* const part : layers) {
    auto figure = number_at(*part, key.c_str());
    if (!figure) figure = number_at(*part, ("/front/0" + key).c_str());
    if (figure) found = sum(found, {times(figure->digits, times_run(*part)), figure->places});
  }
  if (compare(found, *claimed) == 0) return "";
  return std::string("its total of ") + (total + 1) + " is " + text(*claimed) +
         ", but the sum over its layers is " + text(found);
}

// Checks the EDP totals of a network. The objective is total energy times total latency. By the
// Cauchy-Schwarz inequality, the square of the sum of the square roots of the layers' bounds is a lower bound
// on the objective. edp_sum is the sum of the layers' EDPs.
std::string edp_fault(const Json& totals, const Parts& layers) {
  if (auto fault = sum_fault(totals, "/edp_sum", layers, "/objective"); !fault.empty()) return fault;
  const auto objective = number_at(totals, "/objective");
  const auto product = number_at(totals, product_key);
  if (objective && product && compare(*objective, *product) != 0)
    return "its total of objective is " + text(*objective) + ", but its total of edp is " + text(*product);
  if (!number_at(totals, "/lower_bound")) return "";
  double roots = 0;
  for (const Json* const layer : layers)
    if (const Json& bound = at(*layer, "/lower_bound"); bound.is_number())
      roots += static_cast<double>(times_run(*layer)) * std::sqrt(std::max(bound.get<double>(), 0.0));
  const double claimed = at(totals, "/lower_bound").get<double>();
  constexpr double tolerance = 1e-9;
  if (std::abs(claimed - roots * roots) <= tolerance * roots * roots) return "";
  return "its total of lower_bound does not follow from the bounds of its layers";
}

std::string total_gap_fault(const Json& totals) {
  const auto gap = number_at(totals, gap_key);
  if (!gap) return "";
  const auto cost = number_at(totals, "/objective");
  const auto bound = number_at(totals, "/lower_bound");
  if (!cost || !bound) return "its totals have a gap without a cost and a lower bound";
  return gap_fault(*gap, *cost, *bound);
}

// Checks a total for layers with chosen points of their fronts. It is the sum over these points, each
// multiplied by its number of copies.
std::string choice_fault(const Json& totals, const char* total, const Parts& layers, const Json& chosen) {
  const auto claimed = number_at(totals, total);
  if (!claimed) return "";
  Decimal found;
  for (std::size_t i = 0; i < std::min(layers.size(), chosen.size()); ++i)
    for (const Json& point : at(chosen[i], "/points")) {
      const auto index = number_at(point, "/front_index"), copies = number_at(point, "/copies");
      if (!index || !copies || index->digits < 1) return "its network_optimum has no points";
      const auto place = std::to_string(static_cast<long long>(index->in(1)) - 1);
      const auto figure = number_at(*layers[i], ("/front/" + place + total).c_str());
      if (!figure) return "its network_optimum refers to points that are not in a front";
      found = sum(found, {times(figure->digits, copies->in(1)), figure->places});
    }
  if (compare(found, *claimed) == 0) return "";
  return std::string("its total of ") + (total + 1) + " is " + text(*claimed) +
         ", but the sum over its points is " + text(found);
}

// Checks the totals of a network with chosen points. They must equal those of the choice, including its
// bound.
std::string totals_of_choice_fault(const Json& totals, const Parts& layers, const Json& optimum) {
  for (const auto* const key : summed)
    if (auto fault = choice_fault(totals, key, layers, at(optimum, "/layers")); !fault.empty()) return fault;
  if (at(totals, "/objective") != at(optimum, "/value") ||
      at(totals, "/lower_bound") != at(optimum, "/lower_bound"))
    return "its totals differ from those of its network_optimum";
  if (auto fault = total_gap_fault(totals); !fault.empty()) return fault;
  return product_fault(totals);
}

}  // namespace

std::string totals_fault(const Json& result, const Parts& layers, const ClaimKeys& keys) {
  const Json& totals = at(result, totals_key);
  if (totals.is_null()) return "";
  const Json& optimum = at(result, "/network_optimum");
  if (at(optimum, "/layers").is_array()) return totals_of_choice_fault(totals, layers, optimum);
  for (const auto* const key : summed)
    if (auto fault = sum_fault(totals, key, layers, std::string(keys.figures) + key); !fault.empty())
      return fault;
  if (at(result, "/objective/name") == "edp") {
    if (auto fault = edp_fault(totals, layers); !fault.empty()) return fault;
  } else {
    if (auto fault = sum_fault(totals, "/objective", layers, keys.objective); !fault.empty()) return fault;
    if (auto fault = sum_fault(totals, "/lower_bound", layers, keys.lower_bound); !fault.empty())
      return fault;
  }
  if (auto fault = total_gap_fault(totals); !fault.empty()) return fault;
  return product_fault(totals);
}

}  // namespace nestor::check
