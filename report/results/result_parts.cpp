#include "report/results/result_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/checked.h"
#include "io/vocabulary.h"
#include "report/results/node_json.h"
#include "solver/search/tolerance.h"

namespace nestor::io {

void add_product(Int& sum, Int a, Int b) {
  const auto product = checked_multiply(a, b);
  sum = (product ? checked_add(sum, *product) : std::nullopt).value_or(std::numeric_limits<Int>::max());
}

std::string members_text(const OptionTexts& options) {
  std::string text = "exact divisors";
  bool is_fixed = false;
  for (const auto& [name, value] : options) {
    if (name == "pad" && value == "auto") text = "bounds padded to multiples of 2, 4 or 8";
    if (name == "pad" && value != "auto" && value != "0")
      text = fmt::format("bounds padded by at most {} %", value);
    if (name == "remainder") text += ", layers cut in two where that costs less";
    if (name == "factors" && value == "flexible") text += ", some merged";
    if (name == "method" && value != "optimal") text += fmt::format(", {}", value);
    is_fixed |= name == "fix";
  }
  return is_fixed ? text + ", with the constraints of --fix" : text;
}

bool has_members(const RunHead& run) {
  const auto is_baseline = [](const auto& option) {
    return option.first == "method" && option.second != "optimal";
  };
  return run.verb == "map" && std::none_of(run.options.begin(), run.options.end(), is_baseline);
}

void describe_run_head(Fields& fields, RunHead& run, Description architecture) {
  static constexpr std::array<std::string_view, 5> verbs = {"map", "evaluate", "simulate", "show", "import"};
  const std::string_view space = run.space;
  describe_head(fields, run, Words(&space, 1), verbs);
  architecture(fields);
  add_word(fields, key::network, run.network, {}, "Name of the network.");
  const Json members = has_members(run) ? Json(members_text(run.options)) : Json();
  add_output(
      fields, key::members, members, [] { return text_schema(); },
      "With map: the set of mappings over which `objective` is the minimum, `exact divisors` or `bounds "
      "padded by at most 5 %`.");
  fields.flag(
      key::complete, run.complete, written(true),
      "False during the run, or if the run was interrupted: finished layers are on disk before it ends.");
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& /*reading*/) {
    run.constraints = node_to_json(node);
  };
  fields.field({key::constraints, optional, read, [] {}, [&] { return run.constraints; },
                [] {
                  return Json{{"$ref", "constraints.schema.json"}};
                },
                "With map --fix: the constraints, in the form of their file."});
}

Json run_head_to_json(RunHead run, const Json& architecture) {
  return write_fields([&](Fields& fields) {
    describe_run_head(fields, run, [&](Fields& inner) {
      add_output(inner, key::architecture, architecture, any_schema, "");
    });
  });
}

namespace {

constexpr SizeRange most_entries = {0, 1'000'000};

Json padded_to_json(const MappedBounds& mapped) {
  if (!mapped.padded) return {};
  Json padded = Json::object();
  for (const Dim dim : all_dims)
    if (const Int bound = (*mapped.padded)[index_of(dim)]; bound != 1)
      padded[std::string(1, letter(dim))] = bound;
  return padded;
}

void read_padded(const Node& node, MappedBounds& mapped, Reading& reading) {
  constexpr Int most_products = Int{1} << 56;  // limit as in a layer file
  const MapReader fields(node, "padded", dim_words, reading);
  Extents bounds = unit_extents;
  Int products = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    bounds[d] = fields.integer(dim_words[d], {1, Int{1} << 31}, 1);
    products = checked_multiply(products, bounds[d]).value_or(most_products + 1);
    if (products > most_products) return reading.fail(node, "padded has more than 2^56 multiply-accumulates");
  }
  mapped.padded = bounds;
}

void describe_unmapped(Fields& fields, UnmappedOperator& op) {
  fields.title(key::type, op.type, required, "Type of the operator.");
  fields.integer(key::count, op.count, {0}, required, "Number of such operators.");
}

