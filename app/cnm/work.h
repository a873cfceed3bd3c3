// What the verbs of the cnm space do their work on: a system and one kernel or the layers of a network, each
// with its mapping; from --arch and an input, or from a result file, which has all of them.
#pragma once

#include "app/cnm/kernel_input.h"

namespace nestor::app::cnm_space {

struct Task {
  std::string name;
  Int repeat = 1;
  KernelInput input;
  cnm::Mapping mapping;  ///< of `input.kernel`; empty: none was found
};

/// A layer of a network that no kernel of the system computes.
struct LeftOut {
  std::string name;
  std::string why;
};

struct Work {
  cnm::System system;
  std::string network;  ///< empty: one kernel
  std::vector<Task> tasks;
  std::vector<LeftOut> left_out;
};

io::Result<Work> read_work(const io::RunOptions& options);

/// Kernels without mappings, or a network's layers that the system can run.
io::Result<Work> read_kernels(const io::RunOptions& options);

/// Whether an input is a result of this space.
bool is_result(const std::string& path);

/// `estimate` of one task; a refusal says which rule it breaks.
struct TaskEstimate {
  cnm::KernelEstimate estimate;
  int line = 0;  ///< of the source, where it is to blame for a refusal
  int column = 0;
};
TaskEstimate estimate_task(const Task& task, const cnm::System& system);

/// What one unit runs under a map: a tasklet's program or a channel's stream; `fault` says why not.
struct UnitProgram {
  std::optional<cnm::Program> program;
  Int tasklets = 1;
  std::optional<cnm::Stream> stream;
  std::string fault;
};
/// One for each map, in the order in which they run.
std::vector<UnitProgram> unit_programs(const Task& task, const cnm::System& system);

/// The maps of an estimate as every result has them.
io::Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system);

}  // namespace nestor::app::cnm_space
