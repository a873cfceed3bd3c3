// nestor proof dump FILE: a proof file as text.
#include "app/console.h"
#include "app/verb_table.h"
#include "report/chip/proof_dump.h"
#include "report/cim/proof_dump.h"

namespace nestor::app {

io::Result<Outcome> proof(const io::RunOptions& options, Spaces /*spaces*/) {
  if (options.inputs.size() != 2 || options.inputs[0] != "dump")
    return io::usage_error("expected: nestor proof dump FILE");
  const auto& file = options.inputs[1];
  auto content = io::read_file(file);
  if (!content) return content.error();
  io::ProofReader reader(std::move(*content));
  const auto head = reader.head();
  auto error = !head                                ? head.error()
               : head->value("space", "") == "chip" ? report::dump_compile_proof(reader, *head, print_text)
                                                    : report::dump_proof(reader, *head, print_text);
  if (!error) return Outcome::solved;
  error->where.file = file;
  return *error;
}

}  // namespace nestor::app
