#include "report/chip/proof_dump.h"

#include <fmt/format.h>

#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/proof_words.h"
#include "report/tables/table.h"

namespace nestor::report {
namespace {

std::string words_text(const io::Json& words) {
  std::string text;
  for (const io::Json& each : words)
    text += (text.empty() ? "" : ", ") + (each.is_string() ? each.get<std::string>() : "?");
  return text;
}

// Returns the steps of a path: operator, rows, and "gated" if the operator is entered by its gate.
std::string path_text(const io::Json& path) {
  std::string text;
  for (std::size_t at = 0; path.is_array() && at + 2 < path.size(); at += 3)
    text += fmt::format("{}{} x {}{}", text.empty() ? "" : ", ", path[at].dump(), path[at + 1].dump(),
                        path[at + 2] == 0 ? "" : " gated");
  return text;
}

std::string steps_text(const io::Json& steps) {
  io::Table table({{"step"}, {"mix of paths, with shares", io::Align::left}, {"split", io::Align::left}});
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::string mix;
    const auto& shares = proof_list(steps[s], key::mix);
    for (std::size_t at = 0; at + 1 < shares.size(); at += 2)
      mix += fmt::format("{}{}: {}", mix.empty() ? "" : ", ", shares[at].dump(), shares[at + 1].dump());
    const auto& split = proof_list(steps[s], key::split);
    std::string parts;
    if (split.size() == 3)
      parts = fmt::format("operator {}: {} at most {}, step {}; or more, the next", split[0].dump(),
                          split[1].is_string() ? split[1].get<std::string>() : "?", split[2].dump(),
                          proof_word(steps[s], key::then));
    table.add_row({std::to_string(s), mix, parts});
  }
  return table.to_string();
}

}  // namespace

io::Result<bool> dump_compile_proof(io::ProofReader& reader, const io::Json& head,
                                    const std::function<void(std::string_view)>& sink) {
  sink(fmt::format("proof of the least latency of '{}' on '{}', levels {}: {}, at least {}\n",
                   proof_word(head, key::network), proof_word(head, key::architecture),
                   words_text(proof_list(head, key::levels)), proof_word(head, key::status),
                   proof_word(head, key::lower_bound)));
  for (;;) {
    auto run = reader.layer();
    if (!run) return run.error();
    if (!*run) return true;
    sink(fmt::format("\noperators '{}' to '{}': no schedule takes fewer than {} cycles\n",
                     proof_word(**run, key::from), proof_word(**run, key::to),
                     proof_word(**run, key::bound)));
    const auto& paths = proof_list(**run, key::paths);
    for (std::size_t p = 0; p < paths.size(); ++p) sink(fmt::format("path {}: {}\n", p, path_text(paths[p])));
    sink("\n" + steps_text(proof_list(**run, key::steps)));
    const auto end = reader.choice(0);
    if (!end) return end.error();
    if (*end) return io::input_error({}, "is a damaged proof: a run has spatial choices");
  }
}

}  // namespace nestor::report
