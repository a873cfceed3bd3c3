#include "app/chip/compiled.h"

#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/onnx/chip/import.h"
#include "mapper/chip/compile_network.h"
#include "model/chip/evaluate.h"
#include "model/chip/program/infer_functions.h"
#include "model/chip/split.h"
#include "report/results/result_parts.h"

namespace nestor::app::chip_space {

io::Error refusal(const std::string& file, const chip::ChipRefusal& refused) {
  io::Error error = io::input_error({file}, refused.message);
  if (!refused.lacks_function) error.kind = io::ErrorKind::infeasible;
  return error;
}

io::Result<chip::ChipMachine> read_machine(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error("missing --arch CHIP (`nestor show --list` lists built-in machines)");
  auto machine = io::read_chip_machine(options.arch, options.settings);
  if (machine && options.chip_mode) machine->mode = *options.chip_mode;
  return machine;
}

io::Result<chip::ChipNetwork> read_whole_network(const std::string& path_or_name,
                                                 const chip::ChipMachine& machine,
                                                 const io::RunOptions& options) {
  io::OnnxOptions onnx;
  for (const auto& [name, value] : options.dims) onnx.dims.push_back({name, value});
  onnx.unknown = options.unknown_operations;
  auto network = io::read_chip_workload(path_or_name, machine, onnx);
  if (!network) return network;
  // This check must precede all computations with sizes.
  if (const auto refused = chip::admit(machine, *network)) return refusal(path_or_name, *refused);
  chip_program::infer_functions(*network);
  return network;
}

io::Result<chip::ChipNetwork> fit_network(const std::string& file, const chip::ChipMachine& machine,
                                          chip::ChipNetwork whole) {
  auto fitted = chip::fit(machine, std::move(whole));
  if (const auto* const refused = std::get_if<chip::ChipRefusal>(&fitted)) return refusal(file, *refused);
  return std::move(std::get<chip::ChipNetwork>(fitted));
}

io::Result<chip::ChipNetwork> read_network(const std::string& path_or_name, const chip::ChipMachine& machine,
                                           const io::RunOptions& options) {
  auto network = read_whole_network(path_or_name, machine, options);
  if (!network) return network;
  return fit_network(path_or_name, machine, std::move(*network));
}

io::Result<CompiledNetwork> read_result(const std::string& path) {
  const auto document = io::Document::read(path, io::result_limits);
  if (!document) return document.error();
  auto compiled = io::read_compiled(*document, path);
  if (!compiled) return compiled;
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  if (const auto violation = chip::find_violation(problem, compiled->decisions))
    return io::input_error(document->root().find("decisions")->where(), violation->message);
  return compiled;
}

}  // namespace nestor::app::chip_space
