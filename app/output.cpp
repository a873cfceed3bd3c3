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

bool prints_tables(const io::RunOptions& options) { return options.json != "-"; }

}  // namespace nestor::app
