// Short runs of programs, remembered. The engine runs a program's loops with few trips, so programs that
// differ only in trips that it leaves out make the very same runs; in a space of mappings most do. Threads
// may share one memory.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/tables/hash_table.h"
#include "model/cnm/program.h"

namespace nestor::cnm {

class SimulationMemory {
 public:
  struct Known {
    Int cycles = 0;
    Int budget = 0;  ///< what the run took of it
  };
  /// What a run depends on: the steps, the trips of their loops, and how many tasklets there are.
  static void write_key(const FlatProgram& program, std::span<const Int> trips, Int tasklets,
                        std::string& key);

  std::optional<Known> find(const std::string& key);
  void keep(const std::string& key, const Known& known);

 private:
  static constexpr std::size_t shards = 64;
  static constexpr std::size_t most_bytes = std::size_t{8} << 20;  // in a shard
  struct Shard {
    std::mutex mutex;
    HashMap<std::string, Known> runs;
    std::size_t bytes = 0;
  };
  Shard& shard_of(const std::string& key) { return shards_[std::hash<std::string>()(key) % shards]; }

  std::array<Shard, shards> shards_;
};

}  // namespace nestor::cnm
