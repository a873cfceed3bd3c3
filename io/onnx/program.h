// Conversion of operators to a program. Every operator of a graph with known shapes becomes an operation: a
// kernel (program_kernels.h) or host-only work. Views are other names of their inputs.
#pragma once

#include "io/onnx/graph.h"
#include "io/onnx/program_kernels.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io::onnx_import {

Result<cnm::KernelProgram> extract_program(Graph& graph, const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
