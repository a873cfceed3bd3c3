// nestor simulate for compiled networks: the program of a result, or one from a file, executed for its timing
// and, with --functional, on numbers.
#include <fmt/format.h>

#include <boost/dynamic_bitset.hpp>
#include "app/chip/chip.h"

#include "app/chip/programs.h"
#include "app/console.h"
#include "app/output.h"
#include "io/chip_program/program_file.h"
#include "io/chip_trace/chip_trace.h"
#include "io/digest.h"
#include "io/output_file.h"
#include "io/table.h"
#include "io/units.h"
#include "sim/chip/agreement.h"
#include "sim/chip/timing.h"

namespace nestor::app::chip_space {
namespace {

struct Execution {
  std::string file;
  chip::Machine machine;
  chip_program::Program program;
  std::optional<chip::Evaluation> model;  ///< of a result
  sim_chip::Timing timing;
  std::optional<sim_chip::Execution> numbers;
  std::optional<Int> agreeing;  ///< elements that equal the reference
  std::string difference;       ///< the first that does not
};

io::Result<Execution> read_execution(const io::RunOptions& options) {
  if (options.inputs.size() + static_cast<std::size_t>(!options.chip_program.empty()) != 1)
    return io::usage_error("expected one result of compile, or one program");
  Execution run;
  run.file = options.inputs.empty() ? options.chip_program : options.inputs.front();
  if (!options.chip_program.empty() || is_program(run.file, io::read_head(run.file, 64))) {
    auto program = io::read_program(run.file);
    if (!program) return program.error();
    auto machine = machine_of(*program, options);
    if (!machine) return machine.error();
    run.machine = std::move(*machine);
    run.program = std::move(*program);
    return run;
  }
  if (!options.arch.empty())
    return io::usage_error("--arch does not go with a result file, which has its own");
  auto compiled = read_result(run.file, nullptr);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  run.model = chip::evaluate(problem, compiled->decisions);
  run.program = program_of(*compiled, *run.model, false);
  run.machine = std::move(compiled->machine);
  return run;
}

io::Error fault_error(const Execution& run, const sim_chip::Fault& fault) {
  return io::input_error({run.file}, fault.message);
}

// What every operator makes; against the integer reference, where the network is given.
io::MaybeError run_numbers(Execution& run, const io::RunOptions& options) {
  auto numbers = sim_chip::execute(run.program, run.machine);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&numbers)) return fault_error(run, *fault);
  run.numbers = std::move(std::get<sim_chip::Execution>(numbers));
  if (options.chip_network.empty()) return std::nullopt;
  const auto whole = read_whole_network(options.chip_network, run.machine, options);
  if (!whole) return whole.error();
  const auto verdict = sim_chip::compare_with_reference(*whole, run.program, *run.numbers);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&verdict))
    run.difference = fault->message;
  else
    run.agreeing = std::get<Int>(verdict);
  return std::nullopt;
}

std::string bytes_of(const std::vector<Int>& values) {
  std::string bytes;
  for (const Int value : values)
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xFF);
  return bytes;
}

boost::dynamic_bitset<> read_by_others(const chip_program::Program& program) {
  boost::dynamic_bitset<> read(program.tensors.size());
  for (const auto& op : program.operators)
    for (const auto tensor : op.inputs) read[tensor] = true;
  return read;
}

// Values of what nobody reads, which is what the network is for; of the rest a digest.
io::Json tensors_json(const Execution& run) {
  const auto read = read_by_others(run.program);
  io::Json json = io::Json::array();
  for (std::size_t i = 0; i < run.program.operators.size(); ++i) {
    const auto& op = run.program.operators[i];
    const auto& tensor = run.program.tensors[op.output];
    const auto& values = run.numbers->results[i];
    io::Json entry = {{"name", tensor.name},   {"rows", tensor.rows},
                      {"width", tensor.width}, {"channels", tensor.channels},
                      {"bits", tensor.bits},   {"digest", io::digest(bytes_of(values))}};
    if (!read[op.output]) entry["values"] = values;
    json.push_back(std::move(entry));
  }
  return json;
}

io::Json segment_json(const Execution& run, const sim_chip::SegmentTime& segment) {
  io::Json json = {{"rewrite_cycles", segment.rewrite_cycles},
                   {"schedule_cycles", segment.schedule_cycles},
                   {"peak_crossbars", segment.peak_crossbars}};
  auto operators = io::Json::array();
  for (const auto& thread : segment.threads) {
    io::Json entry = {{"name", run.program.operators[thread.op].name}};
    if (!thread.rows.empty()) {
      entry["start"] = thread.rows.front().start;
      entry["first_row"] = thread.rows.front().end;
    }
    entry["end"] = thread.end;
    entry["active"] = thread.active;
    operators.push_back(std::move(entry));
  }
  json["operators"] = std::move(operators);
  return json;
}

