// Benchmark of the quality of first incumbents that are built from linear programs. The solution of the
// energy relaxation proposes the contents of the memories. Rounded down to divisors that fit, these contents
// define a mapping. For every unique layer, the benchmark selects the spatial choices with the fewest steps.
// It compares the best rounded mapping with the first incumbent of the search, and with the result of the
// search after the same processor time.
//
//     lp_rounding [NETWORK, default resnet18] [ARCHITECTURE, default miredo-default] [CHOICES, default 16]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heuristics/cim/greedy_nest.h"
#include "model/cim/linear/relaxation.h"
#include "model/cim/space/cim_space.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "model/loopnest/spatial_factors.h"
#include "model/loopnest/tiles.h"
#include "proved_layers.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

// Returns the least prime factor.
Int least_factor(Int n) {
  for (Int f = 2; f * f <= n; ++f)
    if (n % f == 0) return f;
  return n;
}

// Builds loops from the innermost outward. For each content, smallest first, it adds loops with the remaining
// factors until the content's extents are reached. Factors for which a memory is too small are skipped, since
// the programs underestimate tiles. Then the content's operand moves to the next memory that it uses.
class Rounder {
 public:
  Rounder(const cim::CimProblem& problem, const SpatialFactors& spatial,
          std::vector<cim::RelaxedContent> contents)
      : problem_(problem), spatial_(spatial), contents_(std::move(contents)) {
    left_ = problem.layer.bounds;
    for (const Extents& axis : spatial)
      for (std::size_t d = 0; d < dim_count; ++d) left_[d] /= axis[d];
    for (const Operand operand : all_operands)
      loop_.at[index_of(operand)] = static_cast<std::uint8_t>(problem.machine.innermost(operand));
  }

  Mapping run() {
    // Contents that should be equal may differ by the tolerance of the program.
    const auto volume = [](const cim::RelaxedContent& content) {
      double logs = 0;
      for (const double extent : content.extents) logs += std::log(extent);
      return std::llround(1e6 * logs);
    };
    std::stable_sort(contents_.begin(), contents_.end(), [&](const auto& a, const auto& b) {
      return std::pair(volume(a), b.memory) < std::pair(volume(b), a.memory);
    });
    for (std::size_t k = 0; k < contents_.size(); ++k) {
      fill(contents_[k].extents);
      leave(k);
    }
    std::array<double, dim_count> all{};
    all.fill(no_cost);
    fill(all);
    Mapping mapping;
    mapping.spatial = spatial_;
    for (std::size_t i = innermost_first_.size(); i-- > 0;) mapping.loops.push_back(innermost_first_[i]);
    normalise(mapping, problem_.layer, problem_.machine);
    return mapping;
  }

 private:
  void fill(const std::array<double, dim_count>& extents) {
    for (std::size_t d = 0; d < dim_count; ++d)
      while (left_[d] > 1) {
        const Int factor = least_factor(left_[d]);
        if (static_cast<double>(inner_[d] * factor) > extents[d] * (1 + 1e-6) || !fits(d, factor)) break;
        loop_.dim = static_cast<Dim>(d);
        loop_.factor = factor;
        innermost_first_.push_back(loop_);
        left_[d] /= factor;
        inner_[d] *= factor;
      }
  }

  Int bits_in(std::size_t memory, Operand operand, const Extents& extents) const {
    const Memory& place = problem_.machine.memories[memory];
    return whole_bits(problem_.layer, operand, extents_below(problem_.machine, place, spatial_, extents));
  }

  // True if the contents that are being filled still fit their memories after another loop over `d`.
  bool fits(std::size_t d, Int factor) const {
    Extents extents = inner_;
    extents[d] *= factor;
    auto used = closed_;
    for (const Operand operand : all_operands)
      used[loop_.at[index_of(operand)]] += bits_in(loop_.at[index_of(operand)], operand, extents);
    for (const Operand operand : all_operands) {
      const std::size_t m = loop_.at[index_of(operand)];
      if (m != problem_.machine.home(operand) && used[m] > problem_.machine.memories[m].capacity)
        return false;
    }
    return true;
  }

