// Fuzzer for estimate --batch. The answer to any input line is a JSON object with either a time or an error.
#include <cstdlib>

#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "report/cnm/batch.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  static const auto system = io::read_cnm_system("upmem", {});
  static const auto kernel = io::parse_mlir(
      "func.func @f(%a: tensor<64x256xi32>, %x: tensor<256xi32>, %y: tensor<64xi32>) {\n%r = linalg.matvec "
      "ins(%a, %x : tensor<64x256xi32>, tensor<256xi32>) outs(%y : tensor<64xi32>) -> "
      "tensor<64xi32>\nreturn\n}",
      "kernel");
  if (!system || !kernel) std::abort();
  report::BatchEstimate batch(*kernel, *system);
  const auto answer = batch.answer({reinterpret_cast<const char*>(data), size}, 1);
  const auto read = io::Json::parse(answer, nullptr, false);
  if (!read.is_object() || read.contains("error") == read.contains("time_ms")) std::abort();
  return 0;
}
