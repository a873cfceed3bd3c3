// Work of the verbs of the cnm space: a system, and kernels in any supported language, each with its mapping.
// Only the parts of a kernel that do not depend on the mapping are read.
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
  Int macs = 0;  ///< multiplications of a layer, including repeats
  KernelInput input;
  cnm::CnmMapping mapping;  ///< mapping of `input.kernel`, or empty if none was found
};

/// A layer of a network that no kernel of the system computes.
struct LeftOutLayer {
  std::string name;
  std::string why;
  Int macs = 0;  ///< multiplications, or 0 if unknown
};

struct KernelWork {
  cnm::System system;
  std::string network;  ///< name of the network, or empty for a single kernel
  std::vector<KernelTask> tasks;
  std::vector<LeftOutLayer> left_out;
};

/// Multiplications of a network and of its mapped layers.
struct NetworkWork {
  Int macs = 0;
  Int mapped_macs = 0;
  Int layers = 0;  ///< layers that a kernel computes, and other layers that multiply
  Int mapped_layers = 0;
};
NetworkWork work_of_network(const KernelWork& work, const std::vector<bool>& mapped);
/// Returns a text such as "3 of 4 layers, 87.3 % of the multiplications".
std::string share_text(const NetworkWork& share);

/// The program that a map assigns to one unit: a program of tasklets, or the stream of a channel. `fault` is
/// the reason if there is neither.
struct UnitProgram {
  std::optional<cnm::Program> program;
  Int tasklets = 1;
  std::optional<cnm::Stream> stream;
  std::string fault;
};
/// Returns the program of each map, in the order of execution.
std::vector<UnitProgram> unit_programs(const KernelTask& task, const cnm::System& system);

/// The estimate of one task. A refusal names the broken rule.
struct TaskEstimate {
  cnm::KernelEstimate estimate;
  int line = 0;  ///< line of the source that causes a refusal
  int column = 0;
};
TaskEstimate estimate_task(const KernelTask& task, const cnm::System& system);

}  // namespace nestor::report
