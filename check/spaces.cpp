#include "check/spaces.h"

#include <iostream>

#include "check/chip/claims.h"
#include "check/cim/rules.h"
#include "check/claim.h"
#include "check/cnm/claims.h"
#include "check/layers.h"
#include "check/pim/rules.h"

namespace nestor::check {
namespace {

int check_cim(const Json& result, const std::string& proof, const std::string& layer) {
  auto machine = read_machine(member(result, "architecture"));
  fix(machine, result);
  return LayerCheck<Rules, Machine>(result, machine, proof).print(result, layer);
}
int check_pim(const Json& result, const std::string& proof, const std::string& layer) {
  return LayerCheck<pim::PimRules, pim::CheckedPimMachine>(result, pim::read_machine(result), proof)
      .print(result, layer);
}

// A checker for results of a verb in a space.
struct Row {
  const char* verb;
  const char* space;
  int (*check)(const Json& result, const std::string& proof, const std::string& layer);
};
constexpr std::array table = {
    Row{"map", "cim", check_cim},
    Row{"map", "pim", check_pim},
    Row{"map", "cnm", cnm::check_kernel},
    Row{"compile", "chip", chip::check_network},
};

// Returns the message for a result without a row.
std::string no_row() {
  std::string text = "it is not a result of nestor";
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i > 0) text += i + 1 < table.size() ? "," : " or";
    text += std::string(" ") + table[i].verb + " (" + table[i].space + ")";
  }
  return text;
}

// Prints claims that contradict themselves, which are refuted without their proof. Returns 1 if there are
// any.
int refute(const Json& result, const std::string& layer) {
  auto faults = claim_faults(result);
  if (!layer.empty()) std::erase_if(faults, [&](const ClaimFault& fault) { return fault.name != layer; });
  for (const auto& [name, sentence] : faults)
    std::cout << "REFUTED      " << quoted(name) << ": " << harmless(sentence) << '\n';
  if (!faults.empty()) std::cout << "REFUTED: the claims of the result are inconsistent\n";
  return faults.empty() ? 0 : 1;
}

}  // namespace

int check_result(const Json& result, const std::string& proof, const std::string& layer) {
  const std::string schema = result.value("schema", "");
  if (schema.empty()) throw Unreadable(no_row());
  if (schema != "nestor.result/2")
    throw Unreadable("its schema is '" + schema +
                     "', expected 'nestor.result/2': run the command again with this version of nestor");
  if (const int status = refute(result, layer); status != 0) return status;
  for (const Row& row : table)
    if (result.value("verb", "") == row.verb && result.value("space", "") == row.space)
      return row.check(result, proof, layer);
  throw Unreadable(no_row());
}

}  // namespace nestor::check
