// Run time of one map of a kernel on a system of the cnm space. The listing is checked, the engine estimates
// its program (or the channel's stream is run), and the host's share is added. The time of a kernel with
// several maps is the sum of their times.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cnm/engine.h"
#include "model/cnm/hbm_machine.h"
#include "model/cnm/legality.h"

namespace nestor::cnm {

struct HostTime {
  double launch_ms = 0;
  double reduce_ms = 0;
  double transfer_ms = 0;
  double sum() const { return launch_ms + reduce_ms + transfer_ms; }
};

/// Work of the host for a map, in addition to the launch.
struct HostWork {
  Int partial_results = 0;  ///< number of partial results beyond the first of each element
  Int rank_bytes_in = 0;    ///< bytes into the rank with the most bytes
  Int rank_bytes_out = 0;
};

struct NamedShare {
  std::string_view name;
  double cycles = 0;
};

struct MapEstimate {
  double cycles = 0;
  double time_ms = 0;
  std::vector<NamedShare> causes;
  HostTime host;
  ProgramBounds bounds;
  MemoryUse memory;
  Int runs = 0;
  Int cycles_simulated = 0;
  Int k = 0;
  bool linear = true;
};

/// An estimate, or the reason why the map cannot be estimated.
struct EstimateOutcome {
  std::optional<MapEstimate> estimate;
  std::string refusal;
  int line = 0;  ///< position of the cause in the source of the listing, if it has one
  int column = 0;
};

/// Estimates a single listing on one DPU.
EstimateOutcome estimate_listing(const System& system, const Listing& listing, Int tasklets);

/// Estimates the program of a listing that is known to be legal.
EstimateOutcome estimate_known_program(const System& system, const Program& program, Int tasklets,
                                       const HostWork& work, RunMemory* memory = nullptr);

EstimateOutcome estimate_stream(const System& system, const Stream& stream, const HostWork& work = {});

HostTime host_time(const System& system, Int tasklets, const HostWork& work);
double cycles_to_ms(const System& system, double cycles);

}  // namespace nestor::cnm
