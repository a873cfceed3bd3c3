#include "report/cim/totals.h"

#include <fmt/format.h>

#include "report/tables/units.h"

namespace nestor::report {

double utilisation(double macs, Int cycles, const Architecture& machine) {
  if (cycles <= 0) return 0;
  double lanes = 1;
  for (const Axis& axis : machine.axes) lanes *= static_cast<double>(axis.size);
  return macs * static_cast<double>(machine.mvm_cycles) / (lanes * static_cast<double>(cycles));
}

std::string totals_text(const io::ResultTotals& totals, const Architecture& machine) {
  const double operations = 2 * static_cast<double>(totals.macs);
  std::string text;
  if (machine.clock > 0 && totals.latency_cycles > 0) {
    const double seconds = static_cast<double>(totals.latency_cycles) / machine.clock;
    text = fmt::format("{} ms at {} MHz, {} TOPS", io::figure_text(seconds * 1e3),
                       io::figure_text(machine.clock / 1e6), io::figure_text(operations / seconds / 1e12));
  }
  if (totals.energy_pj > 0)
    text +=
        fmt::format("{}{} TOPS/W", text.empty() ? "" : ", ", io::figure_text(operations / totals.energy_pj));
  return text.empty() ? text : text + "\n";
}

}  // namespace nestor::report
