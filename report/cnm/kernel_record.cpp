#include "report/cnm/kernel_record.h"

#include "io/cnm/mapping_file.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::Json;
using io::put;

Json shares_json(const std::vector<cnm::NamedShare>& shares) {
  Json json = Json::object();
  for (const auto& [name, cycles] : shares) json[std::string(name)] = cycles;
  return json;
}

void describe_replay(Fields& fields, const MapReplay& replay) {
  put(fields, key::cycles, replay.unit.cycles, "");
  put(fields, key::time_ms, replay.time_ms, "");
  io::put_map(
      fields, key::causes, [&] { return shares_json(replay.unit.causes); },
      [] { return io::schema_of_type<double>(); }, "Cycles by cause.");
}

void describe_map(Fields& fields, const MapRecord& record) {
  cnm::CnmMap map = record.map;
  const auto& estimate = record.estimate;
  io::describe_map(fields, map);
  put(fields, key::cycles, estimate.cycles, "");
  put(fields, key::time_ms, estimate.time_ms, "");
  const auto write_units = [&] {
    Json json = Json::object();
    for (const auto& [level, count] : record.units) json[level] = count;
    return json;
  };
  io::put_map(fields, key::units, write_units, io::count_schema, "Number of units used on each level.");
  io::put_map(
      fields, key::causes, [&] { return shares_json(estimate.causes); }, io::figure_schema,
      "Cycles by cause; they sum to `cycles`. Each cause is extrapolated separately, so a cause with few "
      "cycles may be negative.");
  fields.part(
      key::host_ms, io::always,
      [&](Fields& host) {
        put(host, key::launch, estimate.host.launch_ms, "");
        put(host, key::reduce, estimate.host.reduce_ms, "");
        put(host, key::transfer, estimate.host.transfer_ms, "");
      },
      "Time of the host for launch, reduction and transfers.");
  fields.part(
      key::bounds, io::always,
      [&](Fields& bounds) {
        put(bounds, key::issue, estimate.bounds.issue, "Every slot of every tasklet takes a cycle.");
        put(bounds, key::dma, estimate.bounds.dma, "Every transfer occupies the engine.");
        put(bounds, key::tasklet, estimate.bounds.tasklet, "The first tasklet alone.");
      },
      "Lower bounds on the cycles of every run.");
  put(fields, key::wram_bytes, estimate.memory.wram, "");
  put(fields, key::mram_bytes, estimate.memory.mram, "");
  put(fields, key::iram_bytes, estimate.memory.iram, "");
  fields.part(
      key::simulated, io::always,
      [&](Fields& simulated) {
        put(simulated, key::runs, estimate.runs, "Number of simulated runs.");
        put(simulated, key::cycles, estimate.cycles_simulated, "");
        put(simulated, key::k, estimate.k, "Iterations of the longest run.");
        put(simulated, key::linear, estimate.linear, "True if cycles grow linearly beyond the runs.");
      },
      "The runs from which cycles are extrapolated.");
  io::put_part(fields, key::replay, record.replay, describe_replay,
               "With simulate: figures from a replay of the whole program.");
}

void describe_tie_break(Fields& fields, const KernelSearch& search) {
  fields.constant(key::objective, tie_order, io::always, "");
  io::put_word(fields, key::status, to_string(search.ties), io::statuses.words,
               "optimal: the mapping is the first in the documented order.");
}

void describe_effort(Fields& fields, const KernelSearch& search) {
  put(fields, key::branches, search.branches, "");
  put(fields, key::work, search.work, "Branches that were expanded.");
  put(fields, key::estimates, search.estimates, "");
  put(fields, key::seconds, search.seconds, "");
}

void describe_ranked(Fields& fields, const cnm::RankedMap& ranked) {
  cnm::CnmMap map = ranked.map;
  io::describe_shape(fields, map);
  put(fields, key::time_ms, ranked.time_ms, "");
  io::describe_pim_keys(fields, map.pim);
}

