// From operators to a program: every operator of a graph whose shapes are known is an operation, a kernel
// (program_kernels.h) or something that only the host does; views are other names of their inputs.
#pragma once

#include "io/onnx/graph.h"
#include "io/onnx/program_kernels.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io::onnx_import {

Result<cnm::KernelProgram> extract_program(Graph& graph, const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
