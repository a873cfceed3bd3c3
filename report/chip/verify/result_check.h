// Check of all claims in a result of `nestor compile`. Decisions and every figure are checked against the
// contract of the chip space (check/chip/contract.h). Times are compared with an execution of the program
// that implements the decisions. Words and keys are checked one by one, and inputs if they are available.
// Claims that only a new search can confirm are listed.
#pragma once

#include <functional>

#include "io/options.h"
#include "report/results/chip/compiled_file.h"
#include "report/verify/result_check.h"

namespace nestor::io {

/// The entry of `not_checked` that a new search or a proof can resolve.
inline constexpr std::string_view unproved_compilation = "status, lower_bound (optimality not checked)";

/// Functions that read an input in the same way as the run that wrote the result, from its name and the run's
/// options.
struct CompileInputs {
  std::function<Result<chip::ChipMachine>(const std::string& name, const RunOptions& options)> machine;
  /// Returns the network after splitting.
  std::function<Result<chip::ChipNetwork>(const std::string& name, const chip::ChipMachine& machine,
                                          const RunOptions& options)>
      network;
};

/// The findings, and the data that a comparison with a new search requires.
struct CompileCheck : ResultCheck {
  CompiledNetwork compiled;
  RunOptions options;  ///< options of the run that wrote the result
  double lower_bound = 0;
};

/// Checks `text`, the content of `file`. Returns an error if it cannot be read as a result of compile.
Result<CompileCheck> check_compile_result(std::string_view text, const std::string& file,
                                          const CompileInputs& inputs);

}  // namespace nestor::io
