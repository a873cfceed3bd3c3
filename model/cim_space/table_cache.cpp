#include "model/cim_space/table_cache.h"

#include <cstring>
#include <functional>

namespace nestor::cim {
namespace {

// Everything a table depends on, as bytes.
std::string key_of(const OperandSetup& setup) {
  std::string key;
  const auto add = [&key](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  add(setup.operand);
  for (std::size_t c = 0; c < setup.chain.size(); ++c) {
    add(setup.below[c]);
    add(setup.lanes_above[c]);
    add(setup.reduced_above[c]);
  }
  for (const FactorSet& set : setup.temporal) {
    add(set.factors.size());
    for (const auto& factor : set.factors) {
      add(factor.value);
      add(factor.count);
    }
  }
  return key;
}

}  // namespace

std::shared_ptr<const OperandTable> TableCache::get(const OperandSetup& setup) {
  std::string key = key_of(setup);
  Shard& shard = shards_[std::hash<std::string>{}(key) % shard_count];
  const auto share = [](const std::shared_ptr<Stored>& stored) {
    return std::shared_ptr<const OperandTable>(stored, &stored->table);
  };
  {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.tables.find(key);
    if (found != shard.tables.end()) return share(found->second);
  }
  auto stored = std::make_shared<Stored>();
  stored->memory.resize(OperandTable::bytes_needed(setup));
  Arena arena(stored->memory);
  if (!stored->table.build(problem_, setup, arena)) return nullptr;
  const std::lock_guard lock(shard.mutex);
  if (shard.bytes > most_shard_bytes) {
    shard.tables.clear();
    shard.bytes = 0;
  }
  shard.bytes += stored->memory.size();
  return share(shard.tables.try_emplace(std::move(key), std::move(stored)).first->second);
}

}  // namespace nestor::cim
