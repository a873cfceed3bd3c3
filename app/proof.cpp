// nestor proof dump FILE: prints a proof file as text.
#include "app/console.h"
#include "app/verb_table.h"
#include "io/checked_reader.h"
#include "report/keys/common.h"
#include "report/proof_dump.h"
#include "report/proof_words.h"

namespace nestor::app {
namespace {

io::Error not_a_proof(Spaces spaces) {
  std::vector<std::string_view> machines;
  std::string others;
  for (const Space& space : spaces) {
    if (space.dump_proof == nullptr) continue;
    if (space.proof_of.empty())
      machines.push_back(space.kind);
    else
      others += fmt::format(", nor of {}", space.proof_of);
  }
  return io::input_error({},
                         fmt::format("is not a proof of a {} machine{}", io::join_words(machines), others));
}

io::MaybeError dump(std::string content, Spaces spaces) {
  io::ProofReader reader(std::move(content));
  const auto head = reader.head();
  if (!head) return head.error();
  const Space* const space = find_space(spaces, report::proof_word(*head, key::space));
  if (space == nullptr || space->dump_proof == nullptr) return not_a_proof(spaces);
  const auto is_proof = space->dump_proof(reader, *head, print_text);
  if (!is_proof) return is_proof.error();
  return *is_proof ? io::MaybeError() : not_a_proof(spaces);
}

}  // namespace

io::Result<ExitStatus> proof(const io::RunOptions& options, Spaces spaces) {
  if (options.inputs.size() != 2 || options.inputs[0] != "dump")
    return io::usage_error("expected: nestor proof dump FILE");
  const auto& file = options.inputs[1];
  // Proofs are compressed. The head of an uncompressed file is enough to reject it.
  constexpr std::string_view compressed = "\x28\xb5\x2f\xfd";
  const auto head = io::read_head(file, compressed.size());
  auto content = head.empty() || head == compressed ? io::read_file(file) : io::Result<std::string>(head);
  if (!content) return content.error();
  if (auto error = dump(std::move(*content), spaces)) {
    error->where.file = file;
    return *error;
  }
  return ExitStatus::solved;
}

}  // namespace nestor::app
