// Output of `nestor map` for kernels: tables and JSON entries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "io/files.h"
#include "io/output_file.h"
#include "mapper/cnm/rank.h"
#include "model/cnm/search/ranking.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// What one task came to.
struct MappedTask {
  cnm::MapResult result;
  std::optional<cnm::KernelEstimate> estimate;  ///< of the mapping, if one was found
  std::vector<Int> asked;                       ///< extents, before padding
  double pad_percent = 0;
};

/// What tie_break names as its objective: among equal times the documented order decides.
inline constexpr char tie_order[] = "order";

/// Its entry in the JSON.
io::Json mapped_json(const KernelTask& task, const MappedTask& mapped, const cnm::System& system);

/// One kernel's maps, and how far its search came.
std::string mapped_text(const KernelTask& task, const MappedTask& mapped);

/// A network's layers with totals; `alike`: for each layer the first one like it.
std::string network_text(const KernelWork& work, const std::vector<MappedTask>& mapped,
                         const std::vector<std::size_t>& alike);

/// The ranked space in pieces: a line a member, best first, until `stop` is requested; `written`: how many.
io::Pieces ranked_pieces(const cnm::Ranking& ranking, const cnm::System& system, const StopSignal& stop,
                         std::size_t& written);
/// "space.csv: all 1,234 mappings, best first".
std::string written_text(const std::string& file, std::size_t written, std::size_t members);

/// The best of it.
void add_ranked(io::Json& entry, const std::vector<cnm::RankedMap>& best);
std::string ranked_text(const std::vector<cnm::RankedMap>& best);

}  // namespace nestor::report
