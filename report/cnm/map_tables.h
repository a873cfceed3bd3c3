// Output of `nestor map` for kernels: tables and records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "io/output_file.h"
#include "mapper/cnm/rank.h"
#include "model/cnm/search/ranking.h"
#include "report/cnm/kernel_record.h"

namespace nestor::report {

/// The outcome of one task.
struct MappedTask {
  cnm::MapResult result;
  std::optional<cnm::KernelEstimate> estimate;  ///< estimate of the mapping, if one was found
  std::vector<Int> asked;                       ///< requested extents, before padding
  double pad_percent = 0;
};

KernelRecord mapped_record(const KernelTask& task, const MappedTask& mapped, const cnm::System& system);

/// Returns the maps of one kernel, and the state of its search.
std::string mapped_text(const KernelTask& task, const MappedTask& mapped);

/// Returns a network's layers with totals. `alike` has, for each layer, the index of the first equal layer.
std::string network_text(const KernelWork& work, const std::vector<MappedTask>& mapped,
                         const std::vector<std::size_t>& alike);

/// Returns the ranked space as CSV, in pieces: a line of titles, then one line per mapping, best first, until
/// `stop` is requested. `written` is the number of mappings so far.
io::Pieces ranked_pieces(const cnm::Ranking& ranking, const cnm::System& system, const StopSignal& stop,
                         std::size_t& written);
/// Returns a text such as "space.csv: all 1,234 mappings, best first".
std::string written_text(const std::string& file, std::size_t written, std::size_t members);

std::string ranked_text(const std::vector<cnm::RankedMap>& best);

}  // namespace nestor::report
