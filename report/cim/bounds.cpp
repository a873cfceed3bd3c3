#include "report/cim/bounds.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "report/cim/map_tables.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {
namespace {

using mapper::RootBound;
using mapper::RootBounds;

constexpr auto infeasible = "no mapping";

bool is_known(double bound) { return std::abs(bound) < std::numeric_limits<double>::max(); }

// Returns the cheapest technique that reaches the final bound.
std::string_view source_of(const RootBounds& bounds) {
  const double bound = bounds.bound();
  if (bounds.steps.bound >= bound) return "steps";
  return bounds.tables.bound >= bound ? "tables" : "programs";
}

std::string bound_text(const io::RunResult& run, double bound) {
  if (bound == no_cost) return infeasible;
  return is_known(bound) ? objective_text(run, bound) : "-";
}

std::string closed_text(const RootBound& stage) {
  return fmt::format("{} of {}", io::count_text(static_cast<Int>(stage.closed)),
                     io::count_text(static_cast<Int>(stage.choices)));
}

std::string root_gap_text(const RootBounds& bounds) {
  if (!is_known(bounds.bound()) || !is_known(bounds.reference)) return "-";
  const double gap = gap_between(bounds.reference, bounds.bound());
  return gap <= 0 ? "0" : io::percent_text(gap);
}

io::Json to_json(const RootBound& stage) {
  io::Json json;
  if (is_known(stage.bound)) json[key::bound] = stage.bound;
  json[key::choices] = stage.choices;
  json["closed"] = stage.closed;
  return json;
}

io::Json to_json(const Layer& layer, const RootBounds& bounds) {
  io::Json json;
  json[key::name] = layer.name;
  json[key::repeat] = layer.repeat;
  if (bounds.limit) json["limit"] = to_string(*bounds.limit);
  json["feasible"] = bounds.bound() < no_cost;
  if (bounds.incumbent) json["incumbent"] = bounds.incumbent->objective;
  if (is_known(bounds.reference)) json["reference"] = bounds.reference;
  if (is_known(bounds.bound())) {
    json[key::bound] = bounds.bound();
    json[key::source] = source_of(bounds);
  }
  json[key::choices] = bounds.choices;
  json[key::steps] = to_json(bounds.steps);
  json["tables"] = to_json(bounds.tables);
  if (bounds.has_programs) {
    json[key::programs] = to_json(bounds.programs);
    json[key::programs]["solved"] = bounds.programs_solved;
    json[key::programs]["pivots"] = bounds.pivots;
  }
  json[key::seconds] = bounds.seconds;
  return json;
}

}  // namespace

io::Json bounds_json(const io::RunResult& run, const UniqueShapes& shapes,
                     const std::vector<mapper::RootBounds>& all) {
  io::Json json;
  json[key::schema] = "nestor.bounds/1";
  json[key::version] = run.version;
  json[key::network] = run.network;
  json[key::architecture] = run.architecture.name;
  json[key::objective] = run.objective.name;
  json[key::latency_model] = run.objective.latency_model;
  auto& layers = json[key::layers] = io::Json::array();
  for (std::size_t i = 0; i < run.layers.size(); ++i)
    layers.push_back(to_json(run.layers[i].layer, all[shapes.shape_of_layer[i]]));
  return json;
}

std::string bounds_text(const io::RunResult& run, const UniqueShapes& shapes,
                        const std::vector<mapper::RootBounds>& all) {
  io::Table table({{"layer", io::Align::left},
                   {"choices"},
                   {"first mapping"},
                   {"steps"},
                   {"closed"},
                   {"tables"},
                   {"closed"},
                   {"programs"},
                   {"closed"},
                   {"bound from", io::Align::left},
                   {"gap"},
                   {"time"}});
  for (std::size_t i = 0; i < shapes.shapes.size(); ++i) {
    const RootBounds& bounds = all[i];
    table.add_row(
        {run.layers[shapes.shapes[i].first].layer.name, io::count_text(static_cast<Int>(bounds.choices)),
         bounds.incumbent ? objective_text(run, bounds.incumbent->objective) : "-",
         bound_text(run, bounds.steps.bound), closed_text(bounds.steps), bound_text(run, bounds.tables.bound),
         closed_text(bounds.tables), bounds.has_programs ? bound_text(run, bounds.programs.bound) : "-",
         bounds.has_programs ? closed_text(bounds.programs) : "-",
         bounds.limit ? to_string(*bounds.limit) : std::string(source_of(bounds)), root_gap_text(bounds),
         fmt::format("{:.3f} s", bounds.seconds)});
  }
  return fmt::format("{} on {}, bounds on the least {} before any search, latency model {}\n\n{}",
                     run.network, run.architecture.name, run.objective.name, run.objective.latency_model,
                     table.to_string());
}

}  // namespace nestor::report
