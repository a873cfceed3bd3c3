// Comparison of the simd space with MASIM's paper (docs/scheduling.md, section 6.4), and benchmark of its
// scaling.
//
//   simd_table table     copies of nestor (or --method) on the paper's netlists, and the paper's figures
//   simd_table published copies of --seeds runs of one method, the paper's figures, and the difference
//   simd_table timing    masim's CPU time per construction and per improvement pass, and the ratio to the
//                        published program's on the multiplier (0.38 s per pass, 400 s per construction)
//   simd_table bounds    each bound on the paper's netlists, the last with --work-limit nodes, and the copies
//                        of schedules within --time-limit; the ratio of the best bound to these copies
//   simd_table scale     generated netlists of 10^3 to 10^6 nodes: nodes, seconds, copies, peak memory
//
// The netlists of the paper are read from --netlists DIR and are not part of the repository.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench/netlists/generate.h"
#include "heuristics/simd/masim_machine.h"
#include "io/netlist/read_netlist.h"
#include "log_plot.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/alive_bound.h"
#include "model/simd/energy.h"
#include "model/simd/figures.h"
#include "model/simd/reorder.h"
#include "report/simd/schedule_contract.h"
#include "report/tables/table.h"
#include "schedule_methods.h"

namespace nestor {
namespace {

struct PaperRow {
  std::string_view name;
  std::uint32_t rows;
  double gppic, simpler, star, date24, masim;                ///< published copies
  double no_improvement, date24_generated, date24_improved;  ///< published ablations: NoImpr of masim, +IG
                                                             ///< and +Impr of date24
  double one_shot, annealed;                                 ///< copies found by a prototype
};

constexpr std::array<PaperRow, 12> paper = {{
    {"int2float", 16, 252, 220, 222, 211, 87, 114, 105, 179, 68, 46},
    {"router", 64, 188, 170, 169, 176, 70, 71, 88, 152, 60, 50},
    {"cavlc", 64, 421, 205, 281, 54, 19, 26, 24, 49, 12, 12},
    {"priority", 128, 238, 238, 238, 238, 128, 128, 128, 238, 128, 128},
    {"dec", 256, 18, 20, 18, 18, 9, 9, 9, 18, 9, 6},
    {"adder", 256, 512, 512, 512, 512, 256, 256, 256, 512, 256, 256},
    {"max", 256, 2294, 1726, 1725, 1723, 937, 1156, 1250, 1723, 791, 535},
    {"sin", 256, 687, 1574, 572, 423, 120, 136, 132, 361, 49, 33},
    {"sqrt", 256, 4915, 4639, 4701, 4331, 1290, 1478, 1307, 4039, 224, 217},
    {"multiplier", 256, 16009, 7303, 11231, 5961, 1440, 1643, 1736, 5525, 224, 224},
    {"div", 256, 6144, 6013, 7609, 5812, 872, 965, 926, 4986, 232, 232},
    {"log2", 256, 11388, 14702, 12581, 7043, 3311, 3793, 3878, 6414, 2888, 2595},
}};

struct Settings {
  std::string netlists;
  std::string method = "nestor";
  std::string only;
  double time_limit = 60;
  std::uint64_t work_limit = 0;
  std::uint32_t arrays = 0;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 5;
  std::uint64_t shuffle = 0;
  std::uint64_t restarts = 500;
  int threads = 0;
  bool no_improve = false, improve = false, masim_generation = false;
  std::uint64_t largest = 1'000'000;
  std::string svg;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::optional<simd::Netlist> load(const Settings& settings, std::string_view name) {
  auto read = io::read_netlist(fmt::format("{}/{}.v", settings.netlists, name));
  if (!read) {
    fmt::print(stderr, "{}\n", read.error().to_string());
    return std::nullopt;
  }
  if (settings.shuffle != 0) return simd::shuffled(read->netlist, settings.shuffle, true);
  return std::move(read->netlist);
}

simd::ScheduleRequest request_of(const Settings& settings, std::uint32_t rows) {
  simd::ScheduleRequest request;
  request.method = schedule_method_named(settings.method);
  request.rows = rows;
  request.array_limit = settings.arrays;
  request.time_limit = settings.time_limit;
  request.work_limit = settings.work_limit;
  request.seed = settings.seed;
  request.restarts = settings.restarts;
  request.threads = settings.threads;
  request.improve = !settings.no_improve;
  request.improve_baseline = settings.improve;
  request.masim_generation = settings.masim_generation;
  return request;
}

/// Mean energy savings over the netlists, relative to the published counts of each method: those of our
/// schedules, those of MASIM's published counts, and those that the paper claims for MASIM
/// (docs/scheduling.md, section 1). A computation costs 1, and a copy 1.87.
class EnergySavings {
 public:
  void add(const PaperRow& row, double nodes, double copies) {
    const simd::EnergyModel energies;
    const auto of = [&](double n) { return nodes * energies.compute + n * energies.copy; };
    const std::array<double, 5> theirs = {row.gppic, row.simpler, row.star, row.date24, row.masim};
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      ours_[i] += 1 - of(copies) / of(theirs[i]);
      masim_[i] += 1 - of(row.masim) / of(theirs[i]);
    }
    ++count_;
  }
  void print() const {
    constexpr std::array<const char*, 5> names = {"XMG-GPPIC", "SIMPLER", "STAR", "DATE24", "MASIM"};
    constexpr std::array<double, 5> claimed = {39.4, 35.4, 35.7, 28.0, 0};
    if (count_ == 0) return;
    io::Table table({{"energy saved against", io::Align::left}, {"here"}, {"MASIM, its counts"}, {"Fig. 8"}});
    for (std::size_t i = 0; i < names.size(); ++i)
      table.add_row({names[i], fmt::format("{:.1f} %", 100 * ours_[i] / count_),
                     fmt::format("{:.1f} %", 100 * masim_[i] / count_), fmt::format("{:.1f} %", claimed[i])});
    fmt::print("\n{}", table.to_string());
  }