void describe_totals(Fields& fields, ResultTotals& totals) {
  add_count(fields, key::layers, totals.layers, "Number of layers.");
  add_count(fields, key::mapped, totals.mapped,
            "Number of layers with a mapping; macs to edp cover only these.");
  add_count(fields, key::macs, totals.macs, "Multiply-accumulates.");
  add_count(fields, key::latency_cycles, totals.latency_cycles, "");
  add_figure(fields, key::energy_pj, totals.energy_pj, "");
  add_figure(fields, key::edp, totals.edp,
             "Total energy times total latency; the objective of a run that minimises edp.");
  add_figure(fields, key::objective, totals.objective,
             "Present, as are the next two, only if every layer has it.");
  add_figure(fields, key::lower_bound, totals.lower_bound, "");
  add_figure(fields, key::gap, totals.gap, "");
  add_figure(fields, key::edp_sum, totals.edp_sum, "Sum of the EDPs of the layers.");
}

void describe_chosen_layer(Fields& fields, NetworkOptimum::ChosenLayer& layer) {
  add_word(fields, key::name, layer.name, {}, "Name of the layer.");
  fields.list(
      key::points, required, {1, most_entries.high}, layer.points, "point",
      [](Fields& inner, NetworkOptimum::Point& point) {
        Int index = static_cast<Int>(point.front_index) + 1;
        inner.integer(key::front_index, index, {1}, required,
                      "Number of the point in the front of the layer.");
        point.front_index = static_cast<std::size_t>(index) - 1;
        inner.integer(key::copies, point.copies, {1}, required,
                      "Number of repeats of the layer that use it.");
      },
      "");
}

void describe_network_optimum(Fields& fields, NetworkOptimum& optimum) {
  static constexpr std::array<std::string_view, 4> objectives = {"latency", "energy", "edp", "blended"};
  add_word(fields, key::objective, optimum.objective, objectives, "");
  fields.word(key::status, optimum.status, statuses, required, "");
  add_figure(fields, key::value, optimum.value, "");
  add_figure(fields, key::lower_bound, optimum.lower_bound, "");
  const bool has_choice = !optimum.layers.empty();
  const auto chosen = [&](const Json& value) { return has_choice ? value : Json(); };
  const auto read_cycles = [&](const Node& node, const std::string& label, Reading& reading) {
    optimum.latency_cycles = read_integer(node, label, {0}, reading);
  };
  fields.field({key::latency_cycles, optional, read_cycles, [] {},
                [&] { return chosen(optimum.latency_cycles); }, count_schema, ""});
  const auto read_energy = [&](const Node& node, const std::string& label, Reading& reading) {
    optimum.energy_pj = read_number(node, label, 0, reading);
  };
  fields.field({key::energy_pj, optional, read_energy, [] {},
                [&] { return chosen(figure_to_json(optimum.energy_pj)); }, figure_schema, ""});
  add_output(fields, key::edp,
             chosen(figure_to_json(optimum.energy_pj * static_cast<double>(optimum.latency_cycles))),
             figure_schema, "");
  fields.list(key::layers, optional, most_entries, optimum.layers, "layer", describe_chosen_layer, "");
}

void describe_incumbent(Fields& fields, SearchStatistics::Incumbent& incumbent) {
  fields.number(key::seconds, incumbent.seconds, seconds_range, written(0.0), "");
  add_figure(fields, key::objective, incumbent.objective, "");
  fields.integer(key::nodes, incumbent.nodes, {-1}, -1, "Nodes expanded when the mapping was found.");
  auto bound = std::isfinite(incumbent.lower_bound) ? std::optional(incumbent.lower_bound) : std::nullopt;
  add_figure(fields, key::lower_bound, bound,
             "Bound on the objective proved by then. Absent if there was none.");
  incumbent.lower_bound = bound.value_or(no_bound);
}

void describe_unsigned(Fields& fields, std::string_view key, std::uint64_t& value, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = static_cast<std::uint64_t>(read_integer(node, label, {0}, reading));
  };
  fields.field({key, always, read, [] {}, [&] { return Json(value); }, count_schema, meaning});
}

