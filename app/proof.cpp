// nestor proof dump FILE: a proof file as text.
#include "app/console.h"
#include "app/verb_table.h"
#include "report/keys/common.h"
#include "report/proof_dump.h"
#include "report/proof_words.h"

namespace nestor::app {
namespace {

io::MaybeError dump(std::string content, Spaces spaces) {
  io::ProofReader reader(std::move(content));
  const auto head = reader.head();
  if (!head) return head.error();
  const Space* const space = find_space(spaces, report::proof_word(*head, key::space));
  if (space == nullptr || space->dump_proof == nullptr) return report::not_a_proof();
  return space->dump_proof(reader, *head, print_text);
}

}  // namespace

io::Result<Outcome> proof(const io::RunOptions& options, Spaces spaces) {
  if (options.inputs.size() != 2 || options.inputs[0] != "dump")
    return io::usage_error("expected: nestor proof dump FILE");
  const auto& file = options.inputs[1];
  // What is not compressed need not be read further.
  constexpr std::string_view compressed = "\x28\xb5\x2f\xfd";
  const auto head = io::read_head(file, compressed.size());
  auto content = head.empty() || head == compressed ? io::read_file(file) : io::Result<std::string>(head);
  if (!content) return content.error();
  if (auto error = dump(std::move(*content), spaces)) {
    error->where.file = file;
    return *error;
  }
  return Outcome::solved;
}

}  // namespace nestor::app
