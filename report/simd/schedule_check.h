// Verdict of `nestor verify` on a schedule: as text, and as JSON, "nestor.schedule-verification/1".
#pragma once

#include <string>

#include "report/simd/schedule_contract.h"
#include "report/simd/schedule_figures.h"
#include "report/verify/result_check.h"

namespace nestor::report {

struct ScheduleCheck {
  io::ResultCheck verdict;
  simd::MapReport mapping;
  io::Json figures;  ///< figures of the schedule's contract
};

/// Checks the claims of a result. `check.figures` are the figures of its schedule, and `patterns` is the
/// number of random patterns that its run compared. A schedule alone cannot confirm its lower bound or the
/// search that found it.
void check_claims(const io::Json& claims, const ScheduledNetlist& netlist, const std::string& netlist_file,
                  const simd::EnergyModel& energy, std::uint64_t patterns, ScheduleCheck& check);

io::Json schedule_check_json(const ScheduleCheck& check);
io::Json schedule_check_schema();
std::string schedule_check_text(const ScheduleCheck& check);

}  // namespace nestor::report
