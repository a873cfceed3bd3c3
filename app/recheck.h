// nestor verify --recheck in spaces of loop nests: whether the claims of optimality in a result hold, by
// searching again without the result's limits. It trusts the search, which the rest of verify does not; so it
// speaks only of what nothing else can confirm: status, bound, completeness of fronts and of lists of the
// best.
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

/// Mappings that are given without a result claim nothing that could be proved.
io::MaybeError refuse_recheck_of_mappings(const io::RunOptions& options);

/// What the run that wrote a result was asked; refused where no search has proved anything.
io::Result<io::RunOptions> asked_to_prove(const std::string& verb, const io::OptionTexts& options);

template <typename Request>
void lift_limits(Request& request) {
  request.work_limit = mapper::NestRequest().work_limit;
  request.layer_seconds = mapper::NestRequest().layer_seconds;
}

/// All cores, and what --time-limit and --memory-limit of verify allow.
class NewSearch {
 public:
  explicit NewSearch(const io::RunOptions& options);

  const mapper::Resources& resources() const { return resources_; }

  /// What map proves of these layers, shape by shape.
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

/// Whether the other cost of optima is what a new search proves least.
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
