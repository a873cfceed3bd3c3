// Tables of `nestor simulate` for layers on a cim machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cim/evaluate.h"
#include "report/results/cim/result_file.h"
#include "sim/cim/replay.h"

namespace nestor::report {

struct Replayed {
  sim::cim::ReplayResult replay;
  cim::CimEvaluation model;
};
using Replays = std::vector<std::optional<Replayed>>;

/// Returns a table of the replayed cycles with the errors of both latency models.
std::string replays_text(const io::CimRun& run, const Replays& replays);
/// Returns a table of the waits by cause.
std::string stalls_text(const io::CimRun& run, const Replays& replays);
std::string ports_and_buffers_text(const sim::cim::ReplayResult& replay,
                                   const NamedArchitecture& architecture);

io::Json stalls_json(const sim::cim::ReplayResult& replay);

}  // namespace nestor::report
