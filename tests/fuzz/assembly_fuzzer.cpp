// Fuzzer for the assembly reader. For every text, the reader returns a DPU program or an error, without a
// crash or a hang.
#include "io/cnm/assembly.h"
#include "io/cnm/system_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  static const auto upmem = read_cnm_system("upmem", {});
  AssemblyFacts facts;
  facts.arguments = {128, 16, 65536};
  static_cast<void>(read_assembly({reinterpret_cast<const char*>(data), size}, "fuzz", facts, *upmem));
  return 0;
}
