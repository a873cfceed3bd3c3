#include "model/cnm/simulation_memory.h"

#include <cstring>

namespace nestor::cnm {
namespace {

constexpr std::size_t bytes_around = 128;  // a key, of a table of keys

}  // namespace

void SimulationMemory::write_key(const FlatProgram& program, std::span<const Int> trips, Int tasklets,
                                 std::string& key) {
  key.resize(sizeof(Int) * (2 * program.steps.size() + 1));
  char* at = key.data();
  const auto put = [&at](Int number) {
    std::memcpy(at, &number, sizeof number);
    at += sizeof number;
  };
  put(tasklets);
  for (const Step& step : program.steps) {
    put(static_cast<Int>(step.kind) | static_cast<Int>(step.target) << 8);
    put(step.kind == ItemKind::loop ? trips[step.loop] : step.amount);
  }
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
  if (shard.bytes < most_bytes && shard.runs.emplace(key, known).second)
    shard.bytes += key.size() + bytes_around;
}

}  // namespace nestor::cnm
