// Tables of sweeps: rows of a plan as a store has them, added up for each machine, network and run; as text,
// CSV and JSON. A row that is not finished, or has failed, is a row that says so.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "io/store/store.h"

namespace nestor::report {

/// A machine, network and run; or one layer of them.
struct SweepRow {
  std::string machine;
  io::Json parameters;  ///< path to value
  std::string network;
  io::Json run;  ///< option to value
  std::string layer;
  Int repeat = 1;  ///< of a layer
  /// The worst of its layers: failed, todo, running, then statuses of searches, optimal last.
  std::string status;
  std::string error;                ///< the first, with the layer's name
  std::optional<double> objective;  ///< of a point that is a whole input of its verb
  std::optional<double> latency;
  std::optional<double> energy;
  std::optional<double> edp;
  std::optional<double> area;
  double seconds = 0;
  bool is_pareto = false;

  std::optional<double> figure(std::string_view name) const;
};

inline constexpr std::array<std::string_view, 4> sweep_figures = {"latency", "energy", "edp", "area"};

std::vector<SweepRow> sweep_rows(std::span<const io::StoredRow> rows, bool per_layer);

/// Marks rows that no other of their network (and layer) is better than in all figures and worse in none.
/// Rows that lack one of the figures are not marked. Returns how many are.
std::size_t mark_pareto(std::vector<SweepRow>& rows, std::span<const std::string> figures);

/// A warning for each mapping of least latency, the default objective, whose EDP a baseline's is below: the
/// baseline of least EDP is named.
std::vector<std::string> edp_warnings(std::span<const SweepRow> rows);

std::string sweep_text(std::span<const SweepRow> rows, bool with_pareto, std::size_t most_rows);
std::string sweep_csv(std::span<const SweepRow> rows, bool with_pareto);
io::Json sweep_json(std::string_view plan, std::span<const SweepRow> rows, bool with_pareto);

}  // namespace nestor::report
