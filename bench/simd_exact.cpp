// Benchmark of the problem sizes that the method `exact` solves: random netlists of one size with few and
// many inputs, on arrays of few and many rows, with two sets of gates (xor3 and maj3; and, or and xor with
// two operands). Each run ends with a proof or at its limit.
//
//   simd_exact [--gates 14] [--inputs 2,4,6,8] [--rows 4,5,...] [--seeds 2] [--time-limit 60]
//              [--work-limit N] [--each]
//
// It prints one row for each number of inputs and rows: the number of proved runs, the copies of the
// schedules, and the labels and processor time of the hardest run. The exit status is 1 if a run was not
// proved or a schedule was rejected.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "base/random.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/xmg_builder.h"
#include "report/simd/schedule_contract.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

struct Settings {
  std::uint32_t gates = 14;
  std::vector<std::uint32_t> inputs = {2, 3, 4, 5, 6, 7, 8};
  std::vector<std::uint32_t> rows = {4, 5, 6, 7, 8, 9, 10, 12, 16};
  std::uint32_t seeds = 2;
  double time_limit = 60;
  std::uint64_t work_limit = 0;
  bool each = false;
};

/// Returns a netlist of random gates over the inputs and earlier gates. Some operands are constant; gates
/// with two operands have a constant as their third operand. Gates that no other gate reads are outputs.
simd::Netlist random_netlist(std::uint32_t inputs, std::uint32_t gates, bool two_operands,
                             std::uint64_t seed) {
  Random random(seed);
  simd::XmgBuilder builder("random");
  std::vector<simd::Signal> signals;
  for (std::uint32_t i = 0; i < inputs; ++i) signals.push_back(builder.input(fmt::format("x{}", i)));
  std::vector<std::uint8_t> read(inputs + gates + 1, 0);
  const auto pick = [&] {
    const simd::Signal signal = signals[random.below(signals.size())];
    return random.below(2) == 0 ? signal : !signal;
  };
  while (builder.gate_count() < gates) {
    const std::size_t before = builder.gate_count();
    const simd::Signal a = pick(), b = pick();
    const bool constant = two_operands || random.below(4) == 0;
    const simd::Signal c = constant ? simd::XmgBuilder::constant(random.below(2) == 0) : pick();
    const simd::Signal result = random.below(2) == 0 ? builder.xor3(a, b, c) : builder.maj3(a, b, c);
    if (builder.gate_count() == before) continue;
    signals.emplace_back(result.node(), false);
    for (const simd::Signal signal : {a, b, c}) read[signal.node()] = 1;
  }
  std::size_t outputs = 0;
  for (const simd::Signal signal : std::vector(signals.begin() + inputs, signals.end()))
    if (read[signal.node()] == 0) builder.output(fmt::format("y{}", outputs++), signal);
  return builder.finish();
}

/// Totals of the runs of one table row.
struct Runs {
  int count = 0, proved = 0;
  std::uint32_t fewest = ~0U, most = 0;
  std::uint64_t labels = 0;
  double seconds = 0;  ///< processor seconds
};

bool add(Runs& runs, const simd::Netlist& netlist, std::uint32_t rows, const std::string& name,
         const Settings& settings) {
  simd::ScheduleRequest request;
  request.method = simd::ScheduleMethod::exact;
  request.rows = rows;
  request.time_limit = settings.time_limit;
  request.work_limit = settings.work_limit;
  const std::clock_t begin = std::clock();
  const auto result = simd::make_schedule(netlist, request);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ++runs.count;
  runs.seconds = std::max(runs.seconds, seconds);
  const bool proved = result ? result->status == Status::optimal : result.status() == Status::infeasible;
  if (proved) ++runs.proved;
  if (result) {
    const auto contract = report::contract_of(result->schedule, netlist, netlist);
    if (!contract.fault.empty() || contract.figures["copies"] != result->copies) return false;
    runs.fewest = std::min(runs.fewest, result->copies);
    runs.most = std::max(runs.most, result->copies);
    runs.labels = std::max(runs.labels, result->labels.expanded);
  }
  if (settings.each)
    fmt::print("{}: {} {} copies, bound {}, {} labels, {:.2f} s\n", name, proved ? "proved" : "open",
               result ? result->copies : 0, result ? result->bound.copies : 0,
               result ? result->labels.expanded : 0, seconds);
  std::fflush(stdout);
  return true;
}

int run(const Settings& settings) {
  io::Table table({{"inputs"}, {"rows"}, {"proved"}, {"copies"}, {"labels at most"}, {"processor s"}});
  int open = 0, count = 0;
  for (const std::uint32_t inputs : settings.inputs) {
    for (const std::uint32_t rows : settings.rows) {
      Runs runs;
      for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
        const std::string name = fmt::format("{} inputs, {} rows, seed {}", inputs, rows, seed);
        const auto three = random_netlist(inputs, settings.gates, false, seed);
        const auto two = random_netlist(inputs, settings.gates, true, seed);
        if (!add(runs, three, rows, name + ", xor3 and maj3", settings) ||
            !add(runs, two, rows, name + ", and, or, xor", settings)) {
          fmt::print(stderr, "{}: schedule rejected\n", name);
          return 1;
        }
      }
      open += runs.count - runs.proved;
      count += runs.count;
      table.add_row({fmt::format("{}", inputs), fmt::format("{}", rows),
                     fmt::format("{} of {}", runs.proved, runs.count),
                     runs.fewest > runs.most ? std::string() : fmt::format("{}–{}", runs.fewest, runs.most),
                     fmt::format("{}", runs.labels), fmt::format("{:.1f}", runs.seconds)});
    }
  }
  fmt::print("{}proved {} of {}\n", table.to_string(), count - open, count);
  return open == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  nestor::Settings settings;
  CLI::App app("How large the exact method reaches", "simd_exact");
  app.add_option("--gates", settings.gates, "of each netlist");
  app.add_option("--inputs", settings.inputs, "numbers of inputs")->delimiter(',');
  app.add_option("--rows", settings.rows, "of an array")->delimiter(',');
  app.add_option("--seeds", settings.seeds, "netlists of each kind");
  app.add_option("--time-limit", settings.time_limit, "seconds for each run");
  app.add_option("--work-limit", settings.work_limit, "work for each run instead of time");
  app.add_flag("--each", settings.each, "a line for each run");
  CLI11_PARSE(app, argc, argv);
  return nestor::run(settings);
}
