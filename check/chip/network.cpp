#include <iostream>

#include "check/chip/claims.h"
#include "check/proof_file.h"

namespace nestor::check::chip {

int check_network(const Json& result, const std::string& path, const std::string& layer,
                  std::string (*quoted)(const std::string&)) {
  if (!layer.empty()) throw Unreadable("a compiled network has no layers to be checked alone");
  ProofFile proof(path);
  const auto [word, sentence] = check_result(result, proof.head(), [&] { return proof.next_layer(0); });
  const auto name = quoted(word_of(part_of(result, "network"), "name"));
  const auto said = quoted(sentence);
  std::cout << word << std::string(13 - word.size(), ' ') << name << ": " << said.substr(1, said.size() - 2)
            << '\n'
            << (word == "verified"  ? "VERIFIED"
                : word == "REFUTED" ? word
                                    : "NOT ALL CHECKED")
            << ": network " << name << " on " << quoted(word_of(part_of(result, "architecture"), "name"))
            << ", objective " << quoted(word_of(part_of(result, "objective"), "kind")) << '\n';
  return word == "verified" ? 0 : 1;
}

}  // namespace nestor::check::chip
