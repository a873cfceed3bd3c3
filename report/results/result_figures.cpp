#include "report/results/result_figures.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "report/keys/chip.h"
#include "report/keys/cim.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"

namespace nestor::report {
namespace {

using io::Json;

// Statuses from worst to best. A result that states no status has the worst status of its layers.
constexpr std::array<std::string_view, 9> from_worst = {"infeasible", "interrupted", "memory_limit",
                                                        "time_limit", "work_limit",  "heuristic",
                                                        "imported",   "gap_reached", "optimal"};

// The parts of the cycles of a chip's segment. The name of a part is its key without "_cycles".
constexpr std::array<const char*, 3> segment_parts = {key::rewrite_cycles, key::schedule_cycles,
                                                      key::spill_cycles};

// Returns the value of the first key that the map has, or null.
const Json& first_of(const Json& map, std::initializer_list<const char*> keys) {
  static const Json none;
  if (!map.is_object()) return none;
  for (const auto* const name : keys)
    if (const auto found = map.find(name); found != map.end()) return *found;
  return none;
}

Json number(const Json& value) { return value.is_number() ? value : Json(); }
std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

Json stored_objective(const Json& data) {
  const Json* value = &first_of(data, {key::objective});
  if (value->is_object()) value = &first_of(*value, {key::value});
  // The objective of a kernel is its time.
  if (!value->is_number() && data.contains(key::status)) value = &first_of(data, {key::time_ms});
  return number(*value);
}

Json bound_of(const Json& data) {
  const auto& value = first_of(data, {key::lower_bound, key::lower_bound_ms});
  return number(value.is_object() ? first_of(value, {key::copies}) : value);
}

void read_proof(const Json& data, PartFigures& part) {
  part.objective = stored_objective(data);
  part.bound = bound_of(data);
  part.gap = number(first_of(data, {key::gap}));
  if (!part.gap.is_null() || part.objective.is_null() || part.bound.is_null()) return;
  const double value = part.objective;
  const double bound = part.bound;
  part.gap = value != 0 ? (value - bound) / value : 0;
}

void add_number(Json& sum, const Json& value, std::int64_t times) {
  if (sum.is_null()) sum = 0;
  std::int64_t product = 0;
  std::int64_t total = 0;
  if (sum.is_number_integer() && value.is_number_integer() &&
      !__builtin_mul_overflow(value.get<std::int64_t>(), times, &product) &&
      !__builtin_add_overflow(sum.get<std::int64_t>(), product, &total))
    sum = total;
  else
    sum = sum.get<double>() + value.get<double>() * static_cast<double>(times);
}

void add_numbers(Json& sums, const Json& parts, std::int64_t times) {
  if (!parts.is_object()) return;
  for (const auto& [name, value] : parts.items())
    if (value.is_number()) add_number(sums[name], value, times);
}

const Json* present(const Json& value) { return value.is_null() ? nullptr : &value; }

PartFigures part_of(const Json& data) {
  PartFigures part;
  part.name = text(first_of(data, {key::name, key::kernel}));
  part.status = text(first_of(data, {key::status}));
  for (const auto* const name : {key::repeat, key::groups})
    if (const auto& times = first_of(data, {name}); times.is_number_integer()) {
      std::int64_t product = 0;
      if (!__builtin_mul_overflow(part.repeat, times.get<std::int64_t>(), &product)) part.repeat = product;
    }
  read_proof(data, part);
  part.mapping = present(first_of(data, {key::mapping, key::maps}));
  if (const auto& spent = first_of(data, {key::spent_cycles}); spent.is_object())
    part.latency_by = spent;
  else
    for (const auto& map : first_of(data, {key::maps}))
      add_numbers(part.latency_by, first_of(map, {key::causes}), 1);
  if (const auto& energy = first_of(first_of(data, {key::evaluation}), {key::energy}); energy.is_object())
    part.energy_by = energy;
  return part;
}

std::vector<PartFigures> parts_of(const Json& result) {
  std::vector<PartFigures> parts;
  const auto space = text(first_of(result, {key::space}));
  if (const auto& layers = first_of(result, {key::layers}); layers.is_array()) {
    for (const auto& layer : layers) parts.push_back(part_of(layer));
  } else if (space == "cnm") {
    parts.push_back(part_of(result));
  } else if (space == "chip") {
    for (const auto& segment : first_of(first_of(result, {key::decisions}), {key::segments}))
      for (const auto& unit : first_of(segment, {key::operators})) {
        PartFigures part;
        part.name = text(first_of(unit, {key::name}));
        part.status = text(first_of(result, {key::status}));
        part.mapping = &unit;
        parts.push_back(std::move(part));
      }
  }
  return parts;
}

std::string status_of(const Json& result, const std::vector<PartFigures>& layers) {
  if (const auto& optimum = first_of(result, {key::network_optimum}); optimum.is_object())
    return text(first_of(optimum, {key::status}));
  if (const auto& status = first_of(result, {key::status}); status.is_string()) return status;
  for (const auto word : from_worst)
    if (std::any_of(layers.begin(), layers.end(), [&](const auto& part) { return part.status == word; }))
      return std::string(word);
  return {};
}

bool is_mapped(const Json& totals) {
  const auto& mapped = first_of(totals, {key::mapped});
  return !mapped.is_number() || mapped.get<double>() != 0;
}

}  // namespace

ResultFigures result_figures(const Json& result) {
  ResultFigures figures{{}, parts_of(result)};
  auto& whole = figures.whole;
  whole = part_of(result);
  whole.status = status_of(result, figures.layers);
  for (const auto* const name : {key::network_optimum, key::totals})
    if (const auto& sums = first_of(result, {name}); sums.is_object()) {
      read_proof(sums, whole);
      if (whole.objective.is_null() && is_mapped(sums))
        whole.objective = number(first_of(sums, {key::time_ms}));
      break;
    }
  whole.mapping = present(first_of(result, {key::decisions, key::schedule, key::maps}));
  if (whole.mapping == nullptr && figures.layers.size() == 1) whole.mapping = figures.layers[0].mapping;
  whole.latency_by = whole.energy_by = Json::object();
  for (const auto& segment : first_of(first_of(result, {key::evaluation}), {key::segments}))
    for (const std::string name : segment_parts)
      if (const auto& cycles = first_of(segment, {name.c_str()}); cycles.is_number())
        add_number(whole.latency_by[name.substr(0, name.rfind('_'))], cycles, 1);
  for (const auto& layer : figures.layers) {
    add_numbers(whole.latency_by, layer.latency_by, layer.repeat);
    add_numbers(whole.energy_by, layer.energy_by, layer.repeat);
  }
  return figures;
}

}  // namespace nestor::report