  void leave(std::size_t k) {
    const Operand operand = contents_[k].operand;
    const auto next = std::find_if(contents_.begin() + static_cast<std::ptrdiff_t>(k) + 1, contents_.end(),
                                   [&](const auto& other) { return other.operand == operand; });
    closed_[contents_[k].memory] += bits_in(contents_[k].memory, operand, inner_);
    loop_.at[index_of(operand)] =
        static_cast<std::uint8_t>(next != contents_.end() ? next->memory : problem_.machine.home(operand));
  }

  const cim::CimProblem& problem_;
  const SpatialFactors& spatial_;
  std::vector<cim::RelaxedContent> contents_;
  Extents left_{};
  Extents inner_ = unit_extents;
  std::array<Int, max_memories> closed_{};  // bits of completed contents
  Loop loop_;
  std::vector<Loop> innermost_first_;
};

struct Rounding {
  double best = no_cost;
  int legal = 0;
  double seconds = 0;
};

Rounding round_best(const cim::CimProblem& problem, std::size_t most) {
  const ChoiceList list(problem, problem.machine, cim::RulesOf()(problem));
  const bench::Stopwatch watch;
  std::vector<std::size_t> order(list.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Solving a program for each choice would take longer than any proof, so only choices with few steps are
  // used.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return list.steps(a) < list.steps(b); });
  Rounding rounding;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const auto spatial = list.spatial(order[k]);
    const auto bound = cim::relaxed_bound(cim::RelaxedCost::energy, problem.layer, problem.machine, spatial,
                                          {.node_limit = 50, .stop_at = rounding.best});
    if (bound.contents.empty()) continue;
    const Mapping mapping = Rounder(problem, spatial, bound.contents).run();
    if (find_violation(problem.layer, problem.machine, mapping)) continue;
    ++rounding.legal;
    rounding.best = std::min(rounding.best, cim::evaluate(problem.layer, problem.machine, mapping).energy_pj);
  }
  rounding.seconds = watch.cpu();
  return rounding;
}

int run(const std::string& network_name, const std::string& machine_name, std::size_t choices) {
  mapper::CimRequest request;
  request.objective.kind = cim::ObjectiveKind::energy;
  request.layer_seconds = 30;
  io::Table table({{"layer", io::Align::left},
                   {"legal"},
                   {"rounded"},
                   {"ms"},
                   {"first incumbent"},
                   {"search, same time"},
                   {"search, ms"}});
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{4} << 30U);
  const auto visit = [&](const bench::ProvedLayer& proved) {
    const auto problem = cim::make_problem(proved.layer.shape, proved.machine, request.objective);
    const auto rounding = round_best(problem, choices);
    auto limited = request;
    limited.layer_seconds = rounding.seconds;
    const auto meanwhile =
        mapper::map_layer(proved.layer.shape, proved.machine, limited, {*executor, memory});
    const auto greedy = cim::greedy_nest(problem, 1);
    const auto gap = [&](double cost) {
      return cost == no_cost ? std::string("-")
                             : fmt::format("{:.1f} %", 100 * (cost / proved.map.best.front().objective - 1));
    };
    table.add_row(
        {proved.layer.name, fmt::format("{}", rounding.legal), gap(rounding.best),
         fmt::format("{:.0f}", 1e3 * rounding.seconds), gap(greedy ? greedy->cost : no_cost),
         gap(meanwhile.best.empty() ? no_cost : meanwhile.best.front().objective),
         fmt::format("{:.0f}{}", 1e3 * proved.seconds, proved.map.status == Status::optimal ? "" : " open")});
  };
  bench::for_each_proved_layer(network_name, machine_name, request, visit);
  fmt::print("{} on {}, energy above the proved optimum (or the best known), one thread\n\n{}", network_name,
             machine_name, table.to_string());
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int count, char** arguments) {
  const auto argument = [&](int i, const char* fallback) { return count > i ? arguments[i] : fallback; };
  return nestor::run(argument(1, "resnet18"), argument(2, "miredo-default"),
                     nestor::bench::number_of<std::size_t>(argument(3, "16")));
}
