// Tables of latency-energy fronts in the loop-nest spaces.
#pragma once

#include <fmt/format.h>

#include "report/layer_findings.h"
#include "report/results/nest_run.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

inline std::string seconds_text(double seconds) { return fmt::format("{:.3f} s", seconds); }

/// Returns a table of the points of each layer's front, or an empty string if there are none.
template <typename Run>
std::string front_points_text(const Run& run) {
  io::Table table({{"layer", io::Align::left}, {"point"}, {"cycles"}, {"energy"}, {"EDP pJ*cycles"}});
  bool any = false;
  for (const auto& record : run.layers)
    for (std::size_t i = 0; i < record.front.size() && !is_repeated(record); ++i) {
      const auto cost = cost_of(record.front[i], run.machine);
      table.add_row({i == 0 ? record.layer.name : "", fmt::format("{}", i + 1),
                     cost ? io::count_text(cost->cycles) : "-", cost ? io::energy_text(cost->energy_pj) : "-",
                     cost ? io::figure_text(cost->edp()) : "-"});
      any = true;
    }
  return any ? table.to_string() : "";
}

/// Returns a table with the number of points and the costs of both ends for each front, because a front has
/// no single objective. The costs of all layers are those of a network whose layers use the same end.
template <typename Run>
std::string front_ends_text(const Run& run) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"status", io::Align::left},
                   {"points"},
                   {"fastest: cycles"},
                   {"energy"},
                   {"least energy: cycles"},
                   {"energy"},
                   {"nodes"},
                   {"time"}});
  struct End {
    double cycles = 0;
    double energy_pj = 0;
  };
  End fastest, least_energy;
  std::size_t complete = 0;
  for (const auto& record : run.layers) {
    std::vector<std::string> row = {record.layer.name, fmt::format("{}", record.layer.repeat),
                                    record.status ? std::string(to_string(*record.status)) : "-",
                                    fmt::format("{}", record.front.size())};
    const auto add_end = [&](const auto& point, End& sum) {
      const auto cost = cost_of(point, run.machine);
      row.insert(row.end(),
                 {cost ? io::count_text(cost->cycles) : "-", cost ? io::energy_text(cost->energy_pj) : "-"});
      if (!cost) return;
      const auto repeat = static_cast<double>(record.layer.repeat);
      sum.cycles += repeat * static_cast<double>(cost->cycles);
      sum.energy_pj += repeat * cost->energy_pj;
    };
    if (record.front.empty()) {
      row.insert(row.end(), {"-", "-", "-", "-"});
    } else {
      add_end(record.front.front(), fastest);
      add_end(record.front.back(), least_energy);
    }
    complete += record.status == Status::optimal ? 1U : 0U;
    if (is_repeated(record))
      row.insert(row.end(), {"as " + record.same_as, ""});
    else if (record.search)
      row.insert(row.end(), {io::count_text(record.search->nodes()), seconds_text(record.search->seconds)});
    table.add_row(std::move(row));
  }
  if (run.layers.size() > 1) {
    const auto [nodes, seconds] = search_totals(run);
    const auto cycles = [](double count) { return io::count_text(static_cast<Int>(count)); };
    table.add_rule();
    table.add_row({"all, repeats counted", "", fmt::format("{} of {} proved", complete, run.layers.size()),
                   "", cycles(fastest.cycles), io::energy_text(fastest.energy_pj),
                   cycles(least_energy.cycles), io::energy_text(least_energy.energy_pj),
                   io::count_text(nodes), seconds_text(seconds)});
  }
  return table.to_string();
}

/// Returns the table of the ends of all fronts and that of their points.
template <typename Run>
std::string fronts_text(const Run& run) {
  const auto points = front_points_text(run);
  return front_ends_text(run) + (points.empty() ? "" : "\n") + points;
}

}  // namespace nestor::report
