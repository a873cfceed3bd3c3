// Comparison of the tables of a layer in a result file (usage, sizes, traffic, energy by component) with
// computed figures. Internal to report/cim/verify.
#pragma once

#include <string>

#include "model/cim/second_reading/figures.h"
#include "model/loopnest/second_reading/sentence.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/cim/result_file.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// Checks tables with keys "memory" or "memory/operand", which are in a layer or in its `evaluation`.
class TableCheck {
 public:
  TableCheck(Claims& claims, const NamedArchitecture& architecture) : claims_(claims), named_(architecture) {}

  void usage(const Json& table, const verify::CimFigures& figures) {
    if (!is_table(key::usage_bits, table)) return;
    std::size_t known = 0;
    for (std::size_t m = 0; m < named_.machine.memories.size(); ++m) {
      const std::string& name = named_.memory_names[m];
      known += table.contains(name) ? 1U : 0U;
      claims_.json_number("usage_bits of " + name, table, name,
                          static_cast<long double>(figures.usage_bits[m]));
    }
    if (known != table.size()) claims_.finding("usage_bits has a memory that is not in the architecture");
  }

  template <typename T>
  void pairs(const std::string& what, const Json& table, const PerMemoryOperand<T>& found,
             std::size_t other_keys = 0) {
    if (!is_table(what, table)) return;
    std::size_t known = other_keys;
    for_each_pair([&](const std::string& key, std::size_t m, std::size_t x) {
      known += table.contains(key) ? 1U : 0U;
      claims_.json_number(verify::sentence(what, " of ", key), table, key,
                          static_cast<long double>(found[m][x]));
    });
    if (known != table.size()) claims_.finding(what + " has a key that is not a memory/operand pair");
  }

  void traffic(const Json& table, const verify::CimFigures& figures) {
    if (!is_table(key::traffic_bits, table)) return;
    static const Json nothing = Json::object();
    std::size_t known = 0;
    for_each_pair([&](const std::string& key, std::size_t m, std::size_t x) {
      const bool given = table.contains(key) && table.at(key).is_object();
      known += given ? 1U : 0U;
      const Json& entry = given ? table.at(key) : nothing;
      if (given && !entry.contains(key::read)) claims_.finding("traffic_bits of " + key + " has no 'read'");
      if (entry.size() > std::size_t{entry.contains(key::read)} + std::size_t{entry.contains(key::write)})
        claims_.finding("traffic_bits of " + key + " has a key that is neither read nor write");
      claims_.json_number("bits read from " + key, entry, key::read,
                          static_cast<long double>(figures.read_bits[m][x]));
      claims_.json_number("bits written to " + key, entry, key::write,
                          static_cast<long double>(figures.write_bits[m][x]));
    });
    if (known != table.size()) claims_.finding("traffic_bits has a key that is not a memory/operand pair");
  }

 private:
  bool is_table(const std::string& what, const Json& table) {
    if (!table.is_object()) claims_.finding(what + " is not a table");
    return table.is_object();
  }

  template <typename Visit>
  void for_each_pair(const Visit& visit) {
    for (std::size_t m = 0; m < named_.machine.memories.size(); ++m)
      for (const Operand operand : all_operands)
        visit(verify::sentence(named_.memory_names[m], "/", letter(operand)), m, index_of(operand));
  }

  Claims& claims_;
  const NamedArchitecture& named_;
};

}  // namespace nestor::io
