// Record of the execution of a chip program, as text and JSON.
#pragma once

#include <optional>
#include <string>

#include "io/files.h"
#include "model/chip/evaluate.h"
#include "report/results/result_head.h"
#include "sim/chip/agreement.h"
#include "sim/chip/timing.h"

namespace nestor::report {

struct ProgramRun {
  std::string file;
  chip::ChipMachine machine;
  chip_program::Program program;
  std::optional<chip::ChipEvaluation> model;  ///< evaluation of a result's decisions
  sim::chip::Timing timing;
  std::optional<sim::chip::Execution> numbers;
  std::optional<Int> agreeing;       ///< number of elements that equal the reference
  std::string difference;            ///< the first element that differs
  Int images = 0;                    ///< number of images that the program ran on; 0: seeded elements
  std::optional<double> from_reals;  ///< largest difference from the output of the float graph
};

/// Returns the record as JSON.
io::Json simulation_json(io::ResultHead head, const ProgramRun& run);
io::Json simulation_schema();

std::string simulation_text(const ProgramRun& run);

/// Returns the text of a program as JSON, "nestor.chip-program/1".
io::Json program_json(const std::string& text);
io::Json program_schema();

}  // namespace nestor::report
