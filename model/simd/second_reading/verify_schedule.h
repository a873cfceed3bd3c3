// Does a schedule do what it claims? Replays it instruction by instruction against the rules of the machine
// (docs/models/simd.md, section 2), matches each compute to its netlist node, then runs it bit-parallel
// beside the source netlist. Written from the contract alone: it shares types with the schedulers and none of
// their code.
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
  std::size_t index = 0;  ///< of the instruction or output
  std::string message;
};

struct ScheduleFigures {
  std::uint64_t computes = 0;
  std::uint64_t copies = 0;         ///< (3.1)
  std::uint64_t arrays_passed = 0;  ///< by all copies, between their two arrays
  std::uint64_t nodes = 0;          ///< gates of the netlist
  std::uint32_t arrays_used = 0;    ///< that hold an input or anything else at some time
  std::uint32_t rows_used = 0;      ///< most rows written or read in one array
  std::uint64_t patterns = 0;       ///< input patterns simulated
  bool exhaustive = false;          ///< all there are

  double energy(const EnergyModel& model) const { return model.of(computes, copies, arrays_passed); }
};

struct ScheduleVerdict {
  std::optional<ScheduleFault> fault;  ///< the first
  ScheduleFigures figures;             ///< complete where there is no fault
};

/// `mapped` is the netlist whose nodes the schedule computes; `source`, with the same inputs and outputs,
/// says what they mean (the same netlist where no mapping took place). Where the inputs are many, the values
/// of so many random patterns are compared.
inline constexpr std::uint64_t all_random_patterns = std::uint64_t{1} << 16U;
ScheduleVerdict verify_schedule(const Netlist& mapped, const Netlist& source, const Schedule& schedule,
                                std::uint64_t random_patterns = all_random_patterns);

/// Patterns that compare a schedule in about 10 ms: a search that was stopped has no more time.
std::uint64_t quick_random_patterns(const Netlist& source);

}  // namespace nestor::simd
