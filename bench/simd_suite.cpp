// Comparison of the schedulers on a suite of generated netlists at equal limits: the copies of the default
// method against the best of the other methods. Netlists have 10^2 to 3*10^5 gates, and arrays 16 to 256
// rows.
//
//   simd_suite [--time-limit S | --work-limit N] [--methods masim,simpler,...] [--only NAME]
//              [--largest GATES]
//
// If a method finds no schedule, the value is "none". The last line has the geometric mean of (default + 1) /
// (best other + 1) over the netlists for which both exist, and the number of netlists on which another method
// is better than the default or alone finds a schedule.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "bench/netlists/generate.h"
#include "mapper/simd/make_schedule.h"
#include "report/simd/schedule_contract.h"
#include "report/tables/table.h"
#include "schedule_methods.h"

namespace nestor {
namespace {

struct Case {
  const char* circuit;
  std::uint32_t width, count, rows;
};

constexpr std::array suite = {
    Case{"bitonic", 1, 64, 32},      Case{"bitonic", 1, 512, 256},
    Case{"bitonic", 4, 16, 64},      Case{"sorter", 8, 16, 64},
    Case{"sorter", 4, 32, 128},      Case{"sorter", 16, 64, 256},
    Case{"popcount", 100, 0, 16},    Case{"popcount", 1000, 0, 64},
    Case{"popcount", 1000, 0, 256},  Case{"popcount", 5000, 0, 128},
    Case{"dot", 4, 8, 32},           Case{"dot", 8, 32, 128},
    Case{"dot", 8, 64, 256},         Case{"dot", 16, 16, 64},
    Case{"parity", 200, 0, 16},      Case{"parity", 1000, 0, 64},
    Case{"parity", 5000, 0, 256},    Case{"comparator", 64, 0, 16},
    Case{"comparator", 256, 0, 64},  Case{"comparator", 2000, 0, 256},
    Case{"max", 32, 8, 32},          Case{"max", 128, 16, 256},
    Case{"crc", 64, 0, 32},          Case{"crc", 1000, 0, 128},
    Case{"crc", 4000, 0, 256},       Case{"sbox", 6, 4, 16},
    Case{"sbox", 8, 4, 32},          Case{"sbox", 8, 16, 64},
    Case{"sbox", 10, 8, 256},        Case{"barrel", 32, 0, 16},
    Case{"barrel", 128, 0, 64},      Case{"barrel", 512, 0, 256},
    Case{"wallace", 12, 0, 16},      Case{"wallace", 32, 0, 64},
    Case{"wallace", 64, 0, 256},     Case{"wallace", 128, 0, 256},
    Case{"wallace", 316, 0, 256},    Case{"multiplier", 16, 0, 32},
    Case{"multiplier", 32, 0, 32},   Case{"multiplier", 48, 0, 128},
    Case{"adder", 64, 0, 16},        Case{"adder", 512, 0, 64},
    Case{"brent-kung", 64, 0, 32},   Case{"brent-kung", 512, 0, 128},
    Case{"kogge-stone", 64, 0, 32},  Case{"kogge-stone", 256, 0, 128},
    Case{"carry-select", 64, 0, 16}, Case{"carry-select", 512, 0, 128},
    Case{"carry-save", 32, 16, 64},  Case{"carry-save", 64, 64, 256},
    Case{"random", 16, 200, 16},     Case{"random", 32, 1000, 32},
    Case{"random", 312, 5000, 256},  Case{"random", 64, 5000, 64},
    Case{"random", 500, 50000, 256}, Case{"random", 4096, 300000, 256},
    Case{"mesh", 20, 400, 16},       Case{"mesh", 64, 4000, 64},
    Case{"mesh", 200, 20000, 128},   Case{"mesh", 500, 100000, 256},
    Case{"divider", 16, 0, 32},      Case{"sqrt", 32, 0, 32},
    Case{"priority", 128, 0, 32},    Case{"decoder", 8, 0, 32},
    Case{"sine", 12, 0, 64},
};

struct Settings {
  double time_limit = 3;
  std::uint64_t work_limit = 0;
  std::vector<std::string> methods = {"masim", "gppic", "simpler", "star", "date24"};
  std::string only;
  std::uint64_t largest = ~std::uint64_t{0};
};

/// Returns the copies, or nothing without a schedule. A schedule that the verifier rejects ends the program.
std::optional<std::uint32_t> copies_of(const simd::Netlist& netlist, std::uint32_t rows,
                                       std::string_view method, const Settings& settings, double& seconds) {
  simd::ScheduleRequest request;
  request.method = schedule_method_named(method);
  request.rows = rows;
  request.time_limit = settings.work_limit != 0 ? 1e6 : settings.time_limit;
  request.work_limit = settings.work_limit;
  const auto result = simd::make_schedule(netlist, request);
  if (!result) return std::nullopt;
  seconds = result->seconds;
  const auto contract = report::contract_of(result->schedule, netlist, netlist);
  if (!contract.fault.empty() || contract.figures["copies"] != result->copies) {
    fmt::print(stderr, "{}: schedule of {} rejected\n", method, netlist.name);
    std::exit(1);
  }
  return result->copies;
}

int run(const Settings& settings) {
  io::Table table({{"netlist", io::Align::left},
                   {"gates"},
                   {"rows"},
                   {"default"},
                   {"best other"},
                   {"by", io::Align::left},
                   {"ratio"},
                   {"s"}});
  double sum = 0;
  int compared = 0, worse = 0;
  for (const Case& one : suite) {
    if (!settings.only.empty() && settings.only != one.circuit) continue;
    const auto netlist = bench::generate(one.circuit, {.width = one.width, .count = one.count});
    if (!netlist) return 3;
    if (netlist->gates.size() > settings.largest) continue;
    double seconds = 0, ignored = 0;
    const auto ours = copies_of(*netlist, one.rows, "nestor", settings, seconds);
    std::optional<std::uint32_t> best;
    std::string by;
    for (const std::string& method : settings.methods)
      if (const auto other = copies_of(*netlist, one.rows, method, settings, ignored);
          other && (!best || *other < *best)) {
        best = other;
        by = method;
      }
    std::string ratio;
    if (ours && best) {
      const double relative = (*ours + 1.0) / (*best + 1.0);
      sum += std::log(relative);
      ++compared;
      ratio = fmt::format("{:.3f}", relative);
    }
    if (best && (!ours || *ours > *best)) ++worse;
    table.add_row({fmt::format("{} {} {}", one.circuit, one.width, one.count),
                   fmt::format("{}", netlist->gates.size()), fmt::format("{}", one.rows),
                   ours ? fmt::format("{}", *ours) : "none", best ? fmt::format("{}", *best) : "none", by,
                   ratio, fmt::format("{:.1f}", seconds)});
    fmt::print(stderr, "{} {} {}: {} {} {}\n", one.circuit, one.width, one.rows, ours.value_or(~0U),
               best.value_or(~0U), by);
  }
  fmt::print("{}geometric mean of {}: {:.3f}; worse on {}\n", table.to_string(), compared,
             compared == 0 ? 1.0 : std::exp(sum / compared), worse);
  return worse == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  nestor::Settings settings;
  CLI::App app("The schedulers on a suite of generated netlists", "simd_suite");
  app.add_option("--time-limit", settings.time_limit, "seconds for each run");
  app.add_option("--work-limit", settings.work_limit, "work for each run instead of time");
  app.add_option("--methods", settings.methods, "the others")->delimiter(',');
  app.add_option("--only", settings.only, "this circuit only");
  app.add_option("--largest", settings.largest, "no netlists of more gates");
  CLI11_PARSE(app, argc, argv);
  return nestor::run(settings);
}
