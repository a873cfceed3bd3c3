// Fuzzer for the schedule reader. A text is either rejected or parsed to a schedule of a small adder, whose
// verification does not crash. A schedule that passes verification also passes after printing and reading it
// again.
#include <cstdlib>

#include "bench/netlists/generate.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "report/results/simd/schedule_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  static const simd::Netlist netlist = *bench::generate("adder", {.width = 2});
  const auto text = io::parse_schedule({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!text) return 0;
  const auto schedule = io::resolve_schedule(*text, netlist, "fuzz");
  if (!schedule) return 0;
  const auto verdict = simd::verify_schedule(netlist, netlist, *schedule);
  if (verdict.fault) {
    io::line_of(*text, *verdict.fault, netlist);
    return 0;
  }
  const auto printed = io::to_text(*schedule, netlist);
  const auto again = io::resolve_schedule(*io::parse_schedule(printed, "again"), netlist, "again");
  if (!again || simd::verify_schedule(netlist, netlist, *again).fault) std::abort();
  return 0;
}
