// Work of the verbs of the cnm space: kernels in any of their languages, read as far as possible
// without a mapping, each with its mapping, and the system.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/cnm/kernel_file.h"
#include "io/cnm/kernel_library.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::report {

using io::KernelInput;
using io::shipped_library;

struct KernelTask {
  std::string name;
  Int repeat = 1;
  Int macs = 0;  ///< of a layer, repeats counted
  KernelInput input;
  cnm::CnmMapping mapping;  ///< of `input.kernel`; empty: none was found
};

/// A layer of a network that no kernel of the system computes.
struct LeftOutLayer {
  std::string name;
  std::string why;
  Int macs = 0;  ///< 0: not known
};

struct KernelWork {
  cnm::System system;
  std::string network;  ///< empty: one kernel
  std::vector<KernelTask> tasks;
  std::vector<LeftOutLayer> left_out;
};

/// Multiplications of a network, and those of layers that are mapped.
struct NetworkWork {
  Int macs = 0;
  Int mapped_macs = 0;
  Int layers = 0;  ///< that multiply, and those that are mapped without
  Int mapped_layers = 0;
};
NetworkWork work_of_network(const KernelWork& work, const std::vector<bool>& mapped);
/// As "87.3 % of the multiplications, 3 of 4 layers".
std::string share_text(const NetworkWork& share);

/// What one unit runs under a map: a tasklet's program or a channel's stream; `fault` says why not.
struct UnitProgram {
  std::optional<cnm::Program> program;
  Int tasklets = 1;
  std::optional<cnm::Stream> stream;
  std::string fault;
};
/// One for each map, in the order in which they run.
std::vector<UnitProgram> unit_programs(const KernelTask& task, const cnm::System& system);

/// `estimate` of one task; a refusal says which rule it breaks.
struct TaskEstimate {
  cnm::KernelEstimate estimate;
  int line = 0;  ///< of the source, where it is to blame for a refusal
  int column = 0;
};
TaskEstimate estimate_task(const KernelTask& task, const cnm::System& system);

}  // namespace nestor::report
