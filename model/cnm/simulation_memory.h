// Short runs of programs, remembered. The engine runs a program's loops with few trips, so programs that
// differ only in trips that it leaves out make the very same runs; in a space of mappings most do. Threads
// may share one memory.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <unordered_map>

#include "model/cnm/dpu_machine.h"

namespace nestor::cnm {

class SimulationMemory {
 public:
  struct Known {
    DpuRun run;
    Int budget = 0;  ///< what the run took of it
  };
  /// What a run depends on: the steps, the trips of their loops, and how many tasklets there are.
  static std::string key_of(const FlatProgram& program, std::span<const Int> trips, Int tasklets);

  std::optional<Known> find(const std::string& key);
  void keep(const std::string& key, const Known& known);

 private:
  static constexpr std::size_t shards = 64;
  static constexpr std::size_t most_kept = 100'000;  // in a shard
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::string, Known> runs;
  };
  Shard& shard_of(const std::string& key) { return shards_[std::hash<std::string>()(key) % shards]; }

  std::array<Shard, shards> shards_;
};

}  // namespace nestor::cnm
