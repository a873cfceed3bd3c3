#include "app/verification.h"

#include "app/console.h"
#include "app/output.h"
#include "io/units.h"

namespace nestor::app {
namespace {

io::Json to_json(const io::ResultCheck& check) {
  return {{"schema", "nestor.verification/1"},
          {"version", NESTOR_VERSION},
          {"confirmed", check.findings.empty()},
          {"mappings", check.mappings},
          {"figures", check.figures},
          {"findings", check.findings},
          {"optimality", check.optimality},
          {"not_checked", check.not_checked}};
}

void print_check(const io::ResultCheck& check, std::string_view good, std::string_view thing,
                 bool rechecked) {
  for (const auto& finding : check.findings) print("{}\n", finding);
  print("{}: {} {}{}, {} figure{} compared, {} finding{}\n", check.findings.empty() ? good : "NOT confirmed",
        io::count_text(check.mappings), thing, check.mappings == 1 ? "" : "s", io::count_text(check.figures),
        check.figures == 1 ? "" : "s", check.findings.size(), check.findings.size() == 1 ? "" : "s");
  if (rechecked) print("optimality: {}, which is code that made the result\n", check.optimality);
  if (!check.not_checked.empty()) nestor::app::print("not checked: {}\n", fmt::join(check.not_checked, "; "));
}

}  // namespace

io::Result<Outcome> report_check(const io::RunOptions& options, const io::ResultCheck& check,
                                 std::string_view good, std::string_view thing) {
  if (prints_tables(options)) print_check(check, good, thing, options.recheck);
  if (const auto error = write_json_output(options, to_json(check))) return *error;
  const bool stopped = check.optimality == io::optimality_left_open;
  return check.findings.empty() && !stopped ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app
