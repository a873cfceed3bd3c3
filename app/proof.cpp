// nestor proof dump FILE: a proof file as text.
#include "app/console.h"
#include "app/verb_table.h"
#include "report/proof_dump.h"

namespace nestor::app {

io::Result<Outcome> proof(const io::RunOptions& options, Spaces /*spaces*/) {
  if (options.inputs.size() != 2 || options.inputs[0] != "dump")
    return io::usage_error("expected: nestor proof dump FILE");
  const auto& file = options.inputs[1];
  auto content = io::read_file(file);
  if (!content) return content.error();
  if (auto error = report::dump_proof(std::move(*content), print_text)) {
    error->where.file = file;
    return *error;
  }
  return Outcome::solved;
}

}  // namespace nestor::app
