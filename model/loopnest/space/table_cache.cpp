#include "model/loopnest/space/table_cache.h"

namespace nestor {

std::string table_key(const OperandSetup& setup) {
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

}  // namespace nestor
