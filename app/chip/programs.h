// Programs of compiled networks for the verbs of the chip space: read from files, built from decisions, and
// written in the form that the file name selects.
#pragma once

#include <memory>
#include <string>

#include "app/chip/compiled.h"
#include "model/chip/evaluation.h"
#include "model/chip/program/numbers.h"
#include "model/chip/program/program.h"

namespace nestor::app::chip_space {

/// True if the file is a program, as determined by its first bytes.
bool is_program(std::string_view path, std::string_view head);

/// Returns the machine of a program: --arch, or the shipped machine that the program names.
io::Result<chip::ChipMachine> machine_of(const chip_program::Program& program, const io::RunOptions& options);

/// Returns the program of a compiled network. `blocks` selects whole blocks in segments that are not
/// pipelined (docs/models/chip-program.md, "Time").
chip_program::Program program_of(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation,
                                 bool blocks);

/// Writes to --output, if it is given: a picture of the schedule (.svg), or the program. If `numbers` is not
/// null, the weights are written to the same file (.bin) or to a second one.
io::MaybeError write_output(const io::RunOptions& options, const CompiledNetwork& compiled,
                            const chip::ChipEvaluation& evaluation,
                            std::shared_ptr<const chip_program::ProgramNumbers> numbers = nullptr);

/// Shows a program as text. With --output, also writes it in the form that the file name selects.
io::Result<Shown> show_program(const std::string& path, const io::RunOptions& options);

}  // namespace nestor::app::chip_space
