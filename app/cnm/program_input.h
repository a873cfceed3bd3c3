// Inputs of the verbs of the cnm space for programs of several operations: the program, the systems of --arch
// and given times.
#pragma once

#include <optional>
#include <vector>

#include "io/options.h"
#include "mapper/cnm/convolution.h"
#include "model/cnm/kernel_program.h"
#include "model/cnm/system.h"

namespace nestor::app::cnm_space {

/// True if the input is MLIR with several operations or a program in JSON. Standard input is MLIR.
bool is_program(const io::RunOptions& options);

/// Refuses options that only programs take.
io::MaybeError refuse_program_options(const io::RunOptions& options);

/// Reads the systems of --arch with --set. A setting that begins with the name of a system applies to that
/// system. Other settings apply to every system that has the value.
io::Result<std::vector<cnm::System>> read_systems(const io::RunOptions& options);

io::Result<cnm::KernelProgram> read_program(const io::RunOptions& options);

/// Reads the rows of --times: given times of operations on systems, which then need no search.
io::MaybeError read_times(const io::RunOptions& options, const std::vector<cnm::System>& systems,
                          cnm::KernelProgram& program);

/// The kernel of an operation as a system runs it.
struct SystemKernel {
  cnm::Kernel kernel;
  std::optional<cnm::ConvolutionProduct> product;  ///< the matrix product of a convolution
};

/// The operation must have a kernel.
SystemKernel kernel_on(const cnm::ProgramOperation& operation, const cnm::System& system,
                       const io::RunOptions& options);

}  // namespace nestor::app::cnm_space
