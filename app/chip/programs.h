// Programs of compiled networks as the verbs of the chip space share them: read from files, made from
// decisions, written in the form that a file's name asks for.
#pragma once

#include <memory>
#include <string>

#include "app/chip/compiled.h"
#include "model/chip/evaluation.h"
#include "model/chip/program/numbers.h"
#include "model/chip/program/program.h"

namespace nestor::app::chip_space {

/// Whether a file is a program, by its first bytes.
bool is_program(std::string_view path, std::string_view head);

/// The machine that a program is for: --arch, or the one that ships under the program's own name.
io::Result<chip::ChipMachine> machine_of(const chip_program::Program& program, const io::RunOptions& options);

/// `blocks`: whole blocks where segments are not pipelined (docs/models/chip-program.md, "Time").
chip_program::Program program_of(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation,
                                 bool blocks);

/// To --output, if it is given: a picture of the schedule (.svg), or the program, with the weights of a model
/// in it or beside it.
io::MaybeError write_output(const io::RunOptions& options, const CompiledNetwork& compiled,
                            const chip::ChipEvaluation& evaluation,
                            std::shared_ptr<const chip_program::ProgramNumbers> numbers = nullptr);

/// A program as text; with --output also in the other form.
io::Result<Shown> show_program(const std::string& path, const io::RunOptions& options);

}  // namespace nestor::app::chip_space
