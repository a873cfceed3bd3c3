// Verdict of `nestor verify` on a schedule: as text, and as JSON, "nestor.schedule-verification/1".
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "model/simd/tech_map.h"

namespace nestor::report {

struct ScheduleCheck {
  std::vector<std::string> findings;  ///< all findings, but only the first one of the replay
  bool claims = false;                ///< true if the figures of a result were compared, too
  simd::ScheduleFigures figures;
  simd::MapReport mapping;
  std::uint32_t rows = 0;
  simd::EnergyModel energy;
};

io::Json schedule_check_json(const ScheduleCheck& check);
std::string schedule_check_text(const ScheduleCheck& check);

}  // namespace nestor::report
