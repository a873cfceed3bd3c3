#include "check/spaces.h"

#include "check/chip/claims.h"
#include "check/cim/rules.h"
#include "check/cnm/claims.h"
#include "check/layers.h"
#include "check/pim/rules.h"

namespace nestor::check {
namespace {

int check_cim(const Json& result, const std::string& proof, const std::string& layer) {
  return LayerCheck<Rules, Machine>(result, read_machine(member(result, "architecture")), proof)
      .print(result, layer);
}
int check_pim(const Json& result, const std::string& proof, const std::string& layer) {
  return LayerCheck<pim::PimRules, pim::CheckedPimMachine>(result, pim::read_machine(result), proof)
      .print(result, layer);
}

// Results of a verb on machines of a space. Rows of one verb stand together.
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

// What there is no row for. A verb of one space needs no other word.
std::string no_row() {
  std::string text = "it is no result";
  for (std::size_t i = 0, end = 0; i < table.size(); i = end) {
    text += std::string(i == 0 ? " of nestor " : ", nor of nestor ") + table[i].verb;
    while (end < table.size() && std::string_view(table[end].verb) == table[i].verb) ++end;
    for (std::size_t j = i; j < end && i + 1 < end; ++j)
      text += std::string(j == i ? " on a " : j + 1 < end ? ", " : " or ") + table[j].space;
    if (i + 1 < end) text += " machine";
  }
  return text;
}

}  // namespace

int check_result(const Json& result, const std::string& proof, const std::string& layer) {
  for (const Row& row : table)
    if (result.value("verb", "") == row.verb && result.value("space", "") == row.space)
      return row.check(result, proof, layer);
  throw Unreadable(no_row());
}

}  // namespace nestor::check