void describe_counts(Fields& fields, SearchCounts& counts) {
  describe_unsigned(fields, key::nodes, counts.expanded, "Nodes of the search that were expanded.");
  describe_unsigned(fields, key::labels, counts.generated, "Labels that were generated.");
  // Files may state causes that this version does not know.
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    constexpr std::size_t most_causes = 1000;
    if (!node.is_map() || node.size() > most_causes)
      reading.fail(node, fmt::format("{} is {}, expected a map of at most {} keys", label, node.describe(),
                                     most_causes));
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i) {
      const auto number = static_cast<std::uint64_t>(read_integer(node.value(i), "count", {0}, reading));
      if (node.key(i).text() == key::bound) counts.cut = number;
      if (node.key(i).text() == key::dominated) counts.dominated = number;
    }
  };
  const auto write = [&] { return Json{{key::bound, counts.cut}, {key::dominated, counts.dominated}}; };
  fields.field({key::pruned, always, read, [] {}, write, [] { return map_schema({}, count_schema()); },
                "Labels that were pruned, by cause."});
}

}  // namespace

void describe_padded(Fields& fields, MappedBounds& mapped) {
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    read_padded(node, mapped, reading);
  };
  fields.field({key::padded, optional, read, [] {}, [&] { return padded_to_json(mapped); },
                [] {
                  return Json{{"$ref", "layers.schema.json#/properties/layers/items/properties/dims"}};
                },
                "Bounds of the mapped nest, if larger than dims; all figures refer to this nest."});
}

void put_padded(Json& json, const MappedBounds& mapped) {
  if (mapped.padded) json[key::padded] = padded_to_json(mapped);
}

void put_optimum_totals(const Json& optimum, Json& totals) {
  for (const char* const key : {key::latency_cycles, key::energy_pj, key::edp}) totals[key] = optimum[key];
  for (const char* const key : {key::objective, key::lower_bound, key::gap, key::edp_sum}) totals.erase(key);
  if (!optimum.contains(key::value)) return;
  totals[key::objective] = optimum[key::value];
  if (!optimum.contains(key::lower_bound)) return;
  totals[key::lower_bound] = optimum[key::lower_bound];
  const double value = optimum[key::value].get<double>();
  if (value != 0) totals[key::gap] = gap_between(value, optimum[key::lower_bound].get<double>());
}

void put_network_optimum(Json& json, const RunHead& run) {
  if (!run.optimum) return;
  auto optimum = *run.optimum;
  json[key::network_optimum] =
      write_fields([&](Fields& fields) { describe_network_optimum(fields, optimum); });
  if (!optimum.layers.empty()) put_optimum_totals(json[key::network_optimum], json[key::totals]);
}

void describe_run_end(Fields& fields, RunHead& run, std::vector<UnmappedOperator>& unmapped,
                      const ResultTotals& totals) {
  fields.list(key::unmapped, always, most_entries, unmapped, "unmapped operator", describe_unmapped,
              "Operators of the network that are not mapped.");
  Json end = {{key::totals, totals_to_json(totals)}};
  put_network_optimum(end, run);
  const auto skip = [](const Node& node, const std::string& label, Reading& reading) {
    ResultTotals skipped;
    read_fields(node, label, reading, [&](Fields& inner) { describe_totals(inner, skipped); });
  };
  fields.field({key::totals, optional, skip, [] {}, [&] { return end[key::totals]; },
                [] { return totals_schema(); },
                "Sums over the layers with a mapping, each multiplied by `repeat` times `groups`."});
  add_part(fields, key::network_optimum, run.optimum, describe_network_optimum,
           "With map --scope network: the optimum of the totals, and the front point that each copy of a "
           "layer takes.");
}

void TotalsSum::add_layer(const Layer& layer, const std::optional<double>& objective,
                          const std::optional<double>& bound) {
  const auto repeat = static_cast<double>(layer.repeat);
  ++sums_.layers;
  all_objectives_ = all_objectives_ && objective;
  all_bounds_ = all_bounds_ && bound;
  objective_ += repeat * objective.value_or(0);
  bound_ += repeat * (edp_ ? std::sqrt(std::max(bound.value_or(0), 0.0)) : bound.value_or(0));
}

