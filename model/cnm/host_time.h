// Run time of one operation of a program on the host: the launch, and the maximum of the time of its
// arithmetic and the time of its memory accesses.
#pragma once

#include "model/cnm/kernel_program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Returns the time in milliseconds. The system must have target `host`. An operation without a kernel, such
/// as a pad, has no arithmetic.
double host_time_ms(const KernelProgram& program, const ProgramOperation& operation, const System& host);

}  // namespace nestor::cnm
