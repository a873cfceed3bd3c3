#include "io/cnm/kernel_file.h"

#include <fmt/format.h>

#include <array>

#include "io/cnm/cnm_ir.h"
#include "io/cnm/kernel_options.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/stream_text.h"
#include "io/files.h"
#include "model/cnm/lower.h"

namespace nestor::io {
namespace {

constexpr std::uintmax_t largest_kernel = std::uintmax_t{16} << 20;

}  // namespace

bool is_kernel_file(const std::string& path) {
  for (const char* const ending : {".mlir", ".cnm", ".llvcnm", ".s"})
    if (path.ends_with(ending)) return true;
  return false;
}

Result<KernelInput> read_kernel_file(const std::string& path, const RunOptions& options,
                                     const cnm::System& system) {
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  const auto text = read_file(path, largest_kernel);
  if (!text) return text.error();
  KernelInput input;
  input.name = input.file = path;
  input.tasklets = options.tasklets;
  if (ends(".mlir") || path == "-") {
    auto read = parse_mlir_programs(*text, path, {options.shapes, options.function});
    if (!read) return read.error();
    auto kernel = single_kernel(std::move(*read));
    if (!kernel) return kernel.error();
    input.kernel = std::move(*kernel);
    input.name = input.kernel->name;
    // The values of the built-in histogram have 9 bits, so k is 8.
    if (input.kernel->library_call == "hst") input.kernel->multiply_k = 8;
    if (auto error = read_multiply_k(options, input.kernel->multiply_k)) return *error;
  } else if (ends(".cnm")) {
    auto kernel = parse_cnm_ir(*text, path);
    if (!kernel) return kernel.error();
    input.ir = std::move(*kernel);
    input.name = input.ir->name;
    Int k = cnm::default_multiply_k;
    if (auto error = read_multiply_k(options, k)) return *error;
    auto lowered = cnm::lower_to_listing(*input.ir, k);
    if (!lowered.fault.empty()) return input_error({path}, lowered.fault);
    input.listing = std::move(lowered.value);
  } else if (ends(".s")) {
    AssemblyFacts facts;
    if (auto error = read_assembly_facts(options, facts)) return *error;
    auto kernel = read_assembly(*text, path, facts, system);
    if (!kernel) return kernel.error();
    input.program = std::move(kernel->program);
    input.warnings = std::move(kernel->warnings);
    input.name = std::move(kernel->name);
  } else if (system.target == cnm::Target::hbm_pim) {
    auto stream = parse_stream(*text, path, system);
    if (!stream) return stream.error();
    input.stream = std::move(stream->stream);
    input.name = stream->name;
  } else {
    auto listing = parse_llvcnm(*text, path);
    if (!listing) return listing.error();
    input.listing = std::move(*listing);
    input.name = input.listing->name;
  }
  if (input.listing && !ends(".cnm"))
    if (auto error = read_multiply_k(options, input.listing->multiply_k)) return *error;
  return input;
}

Result<MlirFile> read_mlir_file(const std::string& path, const RunOptions& options) {
  const auto text = read_file(path, largest_kernel);
  if (!text) return text.error();
  return parse_mlir_programs(*text, path, {options.shapes, options.function});
}

Result<KernelInput> read_shipped_kernel(const std::string& name, const RunOptions& options) {
  KernelInput input;
  input.name = input.file = name;
  KernelDims dims;
  dims.tasklets = options.tasklets;
  const std::array<NamedDim, 4> known = {{{"tasklets", &dims.tasklets},
                                          {"iterations", &dims.iterations},
                                          {"cols", &dims.cols},
                                          {"buffer_elems", &dims.buffer_elems}}};
  if (is_built_in_kernel(name) && options.kernel_dims.empty())
    return usage_error(fmt::format("missing --dims: {} takes {}", name, dims_of_kernel(name)));
  if (auto error = read_kernel_dims(options, known)) return *error;
  if (!options.data_type.empty()) {
    const auto type = data_type_named(options.data_type);
    if (!type) return usage_error("--dtype: " + type.error().message);
    dims.type = *type;
  }
  if (dims.buffer_elems < 1) return usage_error("--dims: expected buffer_elems from 1, found 0");
  auto listing = built_in_kernel(name, dims);
  if (!listing) return listing.error();
  input.listing = std::move(*listing);
  input.tasklets = dims.tasklets;
  if (auto error = read_multiply_k(options, input.listing->multiply_k)) return *error;
  return input;
}

}  // namespace nestor::io
