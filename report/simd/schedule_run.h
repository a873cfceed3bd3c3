// Output of nestor schedule: a table, and its JSON, "nestor.schedule/1": what was asked, what came out, how
// the search went and what a picture draws (occupancy over time, copies by cause and by pair of arrays).
#pragma once

#include "heuristics/simd/request.h"
#include "io/files.h"
#include "io/options.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "model/simd/tech_map.h"

namespace nestor::report {

inline constexpr std::string_view schedule_schema = "nestor.schedule/1";

struct ScheduleRun {
  const io::RunOptions& options;
  const simd::Netlist& netlist;  ///< as scheduled
  const simd::MapReport& mapping;
  const simd::ScheduleResult& result;
  const simd::ScheduleFigures& figures;
  const simd::EnergyModel& energy;
};

/// "heuristic" where a method came to its own end, or has spent the effort that it was given, without a
/// proof.
std::string_view status_text(const simd::ScheduleResult& result);

/// How far a method is that has a schedule.
std::string schedule_progress(const std::string& netlist, const EngineProgress& progress, double seconds);

io::Json schedule_json(const ScheduleRun& run);

/// What a person reads of it.
std::string schedule_text(const ScheduleRun& run);

}  // namespace nestor::report
