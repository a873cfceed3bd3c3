#include "app/chip/compiled.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/onnx_chip/import.h"
#include "model/chip_program/work_out.h"

namespace nestor::app::chip_space {
namespace {

io::Error refusal(const std::string& file, const chip::Refusal& refused) {
  io::Error error = io::input_error({file}, refused.message);
  error.kind = io::ErrorKind::infeasible;
  return error;
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

io::Result<CompiledNetwork> read_result(const std::string& path, io::Json* claims) {
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
  CompiledNetwork compiled;
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

}  // namespace nestor::app::chip_space
