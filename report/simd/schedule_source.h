// A schedule as an input of a verb: its text, or a result of `schedule`, which holds that text and claims
// figures of it.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "report/simd/schedule_figures.h"

namespace nestor::report {

struct ScheduleSource {
  std::string text;     ///< of the schedule, "nestor-schedule 1"
  io::Json result;      ///< what is claimed of it; null where the input is the text alone
  std::string netlist;  ///< the file that the result says it is of; empty if it does not say
};

io::Result<ScheduleSource> read_schedule_source(const std::string& file);

/// What `show` writes of it, which can be read again.
io::Json shown_schedule_json(const ScheduleSource& source);

/// The energies that the options of a result set.
io::Result<simd::EnergyModel> energy_of_options(const io::Json& result);

/// What a result claims that its schedule does not bear out, a sentence each. Nobody can tell from a schedule
/// whether its lower bound holds, or how it was found.
std::vector<std::string> false_claims(const io::Json& result, const ScheduledNetlist& netlist,
                                      const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                                      const simd::EnergyModel& energy);

}  // namespace nestor::report
