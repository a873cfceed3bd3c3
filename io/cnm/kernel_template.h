// The built-in kernels: llvcnm files with parameters (data/cnm/kernels/NAME.llvcnm). `$(expression$)` is
// replaced by an integer computed from the kernel's dimensions and element type (n, s, it, cols, N, T, wide),
// and `$t` by the element type. If the expression of `$if(expression$)` is 0, the rest of its line is
// omitted. The result is plain llvcnm.
#pragma once

#include <string>

#include "base/tables/hash_table.h"
#include "io/error.h"
#include "model/cnm/listing.h"

namespace nestor::io {

/// Dimensions of a kernel, as in a table of measurements.
struct KernelDims {
  cnm::Type type = cnm::Type::i32;
  Int tasklets = 1;
  Int iterations = 1;
  Int cols = 0;
  Int buffer_elems = 1;
};

/// Parses a data type as spelled in tables ("uint32", "float") or in kernels ("i32").
Result<cnm::Type> data_type_named(std::string_view word);

/// Returns the listing of one tasklet. The error for an unknown kernel suggests the nearest name.
Result<cnm::Listing> built_in_kernel(const std::string& name, const KernelDims& dims);

/// Returns the dimensions of a built-in kernel in the form of --dims:
/// "iterations=N,buffer_elems=N,tasklets=T".
std::string dims_of_kernel(const std::string& name);

/// True if a built-in kernel has this name ("gemm_n16", but not "gemm.mlir").
bool is_built_in_kernel(const std::string& name);

/// Returns the template with every `$` expression replaced.
Result<std::string> fill_template(std::string_view text, const std::string& file,
                                  const HashMap<std::string, Int>& values, std::string_view type);

}  // namespace nestor::io
