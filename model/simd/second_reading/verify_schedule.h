// Verifier of schedules. It replays a schedule instruction by instruction, checks the rules of the machine
// (docs/models/simd.md, section 2) and matches each compute to its netlist node. It then runs the schedule
// bit-parallel and compares the outputs with those of the source netlist. It is written from
// docs/models/simd.md alone: it shares types and energy.h with the schedulers, but no other code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/simd/energy.h"
#include "model/simd/netlist.h"
#include "model/simd/schedule.h"

namespace nestor::simd {

struct ScheduleFault {
  enum class Part : std::uint8_t { whole, instruction, output };
  Part part = Part::whole;
  std::size_t index = 0;  ///< index of the instruction or output
  std::string message;
};

struct ScheduleFigures {
  std::uint64_t computes = 0;
  std::uint64_t copies = 0;         ///< number by (3.1)
  std::uint64_t arrays_passed = 0;  ///< number of arrays between source and target, summed over all copies
  std::uint64_t nodes = 0;          ///< number of gates of the netlist
  std::uint32_t arrays_used = 0;    ///< number of arrays that store an input or another value at some time
  /// Maximum number of rows of one array that store an input, are written or are read.
  std::uint32_t rows_used = 0;
  std::uint64_t patterns = 0;  ///< number of input patterns simulated
  bool exhaustive = false;     ///< true if all possible patterns were simulated

  double energy(const EnergyModel& model) const { return model.of(computes, copies, arrays_passed); }
};

struct ScheduleVerdict {
  std::optional<ScheduleFault> fault;  ///< the first fault
  ScheduleFigures figures;             ///< complete if there is no fault
};

inline constexpr std::uint64_t all_random_patterns = std::uint64_t{1} << 16U;

/// Returns the verdict on a schedule. `mapped` is the netlist whose nodes the schedule computes. `source` has
/// the same inputs and outputs and defines their function; without technology mapping, it is the same
/// netlist. If there are too many inputs for all patterns, the values of `random_patterns` random patterns
/// are compared.
ScheduleVerdict verify_schedule(const Netlist& mapped, const Netlist& source, const Schedule& schedule,
                                std::uint64_t random_patterns = all_random_patterns);

/// Returns a number of patterns whose simulation takes about 10 ms, for searches that were stopped and have
/// no time left.
std::uint64_t quick_random_patterns(const Netlist& source);

}  // namespace nestor::simd
