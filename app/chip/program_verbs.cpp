#include "app/chip/program_verbs.h"

#include <algorithm>

#include "app/console.h"
#include "app/output.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/chip_program/program_file.h"
#include "io/table.h"
#include "model/chip_program/generate.h"
#include "model/chip_program/work_out.h"
#include "sim/chip/functional.h"
#include "sim/chip/order.h"
#include "sim/chip/timing.h"

namespace nestor::app::chip_space {
namespace {

using chip_program::Program;
using sim_chip::Timing;

struct Loaded {
  Program program;
  chip::Machine machine;
};

// A result has its network after splitting, its machine and its decisions in it: the program is made from
// them.
io::Result<Loaded> from_result(const std::string& path) {
  const auto document = io::Document::read(path);
  if (!document) return document.error();
  io::Reading reading;
  const io::Node root = document->root();
  const auto part = [&](std::string_view key) {
    const auto node = root.is_map() ? root.find(key) : std::nullopt;
    if (!node) reading.fail(root, fmt::format("no '{}'; expected a program or a result of compile", key));
    return node;
  };
  const auto architecture = part("architecture");
  const auto network = part("network");
  const auto decisions = part("decisions");
  if (reading.failed()) return reading.error();
  Loaded loaded;
  loaded.machine = io::read_chip_machine_node(*architecture, reading);
  chip::Network whole = io::read_chip_network_node(*network, reading);
  if (reading.failed()) return reading.error();
  const auto decided = io::read_chip_decisions_node(*decisions, whole, loaded.machine.mode, reading);
  if (reading.failed()) return reading.error();
  if (const auto refused = chip::admit(loaded.machine, whole))
    return io::input_error({path}, refused->message);
  chip_program::work_out_functions(whole);
  const auto problem = chip::make_problem(loaded.machine, whole);
  if (const auto violation = chip::find_violation(problem, decided))
    return io::input_error({path}, violation->message);
  loaded.program = chip_program::generate(problem, decided, chip::evaluate(problem, decided));
  return loaded;
}

io::Result<Loaded> load(const io::RunOptions& options) {
  const std::string path = !options.program.empty() ? options.program
                           : options.inputs.empty() ? ""
                                                    : options.inputs.front();
  if (path.empty()) return io::usage_error("simulate needs a program or a result of compile");
  const auto bytes = io::read_file(path);
  if (!bytes) return bytes.error();
  if (!owns(path, *bytes)) return from_result(path);
  if (options.arch.empty())
    return io::usage_error("simulate needs --arch, the machine that the program is for");
  auto machine = io::read_chip_machine(options.arch);
  if (!machine) return machine.error();
  auto program = io::parse_program(*bytes, path);
  if (!program) return program.error();
  return Loaded{std::move(*program), std::move(*machine)};
}

void print_timing(const Program& program, const Timing& timing) {
  io::Table table({{"segment", io::Align::left},
                   {"operator", io::Align::left},
                   {"start"},
                   {"first row"},
                   {"end"},
                   {"crossbars"}});
  for (std::size_t s = 0; s < timing.segments.size(); ++s) {
    if (s > 0) table.add_rule();
    for (const auto& thread : timing.segments[s].threads) {
      const bool rows = !thread.rows.empty();
      table.add_row({std::to_string(s), program.operators[thread.op].name,
                     rows ? std::to_string(thread.rows.front().start) : "",
                     rows ? std::to_string(thread.rows.front().end) : "", std::to_string(thread.end),
                     std::to_string(thread.active)});
    }
  }
  print("{}", table.to_string());
  for (std::size_t s = 0; s < timing.segments.size(); ++s) {
    const auto& segment = timing.segments[s];
    print("segment {}: {} cycles, rewritten in {}, at most {} crossbars at once\n", s,
          segment.schedule_cycles, segment.rewrite_cycles, segment.peak_crossbars);
  }
  print("{} cycles without spilling, at most {} crossbars at once\n", timing.cycles, timing.peak_crossbars);
}

io::Json timing_json(const Program& program, const Timing& timing) {
  io::Json segments = io::Json::array();
  for (const auto& segment : timing.segments) {
    io::Json operators = io::Json::array();
    for (const auto& thread : segment.threads) {
      io::Json row = {{"name", program.operators[thread.op].name},
                      {"end", thread.end},
                      {"active_crossbars", thread.active}};
      if (!thread.rows.empty()) {
        row["start"] = thread.rows.front().start;
        row["first_row"] = thread.rows.front().end;
        row["rows"] = thread.rows.size();
      }
      operators.push_back(std::move(row));
    }
    segments.push_back({{"schedule_cycles", segment.schedule_cycles},
                        {"rewrite_cycles", segment.rewrite_cycles},
                        {"peak_crossbars", segment.peak_crossbars},
                        {"l0_bits", segment.l0_bits},
                        {"alu_ops", segment.alu_ops},
                        {"operators", std::move(operators)}});
  }
  return segments;
}

// What nobody in the program reads is its result.
std::vector<std::size_t> results_of(const Program& program) {
  std::vector<bool> read(program.tensors.size());
  for (const auto& op : program.operators) {
    for (const std::size_t input : op.inputs) read[input] = true;
  }
  std::vector<std::size_t> results;
  for (std::size_t i = 0; i < program.operators.size(); ++i) {
    if (!read[program.operators[i].output]) results.push_back(i);
  }
  return results;
}

io::Json numbers_json(const Program& program, const sim_chip::Execution& execution, bool tables) {
  io::Json tensors = io::Json::array();
  for (const std::size_t i : results_of(program)) {
    const auto& tensor = program.tensors[program.operators[i].output];
    const auto& values = execution.results[i];
    tensors.push_back({{"name", tensor.name},
                       {"rows", tensor.rows},
                       {"width", tensor.width},
                       {"channels", tensor.channels},
                       {"elements", values}});
    if (!tables) continue;
    std::string first;
    for (std::size_t k = 0; k < values.size() && k < 8; ++k) first += fmt::format(" {}", values[k]);
    print("{}: {} x {} x {} elements:{}{}\n", tensor.name, tensor.rows, tensor.width, tensor.channels, first,
          values.size() > 8 ? " ..." : "");
  }
  return tensors;
}

io::Error fault_error(const io::RunOptions& options, const sim_chip::Fault& fault) {
  const std::string& path = !options.program.empty() ? options.program : options.inputs.front();
  return io::input_error({path}, fault.message);
}

}  // namespace

bool owns(std::string_view, std::string_view head) {
  return io::is_binary_program(head) || head.starts_with("nestor-chip ");
}

io::Result<Outcome> simulate(const io::RunOptions& options) {
  auto loaded = load(options);
  if (!loaded) return loaded.error();
  const auto& [program, machine] = *loaded;
  const auto result = sim_chip::simulate_timing(program, machine);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&result)) return fault_error(options, *fault);
  if (const auto fault = sim_chip::prove_order(program, machine)) return fault_error(options, *fault);
  const auto& timing = std::get<Timing>(result);
  io::Json json = {{"schema", "nestor.chip-simulation/1"},
                   {"verb", "simulate"},
                   {"space", "chip"},
                   {"machine", machine.name},
                   {"cycles", timing.cycles},
                   {"peak_crossbars", timing.peak_crossbars},
                   {"order_proved", true},
                   {"segments", timing_json(program, timing)}};
  if (prints_tables(options)) {
    print_timing(program, timing);
    print("no result depends on an order that the program leaves open\n");
  }
  if (options.functional) {
    const auto executed = sim_chip::execute(program, machine);
    if (const auto* fault = std::get_if<sim_chip::Fault>(&executed)) return fault_error(options, *fault);
    json["tensors"] = numbers_json(program, std::get<sim_chip::Execution>(executed), prints_tables(options));
  }
  if (auto failed = write_json_output(options, json)) return *failed;
  return Outcome::solved;
}

io::Result<Shown> show_program(const std::string& path, const io::RunOptions& options) {
  const auto bytes = io::read_file(path);
  if (!bytes) return bytes.error();
  const auto program = io::parse_program(*bytes, path);
  if (!program) return program.error();
  if (!options.output.empty()) {
    const bool to_text = io::is_binary_program(*bytes);
    if (auto failed =
            io::write_file(options.output, to_text ? io::to_text(*program) : io::to_binary(*program)))
      return *failed;
  }
  io::Json json = {{"kind", "chip-program"}, {"machine", program->machine}, {"text", io::to_text(*program)}};
  return Shown{io::to_text(*program), std::move(json)};
}

}  // namespace nestor::app::chip_space
