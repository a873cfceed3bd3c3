// Fuzzer for the reader of chip networks. A text is either rejected or parsed to a network that is unchanged
// after writing and reading it again. A small network is split to fit a chip, every baseline schedules it,
// and legal schedules are evaluated.
#include <cstdlib>
#include <variant>

#include "heuristics/chip/baselines.h"
#include "io/chip/network_file.h"
#include "mapper/chip/compile_network.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  const auto network = io::parse_chip_network({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!network) return 0;
  const auto text = io::to_text(io::chip_network_to_json(*network));
  const auto again = io::parse_chip_network(text, "again.json");
  if (!again || io::to_text(io::chip_network_to_json(*again)) != text) std::abort();

  constexpr std::size_t few_operators = 12;
  if (network->operators.size() > few_operators) return 0;
  chip::ChipMachine machine;
  machine.mode = chip::Mode::WLM;
  machine.cores = {2, 2};
  machine.crossbars = {2, 1};
  machine.cell.rows = 32;
  machine.cell.columns = 64;
  machine.cell.parallel_rows = 16;
  machine.cell.cell_bits = 2;
  const auto fitted = chip::fit(machine, *network);
  const auto* const fit = std::get_if<chip::ChipNetwork>(&fitted);
  if (fit == nullptr || fit->operators.size() > 4 * few_operators) return 0;
  const auto problem = chip::make_problem(machine, *fit);
  for (const auto baseline : chip::all_baselines)
    if (const auto decisions = chip::run_baseline(problem, baseline, {}))
      if (!chip::find_violation(problem, *decisions)) chip::evaluate(problem, *decisions);
  return 0;
}
