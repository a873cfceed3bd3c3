#include "app/chip/compiled.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/onnx_chip/import.h"
#include "io/table.h"
#include "io/units.h"
#include "model/chip_program/work_out.h"

namespace nestor::app::chip_space {
namespace {

io::Error refusal(const std::string& file, const chip::Refusal& refused) {
  io::Error error = io::input_error({file}, refused.message);
  error.kind = io::ErrorKind::infeasible;
  return error;
}

std::string count(Int value) { return io::count_text(value); }

std::string segments_text(const Compiled& compiled, const chip::Evaluation& evaluation) {
  io::Table table({{"segment", io::Align::left},
                   {"to", io::Align::left},
                   {"runs", io::Align::left},
                   {"cycles"},
                   {"rewrite"},
                   {"schedule"},
                   {"spill"},
                   {"cores"},
                   {"crossbars"},
                   {"L0 bytes"}});
  for (const auto& segment : evaluation.segments)
    table.add_row({compiled.network.operators[segment.decision.first].name,
                   compiled.network.operators[segment.decision.last].name,
                   segment.decision.pipeline ? "pipelined" : "one by one", count(segment.latency_cycles),
                   count(segment.rewrite_cycles), count(segment.schedule_cycles), count(segment.spill_cycles),
                   count(segment.cores), count(segment.crossbars), count(segment.l0_bytes)});
  return table.to_string();
}

// When an operator runs within its segment, as a bar of a fixed width.
std::string bar(const chip::OperatorFigures& figures, Int schedule) {
  constexpr Int width = 40;
  const Int whole = std::max<Int>(1, schedule);
  const auto at = [&](Int time) { return std::clamp<Int>(time * width / whole, 0, width - 1); };
  std::string text(static_cast<std::size_t>(width), '.');
  for (Int i = at(figures.start); i <= at(figures.end); ++i) text[static_cast<std::size_t>(i)] = '#';
  return text;
}

std::string operators_text(const Compiled& compiled, const chip::Evaluation& evaluation) {
  io::Table table({{"operator", io::Align::left},
                   {"on", io::Align::left},
                   {"copies"},
                   {"parts"},
                   {"phases"},
                   {"cores"},
                   {"from"},
                   {"row cycles"},
                   {"rows at once"},
                   {"start"},
                   {"end"},
                   {"schedule", io::Align::left}});
  for (const auto& segment : evaluation.segments) {
    for (std::size_t i = segment.decision.first; i <= segment.decision.last; ++i) {
      const auto& figures = evaluation.operators[i];
      const bool array = figures.on_array;
      table.add_row({compiled.network.operators[i].name, array ? "array" : "alu",
                     array ? count(figures.copies) : "", array ? count(figures.parts) : "",
                     array ? count(figures.phases) : "", array ? count(figures.cores) : "",
                     figures.first_core ? count(*figures.first_core) : "", count(figures.row_cycles),
                     count(figures.rows_at_once), count(figures.start), count(figures.end),
                     bar(figures, segment.schedule_cycles)});
    }
  }
  return table.to_string();
}

}  // namespace

io::Result<chip::Machine> read_machine(const io::RunOptions& options) {
  if (options.arch.empty()) return io::usage_error("--arch is missing: which chip?");
  auto machine = io::read_chip_machine(options.arch);
  if (!machine || options.chip_mode.empty()) return machine;
  const auto word = std::find(io::chip_mode_words.begin(), io::chip_mode_words.end(), options.chip_mode);
  if (word == io::chip_mode_words.end())
    return io::usage_error(
        fmt::format("--mode is '{}', expected {}", options.chip_mode, io::join_words(io::chip_mode_words)));
  machine->mode = static_cast<chip::Mode>(word - io::chip_mode_words.begin());
  return machine;
}

io::Result<chip::Network> read_whole_network(const std::string& path_or_name, const chip::Machine& machine,
                                             const io::RunOptions& options) {
  io::OnnxOptions onnx;
  for (const auto& [name, value] : options.dims) onnx.dims.push_back({name, value});
  auto network = io::read_chip_workload(path_or_name, machine, onnx);
  if (!network) return network;
  // Before anything computes with sizes.
  if (const auto refused = chip::admit(machine, *network)) return refusal(path_or_name, *refused);
  chip_program::work_out_functions(*network);
  return network;
}

io::Result<chip::Network> read_network(const std::string& path_or_name, const chip::Machine& machine,
                                       const io::RunOptions& options) {
  auto network = read_whole_network(path_or_name, machine, options);
  if (!network) return network;
  const auto refuse = [&](const chip::Refusal& refused) { return refusal(path_or_name, refused); };
  // Pieces are wider than what they are cut from.
  if (const auto refused = chip::split(machine, *network)) return refuse(*refused);
  if (const auto refused = chip::admit(machine, *network)) return refuse(*refused);
  return network;
}

io::Result<Compiled> read_result(const std::string& path, io::Json* claims) {
  const auto document = io::Document::read(path);
  if (!document) return document.error();
  io::Reading reading;
  const io::Node root = document->root();
  const auto part = [&](std::string_view key) {
    const auto node = root.is_map() ? root.find(key) : std::nullopt;
    if (!node) reading.fail(root, fmt::format("no '{}'; expected a result of compile", key));
    return node;
  };
  const auto architecture = part("architecture");
  const auto network = part("network");
  const auto decisions = part("decisions");
  if (reading.failed()) return reading.error();
  Compiled compiled;
  compiled.machine = io::read_chip_machine_node(*architecture, reading);
  compiled.network = io::read_chip_network_node(*network, reading);
  if (reading.failed()) return reading.error();
  if (const auto refused = chip::admit(compiled.machine, compiled.network))
    return io::input_error({path}, refused->message);
  compiled.decisions =
      io::read_chip_decisions_node(*decisions, compiled.network, compiled.machine.mode, reading);
  if (reading.failed()) return reading.error();
  const auto problem = chip::make_problem(compiled.machine, compiled.network);
  if (const auto violation = chip::find_violation(problem, compiled.decisions))
    return io::input_error(decisions->where(), violation->message);
  if (claims != nullptr) {
    // The document was parsed above, so the text is JSON that can be parsed again.
    const auto text = io::read_file(path);
    if (!text) return text.error();
    *claims = io::Json::parse(*text, nullptr, false);
    if (claims->is_discarded()) return io::input_error({path}, "expected a result of compile, in JSON");
  }
  return compiled;
}

std::string compiled_text(const Compiled& compiled, const chip::Evaluation& evaluation) {
  std::string text = operators_text(compiled, evaluation) + "\n" + segments_text(compiled, evaluation);
  text += fmt::format(
      "\nlatency {} cycles, energy {:.6g} pJ, peak {:.6g} pJ per cycle, {} crossbars at once, {} cores\n",
      count(evaluation.latency_cycles), evaluation.energy_pj, evaluation.peak_power,
      count(evaluation.peak_crossbars), count(evaluation.cores));
  if (compiled.machine.clock > 0)
    text += fmt::format("at {:.4g} MHz: {:.4g} ms, {:.4g} W at the peak\n", compiled.machine.clock / 1e6,
                        static_cast<double>(evaluation.latency_cycles) / compiled.machine.clock * 1e3,
                        evaluation.peak_power * compiled.machine.clock * 1e-12);
  return text;
}

}  // namespace nestor::app::chip_space
