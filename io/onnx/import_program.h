// Import of ONNX models as programs of operations with their values (docs/models/cnm.md, "Networks as
// programs"). In a build without ONNX, the functions return a usage error, as import_onnx does.
#pragma once

#include "io/onnx/import.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

/// Reads a model as a program, named after the file (without .onnx). The elements have the types of the file
/// or the widths of `options`; if `elements` is given, all have this type.
Result<cnm::KernelProgram> import_onnx_program(const std::filesystem::path& path, const OnnxOptions& options,
                                               std::optional<cnm::Type> elements);
Result<cnm::KernelProgram> import_onnx_program_bytes(std::string_view bytes, const std::string& file,
                                                     const OnnxOptions& options,
                                                     std::optional<cnm::Type> elements);

}  // namespace nestor::io