io::Json simulation_json(const Execution& run) {
  io::Json json = {{"schema", "nestor.compile-simulation/1"},
                   {"version", NESTOR_VERSION},
                   {"verb", "simulate"},
                   {"space", "chip"},
                   {"machine", run.program.machine},
                   {"replay_cycles", run.timing.cycles},
                   {"peak_crossbars", run.timing.peak_crossbars}};
  if (run.model) json["model_cycles"] = run.model->latency_cycles;
  auto segments = io::Json::array();
  for (const auto& segment : run.timing.segments) segments.push_back(segment_json(run, segment));
  json["segments"] = std::move(segments);
  if (run.numbers) json["tensors"] = tensors_json(run);
  if (run.agreeing) json["equal_to_reference"] = *run.agreeing;
  if (!run.difference.empty()) json["difference"] = run.difference;
  return json;
}

void print_simulation(const Execution& run) {
  io::Table table({{"operator", io::Align::left},
                   {"segment"},
                   {"rows"},
                   {"start"},
                   {"first row"},
                   {"end"},
                   {"crossbars"}});
  for (std::size_t s = 0; s < run.timing.segments.size(); ++s)
    for (const auto& thread : run.timing.segments[s].threads) {
      const bool rows = !thread.rows.empty();
      table.add_row({run.program.operators[thread.op].name, io::count_text(static_cast<Int>(s)),
                     rows ? io::count_text(static_cast<Int>(thread.rows.size())) : "block",
                     rows ? io::count_text(thread.rows.front().start) : "",
                     rows ? io::count_text(thread.rows.front().end) : "", io::count_text(thread.end),
                     io::count_text(thread.active)});
    }
  print("{}\nreplayed on {}: {} cycles, {} crossbars at once\n", table.to_string(), run.program.machine,
        io::count_text(run.timing.cycles), io::count_text(run.timing.peak_crossbars));
  if (run.model) {
    Int spills = 0;
    for (const auto& segment : run.model->segments) spills += segment.spill_cycles;
    print("model: {} cycles, {} of them spilling, which no program does\n",
          io::count_text(run.model->latency_cycles), io::count_text(spills));
  }
  if (run.numbers) {
    const auto read = read_by_others(run.program);
    for (std::size_t i = 0; i < run.program.operators.size(); ++i)
      if (!read[run.program.operators[i].output])
        print("{}: {} elements, digest {}\n", run.program.operators[i].name,
              io::count_text(static_cast<Int>(run.numbers->results[i].size())),
              io::digest(bytes_of(run.numbers->results[i])));
  }
  if (run.agreeing) print("{} elements equal the reference\n", io::count_text(*run.agreeing));
  if (!run.difference.empty()) print("not as the reference: {}\n", run.difference);
}

io::MaybeError refuse_void(const io::RunOptions& options) {
  for (const auto* name : {"layers", "mapping", "bits", "batch", "layer", "plain"})
    if (options.is_given(name))
      return io::usage_error(fmt::format("--{} does not go with kind 'chip'", name));
  if (!options.chip_network.empty() && !options.functional)
    return io::usage_error("--network needs --functional");
  if (options.is_given("dim") && options.chip_network.empty())
    return io::usage_error("--dim needs --network");
  return std::nullopt;
}

}  // namespace

io::Result<Outcome> simulate(const io::RunOptions& options) {
  if (auto error = refuse_void(options)) return *error;
  auto run = read_execution(options);
  if (!run) return run.error();
  auto timing = sim_chip::simulate_timing(run->program, run->machine);
  if (const auto* fault = std::get_if<sim_chip::Fault>(&timing)) return fault_error(*run, *fault);
  run->timing = std::move(std::get<sim_chip::Timing>(timing));
  if (options.functional)
    if (auto error = run_numbers(*run, options)) return *error;
  if (prints_tables(options)) print_simulation(*run);
  if (!options.trace.empty()) {
    const auto trace = io::make_chip_trace(run->program, run->timing);
    if (!trace.complete)
      std::fputs("nestor: the trace is cut at its size limit; it holds the first events\n", stderr);
    if (auto error = io::write_json(options.trace, trace.json)) return *error;
  }
  if (auto error = write_json_output(options, simulation_json(*run))) return *error;
  return run->difference.empty() ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::chip_space
