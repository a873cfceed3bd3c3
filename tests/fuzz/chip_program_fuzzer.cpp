// Fuzzer for the readers of chip programs. The input is either rejected or parsed to a program that is
// unchanged after writing and reading it as text and as binary. The simulation of its timing, the check of
// its order and its execution on a small machine do not crash.
#include <cstdlib>

#include "io/chip/program/program_file.h"
#include "sim/chip/functional.h"
#include "sim/chip/order.h"
#include "sim/chip/timing.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  const auto program = io::parse_program({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!program) return 0;
  const auto text = io::to_text(*program);
  const auto again = io::parse_program(text, "again");
  if (!again || io::to_text(*again) != text) std::abort();
  const auto binary = io::to_binary(*program);
  const auto read = io::parse_program(binary, "again");
  if (!read || io::to_binary(*read) != binary) std::abort();
  if (program->l0_bytes > (1 << 20)) return 0;

  chip::ChipMachine machine;
  machine.mode = chip::Mode::WLM;
  machine.cores = {2, 1};
  machine.crossbars = {2, 1};
  machine.cell.rows = 32;
  machine.cell.columns = 128;
  machine.cell.parallel_rows = 16;
  machine.cell.cell_bits = 2;
  const sim::chip::WalkLimits limits = {.operations = 2000, .group = 200};
  sim::chip::simulate_timing(*program, machine, limits);
  sim::chip::prove_order(*program, machine, limits);
  sim::chip::execute(*program, machine, limits);
  return 0;
}
