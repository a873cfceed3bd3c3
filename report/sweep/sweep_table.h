// Tables of sweeps: rows of a plan in a store, summed for each machine, network and run, as text, CSV and
// JSON. Rows that are unfinished or failed are included with their status.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "io/store/store.h"

namespace nestor::report {

/// Figures of a machine, network and run, or of one layer of these.
struct SweepRow {
  std::string machine;
  io::Json parameters;  ///< values by path
  std::string network;
  io::Json run;  ///< values by option
  std::string layer;
  Int repeat = 1;  ///< repeats of a layer
  /// Worst status of the row's layers. The order of statuses, from worst to best, begins with failed and ends
  /// with optimal.
  std::string status;
  std::string error;                ///< the first error, with the layer's name
  std::optional<double> objective;  ///< objective of a run that is not divided into layers
  std::optional<double> latency;
  std::optional<double> energy;
  std::optional<double> edp;
  std::optional<double> area;
  double seconds = 0;
  bool is_pareto = false;

  std::optional<double> figure(std::string_view name) const;
};

/// Returns the options of a run as "name=value name=value".
std::string run_text(const io::Json& run);

inline constexpr std::array<std::string_view, 4> sweep_figures = {"latency", "energy", "edp", "area"};

std::vector<SweepRow> sweep_rows(std::span<const io::StoredRow> rows, bool per_layer);

/// Marks the rows that no other row of the same network (and layer) dominates. Rows without one of the
/// figures are not marked. Returns the number of marked rows.
std::size_t mark_pareto(std::vector<SweepRow>& rows, std::span<const std::string> figures);

/// Returns a warning for each mapping of minimum latency, the default objective, if a baseline has a lower
/// EDP. It names the baseline with the lowest EDP.
std::vector<std::string> edp_warnings(std::span<const SweepRow> rows);

std::string sweep_text(std::span<const SweepRow> rows, bool with_pareto, std::size_t most_rows);
std::string sweep_csv(std::span<const SweepRow> rows, bool with_pareto);
io::Json sweep_json(std::string_view plan, std::span<const SweepRow> rows, bool with_pareto);

}  // namespace nestor::report
