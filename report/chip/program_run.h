// Record of a program's execution, as text and JSON.
#pragma once

#include <optional>
#include <string>

#include "io/files.h"
#include "model/chip/evaluate.h"
#include "sim/chip/agreement.h"
#include "sim/chip/timing.h"

namespace nestor::report {

struct ProgramRun {
  std::string file;
  chip::ChipMachine machine;
  chip_program::Program program;
  std::optional<chip::ChipEvaluation> model;  ///< of a result
  sim::chip::Timing timing;
  std::optional<sim::chip::Execution> numbers;
  std::optional<Int> agreeing;       ///< elements that equal the reference
  std::string difference;            ///< the first that does not
  Int images = 0;                    ///< that the program ran on; 0: seeded elements
  std::optional<double> from_reals;  ///< largest difference of the output from the float graph's
};

/// "nestor.compile-simulation/1".
io::Json simulation_json(const ProgramRun& run);

std::string simulation_text(const ProgramRun& run);

/// A program as its text, "nestor.chip-program/1".
io::Json program_json(const std::string& text);

}  // namespace nestor::report
