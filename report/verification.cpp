#include "report/verification.h"

#include <fmt/format.h>

#include "report/keys/common.h"
#include "report/tables/units.h"

namespace nestor::report {

io::Json check_json(const io::ResultCheck& check) {
  return {{key::schema, "nestor.verification/1"},
          {key::version, NESTOR_VERSION},
          {key::confirmed, check.findings.empty()},
          {"mappings", check.mappings},
          {"figures", check.figures},
          {key::findings, check.findings},
          {"optimality", check.optimality},
          {key::not_checked, check.not_checked}};
}

std::string check_text(const io::ResultCheck& check, std::string_view good, std::string_view thing,
                       bool rechecked) {
  std::string text;
  for (const auto& finding : check.findings) text += finding + "\n";
  text += fmt::format(
      "{}: {} {}{}, {} figure{} compared, {} finding{}\n", check.findings.empty() ? good : "NOT confirmed",
      io::count_text(check.mappings), thing, check.mappings == 1 ? "" : "s", io::count_text(check.figures),
      check.figures == 1 ? "" : "s", check.findings.size(), check.findings.size() == 1 ? "" : "s");
  if (rechecked)
    text += fmt::format("optimality: {}, with the same code that made the result\n", check.optimality);
  if (check.optimality == io::optimality_not_checked)
    text += "optimality not checked: use --proof FILE or --recheck\n";
  return text;
}

std::string followed_text(const io::ResultCheck& check) {
  return fmt::format("optimality: {}\n", check.optimality);
}

}  // namespace nestor::report
