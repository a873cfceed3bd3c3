// Kernels embedded in results, so that a result needs no other file. MLIR, llvcnm and streams are stored as
// text; programs from assembly are lists of items such as ["slots", 240] or ["loop", 16, [...]]. A kernel
// that is read back gives the same estimate. Reading a whole result yields the KernelWork of the run that
// wrote it.
#pragma once

#include <string>

#include "io/document.h"
#include "io/fields.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// The language of a kernel in a result; `program` is that of programs from assembly.
enum class SourceLanguage : std::uint8_t { mlir, llvcnm, stream, program };

/// The record of a kernel. Its language determines which of the other fields it has.
struct KernelSource {
  SourceLanguage language = SourceLanguage::stream;  ///< the language with the fewest fields
  Int multiply_k = cnm::default_multiply_k;
  Int tasklets = 1;
  std::string text;
  std::string name;
  cnm::Program program;
};
KernelSource source_of(const KernelInput& input, const cnm::System& system);
void describe_source(io::Fields& fields, KernelSource& source);
io::Json source_json(const KernelInput& input, const cnm::System& system);

/// A layer of a network without a kernel, in a result.
void describe_left_out(io::Fields& fields, LeftOutLayer& layer);

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system);

/// Reads one kernel of a result, with the mapping at `rank` in its list of best mappings; rank 1 is the best.
io::Result<KernelTask> read_kernel_entry(const io::Node& node, const cnm::System& system, Int rank = 1);

/// True if the input is a result file and not a kernel.
bool is_kernel_result(const std::string& path);

/// Reads the system, kernels and mappings of a result, without its figures.
io::Result<KernelWork> read_kernel_result(const std::string& path, Int rank = 1);

}  // namespace nestor::report
