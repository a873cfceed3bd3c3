// Fuzzer for the MLIR reader. A text is either rejected or parsed to programs whose kernels are unchanged
// after printing and reading them again.
#include <cstdlib>

#include "io/cnm/mlir.h"
#include "io/cnm/program_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = parse_mlir_programs({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  for (const auto& program : read->programs) {
    if (to_json(program)["ops"].size() != program.operations.size()) std::abort();
    for (const auto& operation : program.operations) {
      if (!operation.kernel) continue;
      const auto text = to_mlir(*operation.kernel);
      const auto again = parse_mlir(text, "again");
      if (!again || to_mlir(*again) != text) std::abort();
    }
  }
  return 0;
}
