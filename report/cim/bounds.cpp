#include "report/cim/bounds.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "report/goal_columns.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::put;
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

std::string bound_text(const io::CimRun& run, double bound) {
  if (bound == no_cost) return infeasible;
  return is_known(bound) ? objective_text(run.objective.name, bound) : "-";
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

std::optional<double> if_known(double bound) { return is_known(bound) ? std::optional(bound) : std::nullopt; }

void describe_stage(Fields& fields, const RootBound& stage) {
  put(fields, key::bound, if_known(stage.bound),
      "Lower bound from this technique and those before it; absent if there is none.");
  put(fields, key::choices, stage.choices,
      "Number of spatial choices processed: those that the previous techniques left open.");
  put(fields, "closed", stage.closed,
      "Number of these choices that cost no less than the reference or have no mapping.");
}

void describe_programs(Fields& fields, const RootBounds& bounds) {
  describe_stage(fields, bounds.programs);
  put(fields, "solved", bounds.programs_solved, "Number of linear programs solved.");
  put(fields, "pivots", bounds.pivots, "");
}

struct LayerBounds {
  std::string name;
  Int repeat = 1;
  RootBounds bounds;
};

void describe_layer_bounds(Fields& fields, const LayerBounds& layer) {
  static constexpr std::array<std::string_view, 3> sources = {"steps", "tables", "programs"};
  const RootBounds& bounds = layer.bounds;
  const auto bound = if_known(bounds.bound());
  put(fields, key::name, layer.name, "");
  put(fields, key::repeat, layer.repeat, "");
  put(fields, "limit", bounds.limit ? std::optional(to_string(*bounds.limit)) : std::nullopt,
      "Limit that ended the work early; the bounds are valid anyway.");
  put(fields, "feasible", bounds.bound() < no_cost, "False if it is proved that no mapping exists.");
  put(fields, "incumbent", bounds.incumbent ? std::optional(bounds.incumbent->objective) : std::nullopt,
      "Cost of the first mapping that a search would start with.");
  put(fields, "reference", if_known(bounds.reference),
      "Cost with which spatial choices are compared: the incumbent's, or --incumbent.");
  put(fields, key::bound, bound, "The highest of the three bounds; no mapping costs less.");
  put_word(fields, key::source, bound ? std::optional(source_of(bounds)) : std::nullopt, sources,
           "The first technique that reaches the bound.");
  put(fields, key::choices, bounds.choices, "Number of spatial choices of the layer.");
  fields.part(
      key::steps, io::always, [&](Fields& stage) { describe_stage(stage, bounds.steps); },
      "Bound from the time of one MVM for every temporal step and the energy of every multiply-accumulate.");
  fields.part(
      "tables", io::always, [&](Fields& stage) { describe_stage(stage, bounds.tables); },
      "Bound that considers each operand separately, with its best loops.");
  io::put_part(
      fields, key::programs, bounds.has_programs ? std::optional(bounds) : std::nullopt, describe_programs,
      "Bound from linear programs: relaxations with one loop order for all operands. They are solved "
      "only if energy counts or the latency model is stall, for the 32 choices with the lowest "
      "bounds.");
  put(fields, key::seconds, bounds.seconds, "");
}

void describe_bounds(Fields& fields, const io::CimRun& run, const std::vector<LayerBounds>& layers) {
  fields.constant(key::schema, "nestor.bounds/1", io::always, "");
  put(fields, key::version, run.version, "Version of the tool that wrote the file.");
  put(fields, key::network, run.network, "");
  put(fields, key::architecture, run.machine.name, "");
  put(fields, key::objective, run.objective.name, "");
  put(fields, key::latency_model, run.objective.latency_model, "");
  put_list(fields, key::layers, layers, describe_layer_bounds, "");
}

}  // namespace

io::Json bounds_json(const io::CimRun& run, const UniqueShapes& shapes,
                     const std::vector<mapper::RootBounds>& all) {
  std::vector<LayerBounds> layers;
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const Layer& layer = run.layers[i].layer;
    layers.push_back({layer.name, layer.repeat, all[shapes.shape_of_layer[i]]});
  }
  return io::write_fields([&](Fields& fields) { describe_bounds(fields, run, layers); });
}

io::Json bounds_schema() {
  return io::schema_of([](Fields& fields) { describe_bounds(fields, io::CimRun(), {}); },
                       io::SchemaKind::output);
}

std::string bounds_text(const io::CimRun& run, const UniqueShapes& shapes,
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
         bounds.incumbent ? objective_text(run.objective.name, bounds.incumbent->objective) : "-",
         bound_text(run, bounds.steps.bound), closed_text(bounds.steps), bound_text(run, bounds.tables.bound),
         closed_text(bounds.tables), bounds.has_programs ? bound_text(run, bounds.programs.bound) : "-",
         bounds.has_programs ? closed_text(bounds.programs) : "-",
         bounds.limit ? to_string(*bounds.limit) : std::string(source_of(bounds)), root_gap_text(bounds),
         fmt::format("{:.3f} s", bounds.seconds)});
  }
  return fmt::format("{} on {}, bounds on the least {} before any search, latency model {}\n\n{}",
                     run.network, run.machine.name, run.objective.name, run.objective.latency_model,
                     table.to_string());
}

}  // namespace nestor::report
