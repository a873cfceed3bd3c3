// Everything a result of `nestor compile` says, held against what can be known of it: decisions by the rules,
// every figure by the second reading of the chip model, times by a run of the program that follows from the
// decisions, words and keys one by one, inputs where they are at hand. What nobody can confirm without
// searching again is named.
#pragma once

#include <functional>

#include "io/options.h"
#include "report/results/chip/compiled_file.h"
#include "report/verify/result_check.h"

namespace nestor::io {

/// The entry of `not_checked` that a new search, or a proof, can do away with.
inline constexpr std::string_view unproved_compilation = "status, lower_bound (optimality not checked)";

/// Reads an input again as the run did that wrote the result, from its name and the run's options.
struct CompileInputs {
  std::function<Result<chip::ChipMachine>(const std::string& name, const RunOptions& options)> machine;
  /// After splitting.
  std::function<Result<chip::ChipNetwork>(const std::string& name, const chip::ChipMachine& machine,
                                          const RunOptions& options)>
      network;
};

/// What was found, and what a new search needs to hold the claims against.
struct CompileCheck : ResultCheck {
  CompiledNetwork compiled;
  RunOptions options;  ///< of the run that wrote the result
  double lower_bound = 0;
};

/// `text` is the content of `file`. An error if it cannot be read as a result of compile.
Result<CompileCheck> check_compile_result(std::string_view text, const std::string& file,
                                          const CompileInputs& inputs);

}  // namespace nestor::io
