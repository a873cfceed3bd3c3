// Benchmark of the delay of each method after its time limit and after a signal, on large netlists, whose
// constructions, bounds and schedules each take long.
//
//   simd_limits [--gates 1000000] [--rows 256] [--limits 1,3] [--circuits random,multiplier]
//               [--methods nestor,masim,...] [--most 0.2]
//
// "over" is the time from the limit or the signal to the end of the run. "processor" is the processor time of
// the program in that period, on all cores. On a busy machine, the smaller of the two is an upper bound for a
// quiet machine. The exit status is 1 if this bound exceeds --most in any run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "bench/netlists/generate.h"
#include "mapper/simd/make_schedule.h"
#include "report/tables/table.h"
#include "schedule_methods.h"

namespace nestor {
namespace {

struct Settings {
  std::uint64_t gates = 1'000'000;
  std::uint32_t rows = 256;
  std::vector<double> limits = {1, 3};
  std::vector<std::string> circuits = {"random", "multiplier"};
  std::vector<std::string> methods = {"nestor", "masim", "gppic", "simpler", "star", "date24", "exact"};
  double most = 0.2;
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Overrun {
  double seconds = 0, processor = 0;
  std::string copies;
  double at_worst() const { return std::min(seconds, processor); }
};

/// Measures a run that is ended by a time limit or, with `signal`, by a signal after the same processor time,
/// so that the signal arrives at the same point on busy and quiet machines.
Overrun overrun_of(const simd::Netlist& netlist, const std::string& method, double limit, bool signal,
                   std::uint32_t rows) {
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> interrupted{false}, ended{false};
  simd::ScheduleRequest request;
  request.method = schedule_method_named(method);
  request.rows = rows;
  request.time_limit = signal ? 1e6 : limit;
  request.interrupted = &interrupted;
  // This run has no time limit from which the method could derive its planned work.
  if (signal) request.planned_work = static_cast<std::uint64_t>(limit * 3e7);
  const auto begin = Clock::now();
  const double processor_before = processor_seconds();
  const auto is_over = [&] {
    return signal ? processor_seconds() >= processor_before + limit
                  : Clock::now() >= begin + std::chrono::duration<double>(limit);
  };
  Clock::time_point then = Clock::time_point::max();
  double processor_then = 0;
  std::thread watch([&] {
    while (!is_over()) {
      if (ended) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    processor_then = processor_seconds();
    then = Clock::now();
    interrupted = signal;
  });
  const auto result = simd::make_schedule(netlist, request);
  const auto end = Clock::now();
  const double processor = processor_seconds();
  ended = true;
  watch.join();
  Overrun over;
  over.copies = result ? fmt::format("{}", result->copies) : "none";
  if (end <= then) return over;
  over.seconds = std::chrono::duration<double>(end - then).count();
  over.processor = std::max(0.0, processor - processor_then);
  return over;
}

int run(const Settings& settings) {
  io::Table table({{"netlist", io::Align::left},
                   {"gates"},
                   {"method", io::Align::left},
                   {"ended by", io::Align::left},
                   {"copies"},
                   {"over s"},
                   {"processor s"}});
  double worst = 0;
  for (const std::string& circuit : settings.circuits) {
    const auto netlist = bench::generate_of_size(circuit, settings.gates, 1);
    if (!netlist) {
      fmt::print(stderr, "{}\n", netlist.error().to_string());
      return 3;
    }
    for (const std::string& method : settings.methods)
      for (const double limit : settings.limits)
        for (const bool signal : {false, true}) {
          const Overrun over = overrun_of(*netlist, method, limit, signal, settings.rows);
          worst = std::max(worst, over.at_worst());
          table.add_row({circuit, fmt::format("{}", netlist->gates.size()), method,
                         fmt::format("{} {} s", signal ? "signal after" : "limit of", limit), over.copies,
                         fmt::format("{:.2f}", over.seconds), fmt::format("{:.2f}", over.processor)});
          fmt::print(stderr, "{} {} {} {}: {} {:.2f} {:.2f}\n", circuit, method, signal ? "signal" : "limit",
                     limit, over.copies, over.seconds, over.processor);
        }
  }
  fmt::print("{}at worst {:.2f} s\n", table.to_string(), worst);
  return worst <= settings.most ? 0 : 1;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  nestor::Settings settings;
  CLI::App app("How long each method goes on after its limit or a signal", "simd_limits");
  app.add_option("--gates", settings.gates, "of each netlist, about");
  app.add_option("--rows", settings.rows, "of an array");
  app.add_option("--limits", settings.limits, "seconds")->delimiter(',');
  app.add_option("--circuits", settings.circuits, "what is generated")->delimiter(',');
  app.add_option("--methods", settings.methods, "whose")->delimiter(',');
  app.add_option("--most", settings.most, "seconds that a run may go on");
  CLI11_PARSE(app, argc, argv);
  return nestor::run(settings);
}