 private:
  std::array<double, 5> ours_{}, masim_{};
  int count_ = 0;
};

double published(const PaperRow& row, const Settings& settings) {
  if (settings.method == "gppic") return row.gppic;
  if (settings.method == "simpler") return row.simpler;
  if (settings.method == "star") return row.star;
  if (settings.method == "date24")
    return settings.masim_generation ? row.date24_generated
           : settings.improve        ? row.date24_improved
                                     : row.date24;
  return settings.method == "masim" && settings.no_improve ? row.no_improvement : row.masim;
}

/// Returns the figures of a schedule. If the schedule is invalid, prints a message and returns nothing.
std::optional<simd::ScheduleFigures> accepted(const simd::Netlist& netlist,
                                              const simd::ScheduleResult& result, std::string_view name) {
  const auto contract = report::contract_of(result.schedule, netlist, netlist);
  if (contract.fault.empty() && contract.figures["copies"] == result.copies)
    return simd::figures_of(result.schedule, netlist);
  fmt::print(stderr, "{}: schedule rejected\n", name);
  return std::nullopt;
}

int run_table(const Settings& settings) {
  io::Table table({{"netlist", io::Align::left},
                   {"nodes"},
                   {"rows"},
                   {"paper"},
                   {"one shot"},
                   {"annealed"},
                   {"copies"},
                   {"bound"},
                   {"arrays"},
                   {"work"},
                   {"CPU s"},
                   {"s"}});
  double sum = 0, sum_paper = 0;
  EnergySavings savings;
  int count = 0;
  for (const PaperRow& row : paper) {
    if (!settings.only.empty() && settings.only != row.name) continue;
    const auto netlist = load(settings, row.name);
    if (!netlist) return 3;
    const double before = cpu_seconds();
    const auto result = simd::make_schedule(*netlist, request_of(settings, row.rows));
    const double cpu = cpu_seconds() - before;
    if (!result) {
      table.add_row({std::string(row.name), "", "", "", "", "", "none"});
      continue;
    }
    const auto figures = accepted(*netlist, *result, row.name);
    if (!figures) return 1;
    const double theirs = published(row, settings);
    table.add_row({std::string(row.name), fmt::format("{}", netlist->gates.size()),
                   fmt::format("{}", row.rows), fmt::format("{}", theirs), fmt::format("{}", row.one_shot),
                   fmt::format("{}", row.annealed), fmt::format("{}", result->copies),
                   fmt::format("{}", result->bound.copies), fmt::format("{}", figures->arrays_used),
                   fmt::format("{:.1f}M", static_cast<double>(result->work) / 1e6),
                   fmt::format("{:.1f}", cpu), fmt::format("{:.1f}", result->seconds)});
    std::fprintf(stderr, "%s %u\n", std::string(row.name).c_str(), result->copies);
    savings.add(row, static_cast<double>(netlist->gates.size()), result->copies);
    sum += std::log(static_cast<double>(std::max(result->copies, 1U)));
    sum_paper += std::log(theirs);
    ++count;
  }
  if (count > 1) {
    table.add_rule();
    table.add_row({"geomean", "", "", fmt::format("{:.1f}", std::exp(sum_paper / count)), "127.7", "109.0",
                   fmt::format("{:.1f}", std::exp(sum / count))});
  }
  fmt::print("{}", table.to_string());
  savings.print();
  return 0;
}

/// Prints the distance of the published count from the range of the counts of several seeds.
int run_published(const Settings& settings) {
  io::Table table({{"netlist", io::Align::left}, {"published"}, {"least"}, {"median"}, {"most"}, {"off"}});
  double off_sum = 0;
  int count = 0;
  for (const PaperRow& row : paper) {
    if (!settings.only.empty() && settings.only != row.name) continue;
    const auto netlist = load(settings, row.name);
    if (!netlist) return 3;
    std::vector<double> copies;
    simd::ScheduleRequest request = request_of(settings, row.rows);
    for (std::uint64_t i = 0; i < settings.seeds; ++i, ++request.seed) {
      const auto result = simd::make_schedule(*netlist, request);
      if (!result) return 4;
      if (!accepted(*netlist, *result, row.name)) return 1;
      copies.push_back(result->copies);
    }
    if (copies.empty()) return 2;
    std::sort(copies.begin(), copies.end());
    const double theirs = published(row, settings);
    const double nearest = std::clamp(theirs, copies.front(), copies.back());
    const double off = nearest / theirs - 1;
    table.add_row({std::string(row.name), fmt::format("{}", theirs), fmt::format("{}", copies.front()),
                   fmt::format("{}", copies[copies.size() / 2]), fmt::format("{}", copies.back()),
                   off == 0 ? "" : fmt::format("{:+.0f} %", 100 * off)});
    std::fprintf(stderr, "%s\n", std::string(row.name).c_str());
    off_sum += std::abs(std::log(nearest / theirs));
    ++count;
  }
  fmt::print("{}mean distance (log) {:.2f}\n", table.to_string(), count == 0 ? 0 : off_sum / count);
  return 0;
}

int run_timing(const Settings& settings) {
  constexpr double their_pass = 0.38, their_construction = 400;
  io::Table table({{"netlist", io::Align::left},
                   {"nodes"},
                   {"ms a construction"},
                   {"ms a pass"},
                   {"construction ratio"},
                   {"pass ratio"}});
  for (const PaperRow& row : paper) {
    if (!settings.only.empty() && settings.only != row.name) continue;
    const auto netlist = load(settings, row.name);
    if (!netlist) return 3;
    const simd::ScheduleProblem problem(*netlist, row.rows, 0);
    simd::MasimMachine machine(problem, problem.home_arrays() + 7);
    std::vector<simd::MasimMachine::Choice> work(problem.gate_count()), best(problem.gate_count()), file;
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) file.push_back({gate, 0});
    priority::PrioritySearch<simd::MasimMachine> search(machine, work, best, settings.seed);
    // The first construction cannot be abandoned, since there is no better schedule yet.
    double start = cpu_seconds();
    search.construct();
    const double construction = cpu_seconds() - start;
    search.derive(file);
    constexpr int passes = 2000;
    start = cpu_seconds();
    for (int i = 0; i < passes; ++i) search.improve_once();
    const double pass = (cpu_seconds() - start) / passes;
    const bool compare = row.name == "multiplier";
    table.add_row({std::string(row.name), fmt::format("{}", problem.gate_count()),
                   fmt::format("{:.2f}", construction * 1e3), fmt::format("{:.3f}", pass * 1e3),
                   compare ? fmt::format("{:.0f}x", their_construction / construction) : "",
                   compare ? fmt::format("{:.0f}x", their_pass / pass) : ""});
  }
  fmt::print("{}", table.to_string());
  return 0;
}

/// Prints each bound, and the ratio of the best bound to the number of copies in a schedule found within
/// --time-limit.
int run_bounds(const Settings& settings) {
  io::Table table({{"netlist", io::Align::left},
                   {"copies"},
                   {"full arrays"},
                   {"outputs"},
                   {"alive values"},
                   {"alive at a time"},
                   {"rows for them"},
                   {"gap closed"},
                   {"CPU s"}});
  for (const PaperRow& row : paper) {
    if (!settings.only.empty() && settings.only != row.name) continue;
    const auto netlist = load(settings, row.name);
    if (!netlist) return 3;
    const simd::ScheduleProblem problem(*netlist, row.rows, settings.arrays);
    const double before = cpu_seconds();
    simd::AliveBound alive(problem);
    const std::uint64_t budget = settings.work_limit == 0 ? 90'000'000 : settings.work_limit;
    const std::array<std::uint32_t, 3> proved = {
        simd::input_bound(problem).copies,
        simd::output_bound(problem, false, simd::BoundEffort::thorough).copies, alive.fewest(budget)};
    const double seconds = cpu_seconds() - before;
    simd::ScheduleRequest request = request_of(settings, row.rows);
    request.work_limit = 0;
    const auto result = simd::make_schedule(*netlist, request);
    if (!result || !accepted(*netlist, *result, row.name)) return 1;
    const std::uint32_t best = *std::max_element(proved.begin(), proved.end());
    table.add_row({std::string(row.name), fmt::format("{}", result->copies), fmt::format("{}", proved[0]),
                   fmt::format("{}", proved[1]), fmt::format("{}", proved[2]),
                   fmt::format("{}", alive.alive()), fmt::format("{}", alive.rows()),
                   fmt::format("{:.0f} %", 100.0 * best / std::max(result->copies, 1U)),
                   fmt::format("{:.1f}", seconds)});
  }
  fmt::print("{}", table.to_string());
  return 0;
}

int run_scale(const Settings& settings) {
  // Columns for plotting, with one line per size.
  fmt::print("# generator nodes seconds cpu_seconds copies bound peak_MiB\n");
  std::vector<bench::PlotLine> lines;
  for (const std::string_view generator : {"multiplier", "random"}) {
    lines.push_back({std::string(generator), {}});
    for (std::uint64_t size = 1000; size <= settings.largest; size *= 10) {
      const auto netlist = bench::generate_of_size(generator, size, settings.seed);
      if (!netlist) {
        fmt::print(stderr, "{}\n", netlist.error().to_string());
        return 3;
      }
      const double before = cpu_seconds();
      const auto result = simd::make_schedule(*netlist, request_of(settings, 256));
      if (!result) return 4;
      const double cpu = cpu_seconds() - before;
      const auto contract = report::contract_of(result->schedule, *netlist, *netlist);
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      fmt::print("{} {} {:.2f} {:.2f} {} {} {}{}\n", generator, netlist->gates.size(), result->seconds, cpu,
                 result->copies, result->bound.copies, usage.ru_maxrss / 1024,
                 contract.fault.empty() ? "" : " REJECTED");
      std::fflush(stdout);
      lines.back().points.emplace_back(netlist->gates.size(), cpu);
    }
  }
  if (settings.svg.empty()) return 0;
  const auto text = bench::LogPlot(3, 7, -2, 2).svg("nodes", "CPU seconds", lines);
  std::FILE* file = std::fopen(settings.svg.c_str(), "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written) {
    fmt::print(stderr, "{}: cannot be written\n", settings.svg);
    return 5;
  }
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  using namespace nestor;
  Settings settings;
  CLI::App app("simd schedulers against the paper and against scale");
  app.require_subcommand(1);
  const auto common = [&](CLI::App* verb) {
    verb->add_option("--netlists", settings.netlists, "folder of the paper's netlists");
    verb->add_option("--only", settings.only, "one netlist");
    verb->add_option("--method", settings.method, "the scheduler");
    verb->add_option("--time-limit", settings.time_limit, "seconds a netlist");
    verb->add_option("--work-limit", settings.work_limit, "work a netlist");
    verb->add_option("--arrays", settings.arrays, "arrays of the machine; 0: as many as useful");
    verb->add_option("--seed", settings.seed, "seed");
    verb->add_option("--seeds", settings.seeds, "published: runs, with seeds from --seed on");
    verb->add_option("--shuffle", settings.shuffle, "reorder and rename the gates with this seed");
    verb->add_option("--restarts", settings.restarts, "R of masim and the baselines");
    verb->add_option("--threads", settings.threads, "threads");
    verb->add_option("--largest", settings.largest, "largest netlist of scale");
    verb->add_option("--svg", settings.svg, "where scale writes its plot");
    verb->add_flag("--no-improve", settings.no_improve, "masim without improvement (NoImpr)");
    verb->add_flag("--improve", settings.improve, "baselines with improvement (+Impr)");
    verb->add_flag("--masim-generation", settings.masim_generation,
                   "baselines with MASIM's generation (+IG)");
  };
  auto* table = app.add_subcommand("table", "copies beside the paper's");
  auto* spread = app.add_subcommand("published", "copies of several seeds beside the paper's");
  auto* timing = app.add_subcommand("timing", "masim's time per construction and pass");
  auto* bounds = app.add_subcommand("bounds", "what each bound says, beside the copies of schedules");
  auto* scale = app.add_subcommand("scale", "time against nodes");
  for (auto* verb : {table, spread, timing, bounds, scale}) common(verb);
  CLI11_PARSE(app, argc, argv);
  if (table->parsed()) return run_table(settings);
  if (spread->parsed()) return run_published(settings);
  if (timing->parsed()) return run_timing(settings);
  if (bounds->parsed()) return run_bounds(settings);
  return run_scale(settings);
}
