#include "report/verification.h"

#include <fmt/format.h>

#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"
#include "report/simd/schedule_check.h"
#include "report/tables/units.h"

namespace nestor::report {

namespace {

void describe_check(io::Fields& fields, const io::ResultCheck& check) {
  using io::put;
  fields.constant(key::schema, "nestor.verification/1", io::always, "");
  put(fields, key::version, std::string_view(NESTOR_VERSION),
      "Version of the tool that verified the result.");
  put(fields, key::confirmed, check.findings.empty(), "");
  put(fields, "mappings", check.mappings, "Number of mappings checked.");
  put(fields, "figures", check.figures, "Number of figures compared.");
  put(fields, key::findings, check.findings,
      "Errors found, one sentence each; empty if and only if everything is confirmed.");
  put_word(fields, "optimality", io::optimality_words.word(check.optimality), io::optimality_words.words,
           "State of the claims of optimality, after a new search (--recheck) or a check of a proof "
           "(--proof).");
  put(fields, key::not_checked, check.not_checked,
      "Parts of the result file, by their keys, that were not checked or cannot be checked.");
}

}  // namespace

io::Json check_json(const io::ResultCheck& check) {
  return io::write_fields([&](io::Fields& fields) { describe_check(fields, check); });
}

io::Json verification_schema() {
  const std::pair<const char*, io::Json> forms[] = {
      {"result",
       io::schema_of([](io::Fields& fields) { describe_check(fields, {}); }, io::SchemaKind::output)},
      {key::schedule, schedule_check_schema()}};
  return io::schema_of_forms(forms);
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
    text += fmt::format("optimality: {}, with the same code that made the result\n",
                        io::optimality_words.word(check.optimality));
  if (check.optimality == io::Optimality::not_checked)
    text += "optimality not checked: use --proof FILE or --recheck\n";
  return text;
}

std::string followed_text(const io::ResultCheck& check) {
  return fmt::format("optimality: {}\n", io::optimality_words.word(check.optimality));
}

}  // namespace nestor::report
