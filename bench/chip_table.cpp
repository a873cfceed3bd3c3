// Benchmark of the networks with which CIM-MLC was evaluated, on its machine: the results of CIM-MLC's method
// compared with the proved optimum.
//
//   chip_table [--arch ARCH] [--seconds S] [--threads N] [--without program|labels]... [--peak | --limits]
//   [NETWORK...]
//
// For each network and level, it prints the cycles without optimisation, the cycles of each method, and the
// optimum with its bound, nodes (including labels) and time. --without disables a part of the search, to
// measure its gain. With
// --peak, it instead prints the peak number of active crossbars and the peak power, for the methods, for
// CIM-MLC's staggered phases, and for schedules with the least peak power. With --limits, it prints the best
// schedule and the bound for least latency with 90, 70 and 50 % of the peak power of the fastest schedule,
// and for least peak power in 1.1, 1.5 and 2 times its cycles. By default, it first runs the chains
// (NETWORK-chain: only the convolutions and pools of the main path) and then the whole networks, on
// isaac-table3, for 60 s each.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/chip/baselines.h"
#include "io/chip/machine_file.h"
#include "io/onnx/chip/import.h"
#include "mapper/chip/compile_network.h"
#include "model/chip/search/compile.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor {
namespace {

struct ChipRun {
  std::map<chip::CompileMethod, chip::ChipEvaluation> baselines;
  std::map<chip::CompileMethod, chip::Decisions> decisions;
  chip::CompileOutcome outcome;
  double seconds = 0;
};

template <typename T>
T read_or_stop(io::Result<T> read) {
  if (read) return std::move(read).value();
  std::fprintf(stderr, "%s\n", read.error().to_string().c_str());
  std::exit(static_cast<int>(read.error().kind));
}

/// Reads a network and splits it for the machine. If that is impossible, prints a message and ends the
/// program.
chip::ChipNetwork chip_network(const std::string& name, const chip::ChipMachine& machine) {
  auto network = read_or_stop(io::read_chip_workload(name, machine));
  auto refused = chip::admit(machine, network);
  if (!refused) refused = chip::split(machine, network);
  if (!refused) refused = chip::admit(machine, network);
  if (!refused) return network;
  std::fprintf(stderr, "%s: %s\n", name.c_str(), refused->message.c_str());
  std::exit(4);
}

ChipRun run_chip(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                 const chip::CompileRequest& request, double seconds, int threads) {
  const auto problem = chip::make_problem(machine, network);
  ChipRun run;
  for (const auto baseline : chip::all_baselines) {
    const auto decisions = chip::run_baseline(problem, baseline, request.levels);
    if (!decisions || chip::find_violation(problem, *decisions)) continue;
    run.baselines[baseline] = chip::evaluate(problem, *decisions);
    run.decisions[baseline] = *decisions;
  }
  const auto begin = StopSource::Clock::now();
  StopSource stop(begin + std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * seconds)));
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  run.outcome =
      chip::compile_network(problem, {chip::CompileMethod::optimal, request}, {*executor, stop, nullptr})
          .outcome;
  run.seconds = seconds_since(begin);
  return run;
}

struct Arguments {
  std::string arch = "isaac-table3";
  double seconds = 60;
  int threads = 2;
  bool peak = false;
  bool limits = false;
  chip::SegmentOptions search;
  std::vector<std::string> networks;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : "0"); };
    if (word == "--arch")
      arguments.arch = value();
    else if (word == "--seconds")
      arguments.seconds = std::stod(value());
    else if (word == "--threads")
      arguments.threads = std::stoi(value());
    else if (word == "--without") {
      const auto part = value();
      if (part == "program") arguments.search.linear_program = false;
      if (part == "labels") arguments.search.root_label_effort = arguments.search.label_effort = 0;
    } else if (word == "--peak")
      arguments.peak = true;
    else if (word == "--limits")
      arguments.limits = true;
    else
      arguments.networks.push_back(word);
  }
  if (arguments.networks.empty())
    for (const char* part : {"-chain", ""})
      for (const char* name : {"resnet18", "resnet34", "resnet50", "resnet101", "vgg16"})
        arguments.networks.push_back(std::string(name) + part);
  return arguments;
}

struct Level {
  const char* name;
  chip::Levels levels;
};
constexpr Level all_levels[] = {{"cg", {false, false}}, {"mvm", {true, false}}, {"vvm", {true, true}}};

std::string count(Int value) { return io::count_text(value); }

void optima(const Arguments& arguments) {
  io::Table table({{"network", io::Align::left},
                   {"level", io::Align::left},
                   {"sequential"},
                   {"pipeline"},
                   {"duplication"},
                   {"cim-mlc"},
                   {"optimum"},
                   {"at least"},
                   {"apart"},
                   {"cim-mlc / optimum"},
                   {"nodes"},
                   {"seconds"}});
  const auto machine = read_or_stop(io::read_chip_machine(arguments.arch));
  for (const auto& name : arguments.networks) {
    const auto network = chip_network(name, machine);
    for (const auto& [level, levels] : all_levels) {
      chip::CompileRequest request;
      request.levels = chip::allowed(levels, machine.mode);
      if (!(request.levels == levels)) continue;
      request.search = arguments.search;
      const auto run = run_chip(machine, network, request, arguments.seconds, arguments.threads);
      const auto& outcome = run.outcome;
      std::vector<std::string> row = {name, level};
      for (const auto baseline : {chip::CompileMethod::sequential, chip::CompileMethod::pipeline,
                                  chip::CompileMethod::duplication, chip::CompileMethod::cim_mlc_code}) {
        const auto found = run.baselines.find(baseline);
        row.push_back(found == run.baselines.end() ? "" : count(found->second.latency_cycles));
      }
      const double mlc =
          static_cast<double>(run.baselines.at(chip::CompileMethod::cim_mlc_code).latency_cycles);
      row.push_back(count(static_cast<Int>(outcome.objective)));
      row.push_back(count(static_cast<Int>(outcome.bound)));
      row.push_back(fmt::format("{:.2f} %", 100 * gap_between(outcome.objective, outcome.bound)));
      row.push_back(fmt::format("{:.3f}", mlc / outcome.objective));
      row.push_back(count(static_cast<Int>(outcome.counts.nodes + outcome.labels)));
      row.push_back(fmt::format("{:.2f}", run.seconds));
      table.add_row(std::move(row));
      std::fprintf(stderr, "%s %s\n", name.c_str(), level);
    }
  }
  fmt::print("{}, {:g} s each, {} threads\n\n{}", machine.name, arguments.seconds, arguments.threads,
             table.to_string());
}