void TotalsSum::add_mapping(const Layer& layer, Int cycles, double energy_pj) {
  ++sums_.mapped;
  // The layer reader limits this product far below an overflow.
  add_product(sums_.macs, layer.repeat * product_of(layer.shape.bounds), 1);
  add_product(sums_.latency_cycles, layer.repeat, cycles);
  sums_.energy_pj += static_cast<double>(layer.repeat) * energy_pj;
}

ResultTotals TotalsSum::totals() const {
  ResultTotals totals = sums_;
  totals.edp = totals.energy_pj * static_cast<double>(totals.latency_cycles);
  if (totals.layers == 0) return totals;
  if (all_objectives_) totals.objective = edp_ ? totals.edp : objective_;
  if (all_bounds_) totals.lower_bound = edp_ ? bound_ * bound_ : bound_;
  if (all_objectives_ && edp_) totals.edp_sum = objective_;
  if (totals.objective && totals.lower_bound && *totals.objective != 0)
    totals.gap = gap_between(*totals.objective, *totals.lower_bound);
  return totals;
}

Json totals_to_json(const ResultTotals& totals) {
  ResultTotals written = totals;
  return write_fields([&](Fields& fields) { describe_totals(fields, written); });
}

Json totals_schema() {
  ResultTotals totals;
  return schema_of([&](Fields& fields) { describe_totals(fields, totals); }, SchemaKind::output);
}

Json measured_totals_to_json(const ResultTotals& totals) {
  Json json = totals_to_json(totals);
  for (const char* const key :
       {key::energy_pj, key::edp, key::objective, key::lower_bound, key::gap, key::edp_sum})
    if (json.contains(key)) json[key] = json[key].get<double>();
  return json;
}

Json unmapped_to_json(std::vector<UnmappedOperator> unmapped) {
  Json list = Json::array();
  for (auto& op : unmapped)
    list.push_back(write_fields([&](Fields& fields) { describe_unmapped(fields, op); }));
  return list;
}

void describe_status(Fields& fields, std::optional<Status>& status) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    status = read_word(node, label, statuses, reading);
  };
  fields.field({key::status, optional, read, [] {},
                [&] { return status ? Json(to_string(*status)) : Json(); },
                [] { return words_schema(statuses.words); },
                "How the search ended; heuristic: --method priority ended without a proof. Absent, as is "
                "`lower_bound`, if a baseline (--method) computed the mapping: it proves nothing."});
}

void describe_operand(Fields& fields, std::optional<Operand>& operand) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    operand = all_operands[read_word(node, label, operand_words, reading)];
  };
  fields.field({key::operand, optional, read, [] {},
                [&] { return operand ? Json(std::string(1, letter(*operand))) : Json(); },
                [] { return words_schema(operand_words); },
                "The operand whose transfers `used` counts: the busiest one."});
}

void describe_tie_break(Fields& fields, TieBreakResult& ties) {
  static constexpr auto objectives = std::to_array<std::string_view>({"energy", "latency"});
  std::size_t objective = ties.objective == objectives[1] ? 1 : 0;
  fields.word(key::objective, objective, objectives, required, "");
  ties.objective = objectives[objective];
  fields.word(key::status, ties.status, statuses, required, "");
  add_figure(fields, key::lower_bound, ties.lower_bound, "");
  add_count(fields, key::nodes, ties.nodes, "");
  fields.number(key::seconds, ties.seconds, seconds_range, written(0.0), "");
}

void describe_search(Fields& fields, SearchStatistics& search, bool choices) {
  describe_counts(fields, search.counts);
  fields.number(key::seconds, search.seconds, seconds_range, written(0.0), "");
  fields.list(key::incumbents, always, most_entries, search.incumbents, "incumbent", describe_incumbent,
              "Mappings that were better than all earlier ones.");
  if (choices) describe_unsigned(fields, key::choices, search.branches, "Spatial choices.");
}

}  // namespace nestor::io
