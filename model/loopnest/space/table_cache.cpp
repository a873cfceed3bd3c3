#include "model/loopnest/space/table_cache.h"

#include <functional>

namespace nestor {

TableKey::TableKey(const OperandSetup& setup) {
  const auto add = [this](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
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
  hash = std::hash<std::string>{}(bytes);
}

}  // namespace nestor
