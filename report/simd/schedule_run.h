// Output of nestor schedule: a table, and a result as JSON. The result contains the request, the outcome,
// the progress of the search, and data for pictures (occupancy over time, copies by cause and by
// pair of arrays).
#pragma once

#include "heuristics/simd/request.h"
#include "io/files.h"
#include "io/options.h"
#include "model/simd/figures.h"
#include "model/simd/tech_map.h"

namespace nestor::report {

struct ScheduleRun {
  const io::RunOptions& options;
  const simd::Netlist& netlist;  ///< the netlist as scheduled
  const simd::MapReport& mapping;
  const simd::ScheduleResult& result;
  simd::ScheduleFigures figures;
  const simd::EnergyModel& energy;
  const io::Json& verified;  ///< patterns on which the outputs were compared
};

/// Returns the status of a result. It is "heuristic" if a method ended by itself or used up the given effort
/// without a proof.
std::string_view status_text(const simd::ScheduleResult& result);

/// Returns the progress of a method that has a schedule.
std::string schedule_progress(const std::string& netlist, const EngineProgress& progress, double seconds);

io::Json schedule_json(const ScheduleRun& run);
io::Json schedule_result_schema();

/// Returns the result as a table.
std::string schedule_text(const ScheduleRun& run);

}  // namespace nestor::report