// Returns the decisions with as many phases as parts for every array operator, like CIM-MLC's staggered
// crossbars.
chip::Decisions staggered(const chip::ChipProblem& problem, chip::Decisions decisions) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    auto& op = decisions.operators[i];
    if (problem.network.operators[i].kind == chip::OperatorKind::array)
      op.phases = op.parts == 0 ? problem.facts[i].layout.least_parts : op.parts;
  }
  return decisions;
}

void peaks(const Arguments& arguments) {
  io::Table table({{"network", io::Align::left},
                   {"schedule", io::Align::left},
                   {"cycles"},
                   {"crossbars at once"},
                   {"pJ a cycle"},
                   {"of sequential"},
                   {"of cim-mlc cg"}});
  const auto machine = read_or_stop(io::read_chip_machine(arguments.arch));
  for (const auto& name : arguments.networks) {
    const auto network = chip_network(name, machine);
    const auto problem = chip::make_problem(machine, network);
    const auto evaluated = [&](chip::CompileMethod baseline, chip::Levels levels) {
      return *chip::run_baseline(problem, baseline, levels);
    };
    const auto base = evaluated(chip::CompileMethod::sequential, {});
    const auto coarse = evaluated(chip::CompileMethod::cim_mlc_code, {});
    const auto fine = evaluated(chip::CompileMethod::cim_mlc_code, {true, false});
    const double least = chip::evaluate(problem, base).peak_power;
    const double most = chip::evaluate(problem, coarse).peak_power;
    const auto add = [&](const std::string& what, const chip::Decisions& decisions) {
      const auto figures = chip::evaluate(problem, decisions);
      table.add_row({name, what, count(figures.latency_cycles), count(figures.peak_crossbars),
                     fmt::format("{:.0f}", figures.peak_power),
                     fmt::format("{:.2f}", figures.peak_power / least),
                     fmt::format("{:.2f}", figures.peak_power / most)});
    };
    add("sequential", base);
    add("cim-mlc cg", coarse);
    add("cim-mlc mvm", fine);
    add("cim-mlc mvm, staggered", staggered(problem, fine));
    for (const auto& [what, limit] :
         {std::pair{"least peak in cim-mlc cg's time", chip::evaluate(problem, coarse).latency_cycles},
          std::pair{"least peak in the staggered time",
                    chip::evaluate(problem, staggered(problem, fine)).latency_cycles}}) {
      chip::CompileRequest request;
      request.objective = chip::CompileObjective::peak_power;
      request.levels = {true, false};
      request.limits.latency = limit;
      const auto run = run_chip(machine, network, request, arguments.seconds, arguments.threads);
      if (!run.outcome.best) continue;
      add(fmt::format("{}, at least {:.0f}", what, run.outcome.bound), *run.outcome.best);
    }
    std::fprintf(stderr, "%s\n", name.c_str());
  }
  fmt::print("{}\n\n{}", machine.name, table.to_string());
}

void limited(const Arguments& arguments) {
  io::Table table({{"network", io::Align::left},
                   {"objective", io::Align::left},
                   {"limit", io::Align::left},
                   {"best found"},
                   {"at least"}});
  const auto machine = read_or_stop(io::read_chip_machine(arguments.arch));
  for (const auto& name : arguments.networks) {
    const auto network = chip_network(name, machine);
    chip::CompileRequest request;
    request.levels = chip::offered(machine.mode);
    const auto fastest = run_chip(machine, network, request, arguments.seconds, arguments.threads);
    const auto figures = chip::evaluate(chip::make_problem(machine, network), *fastest.outcome.best);
    const auto add = [&](const char* objective, const std::string& limit) {
      const auto outcome = run_chip(machine, network, request, arguments.seconds, arguments.threads).outcome;
      table.add_row({name, objective, limit, outcome.best ? fmt::format("{:.0f}", outcome.objective) : "none",
                     fmt::format("{:.0f}", outcome.bound)});
      std::fprintf(stderr, "%s %s %s\n", name.c_str(), objective, limit.c_str());
    };
    for (const double share : {0.9, 0.7, 0.5}) {
      request.limits.peak_power = share * figures.peak_power;
      add("latency", fmt::format("{:.0f} % of its peak power", 100 * share));
    }
    request.limits = {};
    request.objective = chip::CompileObjective::peak_power;
    for (const double times : {1.1, 1.5, 2.0}) {
      request.limits.latency = static_cast<Int>(times * static_cast<double>(figures.latency_cycles));
      add("peak power", fmt::format("{:g} times its cycles", times));
    }
  }
  fmt::print("{}, {:g} s each, {} threads\n\n{}", machine.name, arguments.seconds, arguments.threads,
             table.to_string());
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  const auto arguments = nestor::parse(argc, argv);
  if (arguments.limits)
    nestor::limited(arguments);
  else
    arguments.peak ? nestor::peaks(arguments) : nestor::optima(arguments);
}
