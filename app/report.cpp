// nestor report: writes an HTML page that shows results.
#include "app/console.h"
#include "app/verb_table.h"
#include "io/output_file.h"
#include "report/html/page.h"

namespace nestor::app {

io::Result<ExitStatus> write_report(const io::RunOptions& options, Spaces /*spaces*/) {
  if (options.inputs.empty())
    return io::usage_error("nothing to report: expected result files (RESULT.json)");
  if (options.output.empty()) return io::usage_error("missing --output FILE.html (- is standard output)");
  std::vector<report::html::ReportedResult> results;
  for (const auto& input : options.inputs) {
    auto result = report::html::read_reported(input);
    if (!result) return result.error();
    results.push_back(std::move(*result));
  }
  const auto page = report::html::page(results);
  if (options.output == "-")
    print_text(page);
  else if (auto failure = io::write_somewhere(options.output, page))
    return *failure;
  return ExitStatus::solved;
}

}  // namespace nestor::app
