// Fuzzer for the schedule reader. A text is either rejected or parsed to a schedule of a small adder, whose
// contract is computed without a crash.
#include "bench/netlists/generate.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_contract.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  static const simd::Netlist netlist = *bench::generate("adder", {.width = 2});
  const auto schedule = io::parse_schedule({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (schedule) report::contract_of(*schedule, netlist, netlist);
  return 0;
}
