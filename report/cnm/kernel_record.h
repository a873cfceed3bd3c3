// Record of a kernel in results of the cnm space, in one form for all verbs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/fields.h"
#include "mapper/cnm/explain.h"
#include "model/cnm/search/ranking.h"
#include "report/cnm/kernel_source.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Integer cycles of one unit, and their causes.
struct UnitReplay {
  Int cycles = 0;
  std::vector<cnm::NamedShare> causes;
};
struct MapReplay {
  UnitReplay unit;
  double time_ms = 0;
};

/// One map with its figures. For a kernel without a mapping, the tuples state only its units, and block and
/// order are empty.
struct MapRecord {
  cnm::CnmMap map;
  cnm::MapEstimate estimate;
  std::vector<std::pair<std::string, Int>> units;  ///< number of units used on each level
  std::optional<MapReplay> replay{};
};
std::vector<MapRecord> map_records(const cnm::KernelEstimate& estimate, const cnm::System& system);
/// Returns the maps of an estimate as JSON.
io::Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system);
/// Returns the keys that a map on HBM-PIM sets.
io::Json pim_keys_json(cnm::PimKeys keys);

/// The objective in tie_break: the documented order decides among mappings of equal time.
inline constexpr char tie_order[] = "order";

/// The findings of `map`.
struct KernelSearch {
  Status status = Status::infeasible;
  std::string searched;  ///< the set of mappings to which status and bound refer
  Status ties = Status::heuristic;
  double pad_percent = 0;
  std::optional<std::vector<Int>> asked{};  ///< requested extents, if they were padded
  double bound_ms = 0;
  std::uint64_t branches = 0;
  std::uint64_t work = 0;
  std::uint64_t estimates = 0;
  double seconds = 0;
  std::optional<std::vector<cnm::RankedMap>> best{};          ///< with --top or --all
  std::optional<std::vector<cnm::ChangedOptimum>> changes{};  ///< with --explain
};

/// What a run says about one kernel.
struct KernelRecord {
  KernelSource source;
  std::optional<KernelSearch> search{};
  std::optional<double> time_ms{};  ///< absent if there is no mapping
  double cycles = 0;
  std::string note;  ///< padding, and elements taken as f16; empty if there are none
  std::optional<double> replay_time_ms{};
  std::vector<MapRecord> maps;
};
KernelRecord unmapped_record(const KernelTask& task, const cnm::System& system);
KernelRecord estimated_record(const KernelTask& task, const cnm::KernelEstimate& estimate,
                              const cnm::System& system);
void describe_kernel(io::Fields& fields, const KernelRecord& record);

}  // namespace nestor::report
