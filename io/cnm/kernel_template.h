// The built-in kernels: llvcnm files with parameters, data/cnm/kernels/NAME.llvcnm. `$(expression$)` stands
// for a whole number, worked out from the kernel's dimensions (n, s, it, cols, N, T), `$t` for the element
// type; what follows `$if(expression$)` on its line is left out where the expression is 0. The result is
// plain llvcnm.
#pragma once

#include <string>

#include "base/tables/hash_table.h"
#include "io/error.h"
#include "model/cnm/listing.h"

namespace nestor::io {

/// Dimensions as a table of measurements names them.
struct KernelDims {
  cnm::Type type = cnm::Type::i32;
  Int tasklets = 1;
  Int iterations = 1;
  Int cols = 0;
  Int buffer_elems = 1;
};

/// A data type as tables write it ("uint32", "float") or as kernels do ("i32").
Result<cnm::Type> data_type_named(std::string_view word);

/// The listing of one tasklet; an unknown kernel is answered with the nearest that ships.
Result<cnm::Listing> built_in_kernel(const std::string& name, const KernelDims& dims);

/// The dimensions that --dims gives a built-in kernel, as "iterations=N,buffer_elems=N,tasklets=T".
std::string dims_of_kernel(const std::string& name);

/// Whether a built-in kernel has this name ("gemm_n16" has, "gemm.mlir" has not).
bool is_built_in_kernel(const std::string& name);

/// The template with every `$` replaced.
Result<std::string> fill_template(std::string_view text, const std::string& file,
                                  const HashMap<std::string, Int>& values, std::string_view type);

}  // namespace nestor::io
