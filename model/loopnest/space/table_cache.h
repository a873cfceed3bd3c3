// Cache of operand tables, shared between the branches of one problem. Each space defines the content of its
// tables. A builder computes a table as a pure function of an operand's setup, so no result depends on which
// branch builds it first.
#pragma once

#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/arena.h"
#include "base/tables/hash_table.h"
#include "model/loopnest/search/operand_setup.h"
#include "solver/search/concepts.h"

namespace nestor {

/// A setup as bytes. Two keys of one problem are equal only if their setups are equal. The hash must be the
/// same in every run, because it selects the shard, and the shard determines when tables are dropped and
/// rebuilt.
struct TableKey {
  explicit TableKey(const OperandSetup& setup);
  std::string bytes;
  std::size_t hash = 0;

  bool operator==(const TableKey& other) const { return bytes == other.bytes; }
  template <typename H>
  friend H AbslHashValue(H h, const TableKey& k) {  // NOLINT(readability-identifier-naming): Abseil's name
    return H::combine(std::move(h), k.hash);
  }
};

/// Memory source of a builder. Memory is charged to a budget and freed with the tables.
template <BudgetedStorage Storage>
class TableMemory {
 public:
  using Bytes = typename Storage::Bytes;

  explicit TableMemory(Storage storage) : storage_(storage) {}
  /// Returns memory that lives as long as the tables, or nothing if memory is short.
  std::optional<Arena> keep(std::size_t bytes) {
    Bytes& block = blocks_.emplace_back(storage_);
    if (!block.allocate(bytes)) return std::nullopt;
    kept_ += bytes;
    return block.arena();
  }
  /// Returns memory that is needed only while tables are built.
  Bytes scratch() const { return Bytes(storage_); }
  std::size_t kept() const { return kept_; }

 private:
  Storage storage_;
  std::list<Bytes> blocks_;
  std::size_t kept_ = 0;
};

/// A builder of tables. `Memory` is a TableMemory; build() returns false if it does not suffice.
template <typename B, typename Memory>
concept TableBuilder = std::default_initializable<typename B::Tables> &&
    requires(const typename B::Problem& problem, const OperandSetup& setup, typename B::Tables& tables,
             Memory& memory) {
  { B::build(problem, setup, tables, memory) } -> std::same_as<bool>;
};

/// Builder for a space that needs no tables.
template <typename P>
struct NoTables {
  using Problem = P;
  struct Tables {};
  template <typename Memory>
  static bool build(const Problem&, const OperandSetup&, Tables&, Memory&) {
    return true;
  }
};

template <typename Builder, BudgetedStorage Storage>
requires TableBuilder<Builder, TableMemory<Storage>>
class TableCache {
 public:
  using Problem = typename Builder::Problem;
  using Tables = typename Builder::Tables;

  /// The problem must outlive the cache.
  explicit TableCache(const Problem& problem) : problem_(problem) {}

  /// Returns the tables of a setup, building them on first use, or null if memory is short. A shard drops its
  /// tables if they exceed its share of one eighth of the memory limit, or if memory is short; tables to
  /// which callers have pointers stay valid.
  std::shared_ptr<const Tables> get(const OperandSetup& setup, Storage storage) {
    TableKey key(setup);
    Shard& shard = shards_[key.hash % shard_count];
    {
      const std::lock_guard lock(shard.mutex);
      const auto found = shard.tables.find(key);
      if (found != shard.tables.end()) return share(found->second);
    }
    auto stored = build(setup, storage);
    if (!stored) {
      forget();  // frees all tables that no branch uses
      stored = build(setup, storage);
    }
    if (!stored) return nullptr;
    const std::lock_guard lock(shard.mutex);
    if (shard.bytes > storage.limit() / (8 * shard_count) || storage.tight()) {
      shard.tables.clear();
      shard.bytes = 0;
    }
    shard.bytes += stored->memory.kept();
    return share(shard.tables.try_emplace(std::move(key), std::move(stored)).first->second);
  }

 private:
  struct Stored {
    explicit Stored(Storage storage) : memory(storage) {}
    TableMemory<Storage> memory;
    Tables tables;
  };
  struct Shard {
    std::mutex mutex;
    HashMap<TableKey, std::shared_ptr<Stored>> tables;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t shard_count = 16;

  static std::shared_ptr<const Tables> share(const std::shared_ptr<Stored>& stored) {
    return {stored, &stored->tables};
  }

  std::shared_ptr<Stored> build(const OperandSetup& setup, Storage storage) const {
    auto stored = std::make_shared<Stored>(storage);
    return Builder::build(problem_, setup, stored->tables, stored->memory) ? stored : nullptr;
  }

  void forget() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.tables.clear();
      shard.bytes = 0;
    }
  }

  const Problem& problem_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace nestor
