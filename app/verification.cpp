#include "app/verification.h"

#include "app/console.h"
#include "app/follow_proof.h"
#include "app/output.h"
#include "report/verification.h"

namespace nestor::app {
io::Result<ExitStatus> report_check(const io::RunOptions& options, const io::ResultCheck& result,
                                    std::span<const std::string_view> unproved, std::string_view good,
                                    std::string_view thing) {
  io::ResultCheck check = result;
  const bool follows = !options.proof.empty();
  if (follows)
    if (auto error = follow_proof(options, unproved, check)) return *error;
  if (prints_tables(options)) {
    print_text(report::check_text(check, good, thing, options.recheck && !follows));
    if (follows) print_text(report::followed_text(check));
  }
  if (const auto error = write_json_output(options, report::check_json(check))) return *error;
  const bool stopped = check.optimality == io::Optimality::left_open;
  if (!check.findings.empty())
    return claim_failed(options.inputs.empty() ? options.mapping : options.inputs.front());
  return stopped ? limited_by(io::optimality_words.word(io::Optimality::left_open)) : ExitStatus::solved;
}

}  // namespace nestor::app
