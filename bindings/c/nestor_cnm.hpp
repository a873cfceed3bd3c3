// SPDX-License-Identifier: Apache-2.0
// Estimates of compute-near-memory kernels for C++17. The inputs are strings: MLIR, a system (a name, a path
// or YAML) and a mapping. Header only, based on the C interface of nestor_files.h. No state is kept between
// calls, so threads may call estimate_text() concurrently.
//
//     const auto estimate = nestor::cnm::estimate_text(mlir, "upmem", "{(1,1),(64,1),(16,1),(1,64)}");
//     if (!estimate) std::cerr << estimate.error << '\n';
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nestor_files.h"

namespace nestor::cnm {

/// A cause of cycles and its share of all cycles.
struct TextCause {
  std::string name;
  double share = 0;
};

struct TextEstimate {
  std::string error;  ///< message about the first unreadable input, or about the rule that the mapping
                      ///< violates
  double time_ms = 0;
  double cycles = 0;
  double launch_ms = 0, reduce_ms = 0, transfer_ms = 0;  ///< the host's part of the time
  std::vector<TextCause> causes;
  explicit operator bool() const { return error.empty(); }
};

inline TextEstimate estimate_text(std::string_view mlir, std::string_view system, std::string_view mapping) {
  TextEstimate estimate;
  nestor_cnm_result result;
  char message[512] = "";
  const nestor_status status =
      nestor_cnm_estimate(std::string(mlir).c_str(), std::string(system).c_str(),
                          std::string(mapping).c_str(), &result, message, sizeof message);
  if (status != NESTOR_RUNNING) {
    estimate.error = message[0] != '\0' ? message : nestor_status_text(status);
    return estimate;
  }
  estimate.time_ms = result.time_ms;
  estimate.cycles = result.cycles;
  estimate.launch_ms = result.launch_ms;
  estimate.reduce_ms = result.reduce_ms;
  estimate.transfer_ms = result.transfer_ms;
  for (std::size_t i = 0; i < result.causes; ++i)
    estimate.causes.push_back({result.cause[i].name, result.cause[i].share});
  return estimate;
}

}  // namespace nestor::cnm
