// One layer of a result: what is claimed of it, and whether that holds.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "check/proof_file.h"
#include "check/prove.h"

namespace nestor::check {

/// A result as a whole.
struct Task {
  Machine machine;
  Objective objective;
  bool front = false;
  std::size_t top = 1;  ///< how many of the best were asked for
  Limits limits;
  ProofFile* proof = nullptr;  ///< to be replayed; without one, the checker finds a proof itself
  /// What became of its parts, by layer and claim: several layers may have one part.
  std::map<std::string, std::pair<std::string, std::string>>* replayed = nullptr;
};

/// Why a proof is not one of this result at all; empty if it may be.
std::string mismatch(const Json& proof_head, const Json& result);

/// One of "verified", "REFUTED", "not proved", "not checked", and a sentence.
std::pair<std::string, std::string> check_layer(const Json& record, const Task& task);

}  // namespace nestor::check
