// Time of an operation of a program on the host: the time of its arithmetic or of its memory, whichever
// is longer.
#pragma once

#include "model/cnm/kernel_program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// In milliseconds. The system is of target host; the operation is a kernel or a pad.
double host_time_ms(const KernelProgram& program, const ProgramOperation& operation, const System& host);

}  // namespace nestor::cnm