void describe_change(Fields& fields, const cnm::ChangedOptimum& change) {
  put(fields, key::changed, change.path, "Value of the system, as in --set.");
  put(fields, key::to, change.value, "");
  put(fields, key::time_ms, change.time_ms, "Least time with this value.");
  io::put_word(fields, key::status, to_string(change.status), io::statuses.words, "");
}

}  // namespace

std::vector<MapRecord> map_records(const cnm::KernelEstimate& estimate, const cnm::System& system) {
  std::vector<MapRecord> records;
  for (const auto& [map, figures] : estimate.maps) {
    auto& record = records.emplace_back(MapRecord{map, figures, {}, {}});
    for (std::size_t i = 0; i < system.levels.size(); ++i)
      record.units.emplace_back(system.levels[i].name, map.parts(i));
  }
  return records;
}

Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system) {
  Json json = Json::array();
  for (const MapRecord& record : map_records(estimate, system))
    json.push_back(io::write_fields([&](Fields& fields) { describe_map(fields, record); }));
  return json;
}

Json pim_keys_json(cnm::PimKeys keys) {
  return io::write_fields([&](Fields& fields) { io::describe_pim_keys(fields, keys); });
}

KernelRecord unmapped_record(const KernelTask& task, const cnm::System& system) {
  KernelRecord record;
  record.source = source_of(task.input, system);
  return record;
}

KernelRecord estimated_record(const KernelTask& task, const cnm::KernelEstimate& estimate,
                              const cnm::System& system) {
  auto record = unmapped_record(task, system);
  record.time_ms = estimate.time_ms;
  record.cycles = estimate.cycles;
  record.note = estimate.note;
  record.maps = map_records(estimate, system);
  return record;
}

void describe_kernel(Fields& fields, const KernelRecord& record) {
  const auto& search = record.search;
  const KernelSearch no_search;
  const std::optional<KernelSearch> no_ties;
  const auto status = search ? std::optional(to_string(search->status)) : std::nullopt;
  const bool is_padded = search && search->pad_percent > 0;
  const bool is_proved = search && search->status == Status::optimal;
  auto source = record.source;
  fields.part(
      key::source, io::always, [&](Fields& inner) { describe_source(inner, source); }, "The kernel.");
  io::put_word(fields, key::status, status, io::statuses.words, "With map: how the search ended.");
  put(fields, key::searched, search ? std::optional(search->searched) : std::nullopt,
      "The set of mappings to which status and bound refer.");
  io::put_part(fields, key::tie_break, is_proved ? search : no_ties, describe_tie_break,
               "Choice among mappings of equal time, after the least time is proved.");
  put(fields, key::pad_percent, is_padded ? std::optional(search->pad_percent) : std::nullopt,
      "Percentage by which extents could be padded.");
  put(fields, key::asked_extents, search ? search->asked : std::nullopt, "Extents before padding.");
  put(fields, key::time_ms, record.time_ms, "Time of one run of the kernel.");
  put(fields, key::cycles, record.time_ms ? std::optional(record.cycles) : std::nullopt, "");
  io::put_text(fields, key::note, record.note, "Padding, and elements taken as f16.");
  put(fields, key::replay_time_ms, record.replay_time_ms, "With simulate: time of the replay.");
  put(fields, key::lower_bound_ms, search ? std::optional(search->bound_ms) : std::nullopt,
      "Lower bound on the time of every mapping.");
  io::put_list(fields, key::maps, record.maps, describe_map, "The mapping; empty if there is none.");
  io::put_part(fields, key::search, search, describe_effort, "Effort of the search.");
  io::put_list(fields, key::top, search ? search->best : no_search.best, describe_ranked,
               "With --top or --all: the best mappings, in order.");
  io::put_list(fields, key::explanation, search ? search->changes : no_search.changes, describe_change,
               "With --explain: the least time if one value of the system changes.");
}

}  // namespace nestor::report
