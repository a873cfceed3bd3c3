#include "app/chip/programs.h"

#include <fmt/format.h>

#include <filesystem>

#include "io/chip/machine_file.h"
#include "io/chip/program/program_file.h"
#include "io/chip/program/weights_file.h"
#include "io/output_file.h"
#include "model/chip/program/generate.h"
#include "report/chip/program_run.h"
#include "report/chip/schedule_picture.h"

namespace nestor::app::chip_space {
namespace {

// Writes a program. The text form has its weights in a second file.
io::MaybeError write_program(const std::string& path, const chip_program::Program& program) {
  if (path.ends_with(".bin")) return io::write_somewhere(path, io::to_binary(program));
  if (program.numbers) {
    const auto beside = std::filesystem::path(path).parent_path() / program.weights;
    if (auto error = io::write_somewhere(beside, io::weights_bytes(program))) return error;
  }
  return io::write_somewhere(path, io::to_text(program));
}

}  // namespace

bool is_program(std::string_view /*path*/, std::string_view head) {
  return head.starts_with("nestor-chip ") || io::is_binary_program(head);
}

io::Result<chip::ChipMachine> machine_of(const chip_program::Program& program,
                                         const io::RunOptions& options) {
  auto machine =
      io::read_chip_machine(options.arch.empty() ? program.machine : options.arch, options.settings);
  if (!machine) return machine;
  if (machine->name != program.machine)
    return io::usage_error(fmt::format("--arch is {}, but the program is for {}", io::quote(machine->name),
                                       io::quote(program.machine)));
  machine->mode = program.mode;
  return machine;
}

chip_program::Program program_of(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation,
                                 bool blocks) {
  const auto problem = chip::make_problem(compiled.machine, compiled.network);
  return chip_program::generate(problem, compiled.decisions, evaluation, {.blocks = blocks});
}

io::MaybeError write_output(const io::RunOptions& options, const CompiledNetwork& compiled,
                            const chip::ChipEvaluation& evaluation,
                            std::shared_ptr<const chip_program::ProgramNumbers> numbers) {
  if (options.output.empty()) return std::nullopt;
  if (!options.output.ends_with(".svg")) {
    auto program = program_of(compiled, evaluation, true);
    if (numbers) program.weights = std::filesystem::path(options.output).filename().string() + ".weights";
    program.numbers = std::move(numbers);
    return write_program(options.output, program);
  }
  const auto problem = chip::make_problem(compiled.machine, compiled.network);
  return io::write_somewhere(options.output, report::schedule_picture(problem, compiled.decisions));
}

io::Result<Shown> show_program(const std::string& path, const io::RunOptions& options) {
  const auto program = io::read_program(path);
  if (!program) return program.error();
  if (options.output.ends_with(".svg"))
    return io::usage_error("--output FILE.svg requires a result, but a program is shown");
  if (!options.output.empty())
    if (auto error = write_program(options.output, *program)) return *error;
  const auto text = io::to_text(*program);
  return Shown{text, report::program_json(text), {.takes_output = true}};
}

}  // namespace nestor::app::chip_space
