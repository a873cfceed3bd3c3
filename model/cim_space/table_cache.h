// Operand tables shared between the branches of one problem. A table is a pure function of its setup, so who
// builds it first does not matter to any result.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/cim/space/inward_branch.h"

namespace nestor::cim {

/// Everything a table depends on, as bytes.
std::string table_key(const OperandSetup& setup);

/// Both tables of an operand; an inward search needs `inward`, and only the sizes of `outward`.
struct TablePair {
  OperandTable outward;
  InwardTable inward;
};

/// `Storage` is what LabelSearch asks for; the bytes of all tables come from it.
template <typename Storage>
class TableCache {
 public:
  TableCache(const Problem& problem, bool inward) : problem_(problem), inward_(inward) {}

  /// The tables of a setup, built on first use; empty if memory is short. The cache forgets tables when they
  /// take more than an eighth of all memory; whoever holds one keeps it alive.
  std::shared_ptr<const TablePair> get(const OperandSetup& setup, Storage storage) {
    std::string key = table_key(setup);
    Shard& shard = shards_[std::hash<std::string>{}(key) % shard_count];
    {
      const std::lock_guard lock(shard.mutex);
      const auto found = shard.tables.find(key);
      if (found != shard.tables.end()) return share(found->second);
    }
    auto stored = build(setup, storage);
    if (!stored) {
      forget();  // what no branch holds makes room
      stored = build(setup, storage);
    }
    if (!stored) return nullptr;
    const std::lock_guard lock(shard.mutex);
    if (shard.bytes > storage.limit() / (8 * shard_count) || storage.tight()) {
      shard.tables.clear();
      shard.bytes = 0;
    }
    shard.bytes += stored->outward_memory.size() + stored->inward_memory.size();
    return share(shard.tables.try_emplace(std::move(key), std::move(stored)).first->second);
  }

 private:
  using Bytes = typename Storage::template Array<std::byte>;

  struct Stored {
    explicit Stored(Storage storage) : outward_memory(storage), inward_memory(storage) {}
    Bytes outward_memory;
    Bytes inward_memory;
    TablePair tables;
  };
  struct Shard {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Stored>> tables;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t shard_count = 16;

  static std::shared_ptr<const TablePair> share(const std::shared_ptr<Stored>& stored) {
    return {stored, &stored->tables};
  }
  static Arena arena_of(Bytes& bytes) { return Arena({bytes.begin(), bytes.end()}); }

  std::shared_ptr<Stored> build(const OperandSetup& setup, Storage storage) {
    auto stored = std::make_shared<Stored>(storage);
    OperandTable& outward = stored->tables.outward;
    if (!stored->outward_memory.resize(OperandTable::bytes_needed(setup), std::byte{})) return nullptr;
    Arena arena = arena_of(stored->outward_memory);
    if (!outward.build(problem_, setup, arena, !inward_)) return nullptr;
    if (!inward_) return stored;
    Bytes work(storage);
    const std::size_t bytes = InwardTable::bytes_needed(outward);
    if (!stored->inward_memory.resize(bytes, std::byte{}) || !work.resize(bytes, std::byte{})) return nullptr;
    Arena inward_arena = arena_of(stored->inward_memory);
    Arena scratch = arena_of(work);
    return stored->tables.inward.build(problem_, outward, inward_arena, scratch) ? stored : nullptr;
  }

  void forget() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.tables.clear();
      shard.bytes = 0;
    }
  }

  const Problem& problem_;
  bool inward_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace nestor::cim
