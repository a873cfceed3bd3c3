// Results for programs of several operations, as JSON (key `offload`) and as tables. A result of map places
// the operations on one or more systems; a result of estimate or evaluate has one system.
#pragma once

#include <string>

#include "io/options.h"
#include "mapper/cnm/offload.h"
#include "report/cnm/kernel_record.h"
#include "report/results/result_head.h"

namespace nestor::report {

/// An operation with its mapping on the system where it runs.
struct PlacedKernel {
  std::size_t system = 0;  ///< index of the run's system
  KernelTask task;         ///< task named after the operation
  cnm::KernelEstimate estimate;
};

struct OffloadRun {
  io::Verb verb = io::Verb::map;
  std::vector<cnm::System> systems;
  cnm::OffloadProblem problem;
  cnm::OffloadResult result;
  std::vector<std::string> left_open;  ///< operations whose mapping is not proved optimal
  std::vector<PlacedKernel> kernels;   ///< operations with a mapping, in the order of the program
};

/// Estimates an operation's kernel under its mapping on a system of the run.
PlacedKernel placed_kernel(const OffloadRun& run, std::size_t system, const std::string& operation,
                           cnm::Kernel kernel, cnm::CnmMapping mapping);

void describe_program_result(io::Fields& fields, io::ResultHead& head, const OffloadRun& run);
io::Json offload_json(const OffloadRun& run, const io::RunOptions& options);
std::string offload_text(const OffloadRun& run);

/// True if the result has the key `offload`.
bool is_offload_result(const io::Json& claims);

}  // namespace nestor::report
