// Operand tables shared between the branches of one problem. A table is a pure function of its setup, so who
// builds it first does not matter to any result.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model/cim/space/operand_table.h"

namespace nestor::cim {

class TableCache {
 public:
  explicit TableCache(const Problem& problem) : problem_(problem) {}

  /// The table of a setup, built on first use; empty if it cannot be built. The cache forgets tables when
  /// they take too much room; whoever holds one keeps it alive.
  std::shared_ptr<const OperandTable> get(const OperandSetup& setup);

 private:
  struct Stored {
    std::vector<std::byte> memory;
    OperandTable table;
  };
  struct Shard {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Stored>> tables;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t shard_count = 16;
  static constexpr std::size_t most_shard_bytes = std::size_t{16} << 20U;

  const Problem& problem_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace nestor::cim
