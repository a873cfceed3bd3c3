// Comparison of the contract of a kernel with the figures that a result of the same kernel contains.
#pragma once

#include <gtest/gtest.h>

#include "check/cnm/contract.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "report/cnm/kernel_contract.h"
#include "report/cnm/kernel_record.h"
#include "report/cnm/kernel_source.h"
#include "report/cnm/replay_run.h"
#include "support/expect_json.h"
#include "support/setting.h"

namespace nestor::tests {

inline std::uint64_t seed_of_tests() { return setting("NESTOR_CNM_SEED", 1); }
inline std::uint64_t contract_cases() { return setting("NESTOR_CNM_READINGS", 1000); }

/// Returns the contract of a task, from the JSON of its kernel and maps.
inline check::cnm::KernelContract contract_of(const report::KernelTask& task, const cnm::System& system,
                                              bool is_replayed) {
  const auto architecture = io::system_to_json(system);
  const auto source = report::source_json(task.input, system);
  auto maps = io::Json::array();
  for (const auto& map : task.mapping) {
    io::Json entry = {{"name", map.name}, {"tuples", map.tuples}, {"block", map.block}, {"order", map.order}};
    if (map.collect) entry["collect"] = *map.collect;
    entry.update(report::pim_keys_json(map.pim));
    maps.push_back(std::move(entry));
  }
  return check::cnm::contract_of({.architecture = architecture,
                                  .source = source,
                                  .maps = maps,
                                  .is_replayed = is_replayed,
                                  .library = report::library_text});
}

/// Expects the figures of the estimate, and of a replay if `is_replayed`.
inline void expect_figures(const report::KernelTask& task, const cnm::System& system,
                           const cnm::KernelEstimate& estimate, const check::cnm::KernelContract& found,
                           bool is_replayed) {
  auto maps = report::maps_json(estimate, system);
  ASSERT_EQ(found.figures["maps"].size(), maps.size());
  const auto units = is_replayed ? report::unit_programs(task, system) : std::vector<report::UnitProgram>();
  double replay_ms = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    auto map = found.figures["maps"][i];
    if (is_replayed) {
      const auto replay = report::replay(units[i], system);
      ASSERT_EQ(replay.fault, "");
      const auto& figures = estimate.maps[i].estimate;
      const double time =
          cnm::cycles_to_ms(system, static_cast<double>(replay.unit.cycles)) + figures.host.sum();
      replay_ms += time;
      io::Json causes;
      for (const auto& cause : replay.unit.causes) causes[std::string(cause.name)] = cause.cycles;
      maps[i]["replay"] = {{"cycles", replay.unit.cycles}, {"time_ms", time}, {"causes", causes}};
    }
    // The estimate fills in block and order.
    for (const char* key : {"block", "order"}) map[key] = maps[i][key];
    expect_equal(maps[i], map, "maps[" + std::to_string(i) + "]");
  }
  expect_equal(io::Json(estimate.time_ms), found.figures["time_ms"], "time_ms");
  expect_equal(io::Json(estimate.cycles), found.figures["cycles"], "cycles");
  if (is_replayed) expect_equal(io::Json(replay_ms), found.figures["replay_time_ms"], "replay_time_ms");
}

}  // namespace nestor::tests
