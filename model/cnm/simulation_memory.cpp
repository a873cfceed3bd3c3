#include "model/cnm/simulation_memory.h"

namespace nestor::cnm {

std::string SimulationMemory::key_of(const FlatProgram& program, std::span<const Int> trips, Int tasklets) {
  std::string key;
  key.reserve(16 * program.steps.size() + 8 * trips.size() + 8);
  const auto put = [&key](auto number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  put(tasklets);
  for (const Step& step : program.steps) {
    put(static_cast<Int>(step.kind) | static_cast<Int>(step.target) << 8);
    put(step.kind == ItemKind::loop ? trips[step.loop] : step.amount);
  }
  return key;
}

std::optional<SimulationMemory::Known> SimulationMemory::find(const std::string& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.runs.find(key);
  return found == shard.runs.end() ? std::nullopt : std::optional(found->second);
}

void SimulationMemory::keep(const std::string& key, const Known& known) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  if (shard.runs.size() < most_kept) shard.runs.emplace(key, known);
}

}  // namespace nestor::cnm
