// A kernel's time on a system of the cnm space: the listing checked, its program estimated by the engine (or
// the channel's stream run), and what the host adds. One mapping is estimated here; a kernel of several maps
// is the sum of theirs.
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

/// What the host does for a map besides launching it.
struct HostWork {
  Int partial_results = 0;  ///< beyond the first of each element
  Int rank_bytes_in = 0;    ///< of the fullest rank
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

/// Either an estimate or what stands in its way.
struct EstimateOutcome {
  std::optional<MapEstimate> estimate;
  std::string refusal;
  int line = 0;  ///< of the listing's source, where it is to blame
  int column = 0;
};

/// A listing by itself: on one DPU.
EstimateOutcome estimate_listing(const System& system, const Listing& listing, Int tasklets);

/// A listing that is known to be legal, on its program.
EstimateOutcome estimate_known_program(const System& system, const Program& program, Int tasklets,
                                       const HostWork& work, RunMemory* memory = nullptr);

EstimateOutcome estimate_stream(const System& system, const Stream& stream, const HostWork& work = {});

HostTime host_time(const System& system, Int tasklets, const HostWork& work);
double cycles_to_ms(const System& system, double cycles);

}  // namespace nestor::cnm
