#include "app/output.h"

#include "app/console.h"
#include "base/status.h"
#include "io/output_file.h"
#include "report/html/page.h"

namespace nestor::app {

io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json) {
  auto failure = write_report_output(options, json);
  if (options.json == "-") {
    print_text(io::to_text(json));
  } else if (!options.json.empty()) {
    auto unwritten = io::write_somewhere(options.json, io::to_text(json));
    if (failure && unwritten) print_remark(failure->to_string());
    if (unwritten) return unwritten;
  }
  return failure;
}

io::MaybeError write_report_output(const io::RunOptions& options, const io::Json& json) {
  if (options.report.empty()) return std::nullopt;
  const auto reported = report::html::take_reported(options.json == "-" ? "" : options.json, json);
  if (!reported)
    return io::internal_error("the report cannot read the result: " + reported.error().to_string());
  return io::write_somewhere(options.report, report::html::page(std::span(&*reported, 1)));
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

io::Error Outputs::fail_with(io::Error error) const {
  if (failure_) print_remark(failure_->to_string());
  return error;
}

ExitStatus limited_by(std::string_view status) {
  print_remark(status == nothing_found ? "the method found no mapping for some layer, but one may exist"
               : status == to_string(Status::heuristic)
                   ? "the search ended without a proof; the results are valid"
                   : fmt::format("stopped before the end ({}); the results so far are valid", status));
  return ExitStatus::limited;
}

ExitStatus claim_failed(std::string_view what) {
  print_remark(fmt::format("{} is not confirmed", what));
  return ExitStatus::failed;
}

bool prints_tables(const io::RunOptions& options) {
  return !options.quiet && options.json != "-" && options.report != "-";
}

}  // namespace nestor::app
