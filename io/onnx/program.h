// Conversion of operators to a program. Operators of a graph with known shapes become operations: kernels
// (program_kernels.h) or host-only work. Views become other names of their inputs, and operators on constants
// are omitted.
#pragma once

#include "io/onnx/graph.h"
#include "io/onnx/program_kernels.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io::onnx_import {

Result<cnm::KernelProgram> extract_program(Graph& graph, const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
