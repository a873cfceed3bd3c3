#include "report/cim/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using Parts = std::map<std::string, double>;  // ordered, because sums of doubles depend on the order

/// Returns the largest parts as shares of `whole`, in descending order.
std::string shares_text(const Parts& parts, double whole) {
  std::vector<std::pair<std::string, double>> list(parts.begin(), parts.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr double least = 0.01;
  constexpr std::size_t most_parts = 5;
  double rest = 0;
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& [name, part] = list[i];
    if (i < most_parts && part >= least * whole)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, io::percent_text(part / whole));
    else
      rest += part;
  }
  if (rest >= whole / 1000)
    text += fmt::format("{}others {}", text.empty() ? "" : ", ", io::percent_text(rest / whole));
  return text;
}

// Returns a port in the words of `simulate`: the operand that waits for it, and the memory.
std::string wait_text(const std::string& port) {
  const auto slash = port.rfind('/');
  for (const Operand operand : all_operands)
    if (slash != std::string::npos && port.substr(slash + 1) == std::string(1, letter(operand)))
      return fmt::format("{} ({})", wait_word(operand), port.substr(0, slash));
  return port;
}

std::string cycles_line(const io::CimRun& run) {
  Parts waits;
  double compute = 0;
  double whole = 0;
  for (const auto& record : run.layers)
    for (const auto& [name, value] : record.spent_cycles.items()) {
      const double cycles = value.get<double>() * static_cast<double>(record.layer.repeat);
      (name == key::compute ? compute : waits[wait_text(name)]) += cycles;
      whole += cycles;
    }
  if (whole == 0) return {};
  const auto shares = shares_text(waits, whole);
  return fmt::format("cycles: {} computing{}{}\n", io::percent_text(compute / whole),
                     shares.empty() ? "" : "; waiting for ", shares);
}

std::string energy_line(const io::CimRun& run) {
  Parts parts;
  for (const auto& record : run.layers) {
    if (!record.best.mapping) continue;
    const auto repeat = static_cast<double>(record.layer.repeat);
    const auto evaluation =
        cim::evaluate(record.best.nest(record.layer.shape), run.machine.machine, *record.best.mapping);
    parts[key::compute] += repeat * evaluation.compute_energy_pj;
    parts[key::leakage] +=
        repeat * (record.best.energy_pj.value_or(evaluation.energy_pj) - evaluation.energy_pj);
    for (std::size_t m = 0; m < run.machine.memory_names.size(); ++m)
      for (const Operand operand : all_operands)
        parts[fmt::format("{}/{}", run.machine.memory_names[m], letter(operand))] +=
            repeat * evaluation.memory_energy_pj[m][index_of(operand)];
  }
  double whole = 0;
  for (const auto& [name, part] : parts) whole += part;
  return whole == 0 ? "" : fmt::format("energy: {}\n", shares_text(parts, whole));
}

std::string fullest_line(const io::CimRun& run) {
  const auto& names = run.machine.memory_names;
  std::vector<std::pair<double, std::string>> fill;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Int capacity = run.machine.machine.memories[m].capacity;
    if (capacity == unlimited_capacity) continue;
    double most = 0;
    for (const auto& record : run.layers)
      if (record.usage_bits.contains(names[m]))
        most = std::max(most, record.usage_bits.at(names[m]).get<double>() / static_cast<double>(capacity));
    if (most > 0) fill.emplace_back(most, names[m]);
  }
  std::stable_sort(fill.begin(), fill.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t most_memories = 4;
  std::string text;
  for (std::size_t i = 0; i < fill.size() && i < most_memories; ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", fill[i].second, io::percent_text(fill[i].first));
  if (text.empty()) return text;
  return fmt::format("memory{}: {}\n", run.layers.size() > 1 ? ", at its fullest" : "", text);
}

}  // namespace

std::string_view wait_word(Operand operand) {
  constexpr std::array<std::string_view, operand_count> words = {"inputs", "weights", "outputs"};
  return words[index_of(operand)];
}

std::string spending_text(const io::CimRun& run) {
  std::string text;
  if (run.objective.name != "energy") text += cycles_line(run);
  if (run.objective.name != "latency" && run.objective.name != "eq14") text += energy_line(run);
  return text + fullest_line(run);
}

}  // namespace nestor::report
