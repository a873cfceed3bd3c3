#include "check/chip/claims.h"
#include "check/proof_file.h"

namespace nestor::check::chip {

int check_network(const Json& result, const std::string& path, const std::string& layer) {
  if (!layer.empty()) throw Unreadable("--layer cannot be used with a compiled network");
  ProofFile proof(path);
  const auto verdict = check_result(result, proof.head(), [&] { return proof.next_layer(0); });
  while (verdict.word == "verified" && !proof.next_layer(0).is_null()) continue;
  const auto name = quoted(word_of(member(result, "network"), "name"));
  const auto machine = quoted(word_of(member(result, "architecture"), "name"));
  const auto objective = quoted(word_of(member(result, "objective"), "name"));
  return say(verdict, name, "network " + name + " on " + machine + ", objective " + objective);
}

}  // namespace nestor::check::chip
