// Inputs of the cnm verbs for programs of several operations: the program, the systems listed in --arch, and
// the operation times given in --times.
#pragma once

#include <optional>
#include <vector>

#include "io/options.h"
#include "mapper/cnm/convolution.h"
#include "model/cnm/kernel_program.h"
#include "model/cnm/system.h"

namespace nestor::app::cnm_space {

/// True if the input is MLIR with several functions or operations, or a program in JSON. Standard input is
/// read as MLIR.
bool is_program(const io::RunOptions& options);

/// Refuses options that apply only to programs.
io::MaybeError refuse_program_options(const io::RunOptions& options);

/// Reads the systems listed in --arch and applies the settings of --set to them. A setting that begins with
/// the name of a system applies to that system. Other settings apply to every system that accepts them.
io::Result<std::vector<cnm::System>> read_systems(const io::RunOptions& options);

io::Result<cnm::KernelProgram> read_program(const io::RunOptions& options);

/// Reads the --times file, which lists times of operations on systems. An operation with a given time needs
/// no search.
io::MaybeError read_times(const io::RunOptions& options, const std::vector<cnm::System>& systems,
                          cnm::KernelProgram& program);

/// The kernel of an operation as a system runs it.
struct SystemKernel {
  cnm::Kernel kernel;
  std::optional<cnm::ConvolutionProduct> product;  ///< product that replaces a convolution
};

/// Returns the kernel of an operation in the form that the system runs. The operation must have a kernel.
SystemKernel kernel_on(const cnm::ProgramOperation& operation, const cnm::System& system,
                       const io::RunOptions& options);

}  // namespace nestor::app::cnm_space
