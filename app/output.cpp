#include "app/output.h"

#include "app/console.h"
#include "io/output_file.h"

namespace nestor::app {

io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json) {
  if (options.json.empty()) return std::nullopt;
  if (prints_tables(options)) return io::write_somewhere(options.json, io::to_text(json));
  print_text(io::to_text(json));
  return std::nullopt;
}

void Outputs::add(io::MaybeError failure) {
  if (failure && failure_) print_remark(failure->to_string());
  if (!failure_) failure_ = std::move(failure);
}

io::Result<ExitStatus> Outputs::end(const io::Result<ExitStatus>& outcome) const {
  if (!failure_) return outcome;
  if (!outcome) print_remark(outcome.error().to_string());
  return *failure_;
}

const io::Error& Outputs::beside(const io::Error& error) const {
  if (failure_) print_remark(failure_->to_string());
  return error;
}

ExitStatus limited_by(std::string_view status) {
  print_remark(status == nothing_found
                   ? "the method found no mapping of some layer, which proves nothing"
                   : fmt::format("stopped before the end ({}); what was found by then is valid", status));
  return ExitStatus::limited;
}

ExitStatus claim_failed(std::string_view what) {
  print_remark(fmt::format("{} is not confirmed", what));
  return ExitStatus::failed;
}

bool prints_tables(const io::RunOptions& options) { return options.json != "-"; }

}  // namespace nestor::app
