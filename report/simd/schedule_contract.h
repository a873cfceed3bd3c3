// The contract of a schedule, for a netlist in memory (check/simd/contract.h).
#pragma once

#include "check/simd/contract.h"
#include "model/simd/energy.h"
#include "model/simd/netlist.h"
#include "model/simd/schedule.h"

namespace nestor::report {

inline constexpr std::uint64_t all_random_patterns = std::uint64_t{1} << 16U;

/// Returns a number of patterns whose simulation takes about 10 ms, for searches that were stopped and have
/// no time left.
std::uint64_t quick_random_patterns(const simd::Netlist& source);

/// `mapped` is the netlist whose nodes the schedule computes. `source` has the same inputs and outputs and
/// defines their function; without technology mapping, it is the same netlist.
check::simd::ScheduleContract contract_of(const check::simd::Schedule& schedule, const simd::Netlist& mapped,
                                          const simd::Netlist& source, const simd::EnergyModel& energy = {},
                                          std::uint64_t random_patterns = all_random_patterns);

/// The same for the text of a schedule in memory.
check::simd::ScheduleContract contract_of(const simd::Schedule& schedule, const simd::Netlist& mapped,
                                          const simd::Netlist& source, const simd::EnergyModel& energy = {},
                                          std::uint64_t random_patterns = all_random_patterns);

}  // namespace nestor::report
