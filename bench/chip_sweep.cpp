// How a network's schedules follow the chip, with proved optima beside CIM-MLC's method (docs/models/chip.md,
// section 9).
//
//   chip_sweep [--network NAME] [--seconds S] [--threads N] [--svg PREFIX]
//
// Cores, crossbars of a core, size of a crossbar and rows at once, one at a time, around isaac-table3 with
// crossbars of 128 x 256. Speed-ups are against the same chip's sequential schedule. --svg writes
// PREFIX-cores.svg and so on. Default: vit-b16, 20 s for each search.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/chip_runs.h"
#include "bench/log_plot.h"
#include "io/files.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor {
namespace {

struct Point {
  std::string label;
  double x;
  std::function<void(chip::ChipMachine&)> set;
};
struct Sweep {
  std::string name;
  std::string axis;
  std::vector<Point> points;
};

std::vector<Sweep> sweeps() {
  std::vector<Sweep> all(4);
  all[0] = {"cores", "cores", {}};
  for (const Int cores : {256, 384, 512, 768, 1024})
    all[0].points.push_back(
        {std::to_string(cores), static_cast<double>(cores), [cores](chip::ChipMachine& m) {
           m.cores = {1, cores};
         }});
  all[1] = {"crossbars", "crossbars of a core", {}};
  for (const Int crossbars : {8, 12, 16, 20, 24})
    all[1].points.push_back(
        {std::to_string(crossbars), static_cast<double>(crossbars), [crossbars](chip::ChipMachine& m) {
           m.crossbars = {1, crossbars};
         }});
  all[2] = {"size", "rows of a crossbar of 32,768 cells", {}};
  for (const Int rows : {64, 128, 256, 512})
    all[2].points.push_back(
        {fmt::format("{} x {}", rows, 32768 / rows), static_cast<double>(rows), [rows](chip::ChipMachine& m) {
           m.cell.rows = rows;
           m.cell.columns = 32768 / rows;
         }});
  all[3] = {"rows", "rows at once", {}};
  for (const Int rows : {8, 16, 32, 64, 128})
    all[3].points.push_back({std::to_string(rows), static_cast<double>(rows),
                             [rows](chip::ChipMachine& m) { m.cell.parallel_rows = rows; }});
  return all;
}

struct Arguments {
  std::string network = "vit-b16";
  double seconds = 20;
  int threads = 2;
  std::string svg;
};

void run(const Arguments& arguments) {
  auto base = bench::read_or_stop(io::read_chip_machine("isaac-table3"));
  base.cell.columns = 256;
  constexpr std::pair<const char*, chip::Levels> levels[] = {
      {"cg", {false, false}}, {"mvm", {true, false}}, {"vvm", {true, true}}};
  for (const auto& sweep : sweeps()) {
    io::Table table({{sweep.axis, io::Align::left},
                     {"level", io::Align::left},
                     {"sequential"},
                     {"cim-mlc"},
                     {"best"},
                     {"at least"},
                     {"apart"},
                     {"segments"},
                     {"speed-up cim-mlc"},
                     {"speed-up best"}});
    std::vector<bench::PlotLine> lines;
    for (const auto& [level, unused] : levels) lines.push_back({fmt::format("optimal, {}", level), {}});
    lines.push_back({"cim-mlc, vvm", {}});
    for (const auto& point : sweep.points) {
      auto machine = base;
      point.set(machine);
      const auto network = bench::chip_network(arguments.network, machine);
      for (std::size_t l = 0; l < std::size(levels); ++l) {
        chip::CompileRequest request;
        request.levels = levels[l].second;
        const auto found = bench::run_chip(machine, network, request, arguments.seconds, arguments.threads);
        const auto cycles = [&](chip::CompileMethod baseline) {
          return static_cast<double>(found.baselines.at(baseline).latency_cycles);
        };
        const double whole = cycles(chip::CompileMethod::sequential);
        const double mlc = cycles(chip::CompileMethod::cim_mlc_code);
        const auto& best = found.outcome;
        table.add_row({point.label, levels[l].first, io::count_text(static_cast<Int>(whole)),
                       io::count_text(static_cast<Int>(mlc)),
                       io::count_text(static_cast<Int>(best.objective)),
                       io::count_text(static_cast<Int>(best.bound)),
                       fmt::format("{:.2f} %", 100 * gap_between(best.objective, best.bound)),
                       std::to_string(best.best ? best.best->segments.size() : 0),
                       fmt::format("{:.2f}", whole / mlc), fmt::format("{:.2f}", whole / best.objective)});
        lines[l].points.emplace_back(point.x, whole / best.objective);
        if (l == 2) lines[3].points.emplace_back(point.x, whole / mlc);
      }
      std::fprintf(stderr, "%s %s\n", sweep.name.c_str(), point.label.c_str());
    }
    fmt::print("{}\n", table.to_string());
    std::fflush(stdout);
    if (arguments.svg.empty()) continue;
    const bench::LogPlot plot(0, 4, 0, 3);
    const auto file = fmt::format("{}-{}.svg", arguments.svg, sweep.name);
    if (const auto error = io::write_file(file, plot.svg(sweep.axis, "speed-up", lines)))
      std::fprintf(stderr, "%s\n", error->to_string().c_str());
  }
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  nestor::Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    if (word == "--network") arguments.network = argv[i + 1];
    if (word == "--seconds") arguments.seconds = std::stod(argv[i + 1]);
    if (word == "--threads") arguments.threads = std::stoi(argv[i + 1]);
    if (word == "--svg") arguments.svg = argv[i + 1];
  }
  nestor::run(arguments);
}
