// nestor verify --recheck in the loop-nest spaces: a new search without the result's limits confirms the
// claims of optimality in a result. This check trusts the search; all other checks of verify do not. It
// therefore covers only claims that they cannot confirm: status, bound, and completeness of fronts and of
// lists of best mappings.
#pragma once

#include <fmt/format.h>

#include <memory>

#include "mapper/loopnest/fault.h"
#include "mapper/loopnest/map_network.h"
#include "mapper/loopnest/request.h"
#include "report/claim_check.h"
#include "report/verify/run_claims.h"
#include "solver/search/tolerance.h"

namespace nestor::app {

/// Refuses mappings without a result, because they make no claim of optimality.
io::MaybeError refuse_recheck_of_mappings(const io::RunOptions& options);

/// Returns the options of the run that wrote a result. Refuses results of runs that prove nothing.
io::Result<io::RunOptions> asked_to_prove(const std::string& verb, const io::OptionTexts& options);

template <typename Request>
void lift_limits(Request& request) {
  request.work_limit = mapper::NestRequest().work_limit;
  request.layer_seconds = mapper::NestRequest().layer_seconds;
  if constexpr (requires { request.embedded_workspace; }) request.embedded_workspace.reset();
}

/// Resources of a new search: all cores, and the limits of verify's own --time-limit and --memory-limit.
class NewSearch {
 public:
  explicit NewSearch(const io::RunOptions& options);

  const mapper::Resources& resources() const { return resources_; }

  /// Maps these layers again, one search for each shape.
  template <typename Machine, typename Request>
  auto map(std::span<const Layer> layers, const UniqueShapes& shapes, const Machine& machine,
           const Request& request) -> io::Result<std::vector<mapper::MapOf<Machine, Request>>> {
    auto maps = mapper::map_network(layers, shapes.shapes, machine, request, resources_);
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (maps[shapes.shape_of_layer[i]].fault != mapper::Fault::none)
        return contradiction(fmt::format("layer '{}'", layers[i].name));
    return maps;
  }

  static io::Error contradiction(std::string_view subject);

 private:
  std::unique_ptr<Executor> executor_;
  MemoryBudget memory_;
  mapper::Resources resources_;
};

/// Compares the claimed tie-breaking costs with those that a new search proves.
template <typename Layers, typename Maps>
void recheck_ties(const Layers& layers, const UniqueShapes& shapes, const Maps& maps,
                  io::ResultCheck& check) {
  bool all = true;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& claimed = layers[i].ties;
    if (!claimed) continue;
    const auto& found = maps[shapes.shape_of_layer[i]].ties;
    if (!found || found->status != Status::optimal) {
      all = false;
      continue;
    }
    ++check.figures;
    const bool agree = costs_agree(claimed->lower_bound, found->bound);
    if (!agree && (claimed->status == Status::optimal || claimed->lower_bound > found->bound))
      check.findings.push_back(fmt::format("layer '{}': tie_break.lower_bound is claimed as {}, found {}",
                                           layers[i].layer.name, claimed->lower_bound, found->bound));
  }
  if (all) std::erase(check.not_checked, io::unproved_ties);
}

}  // namespace nestor::app
