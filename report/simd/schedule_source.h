// A schedule as an input of a verb: its text, or a result of `schedule`, which contains the text and claimed
// figures.
#pragma once

#include <string>

#include "io/files.h"
#include "model/simd/energy.h"

namespace nestor::report {

struct ScheduleSource {
  std::string text;     ///< text of the schedule, "nestor-schedule 1"
  io::Json result;      ///< result with claims about the schedule; null if there is only the text
  std::string netlist;  ///< netlist file named in the input, or empty
};

io::Result<ScheduleSource> read_schedule_source(const std::string& file);

/// Returns the JSON that `show` writes, which can be read again.
io::Json shown_schedule_json(const ScheduleSource& source);

/// Returns the energies that are set by the options of a result.
io::Result<simd::EnergyModel> energy_of_options(const io::Json& result);

}  // namespace nestor::report
