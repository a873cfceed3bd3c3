// Claims of a loop-nest result about the run that wrote it, in any space: verb, options,
// inputs, the network and its layers. What is checked of it is the same everywhere.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/options.h"
#include "model/loopnest/hierarchy.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// Reads a network as the run did that wrote the result: by its name, with the run's options.
using NetworkReader = std::function<Result<Network>(const std::string& name, const OptionTexts& options)>;

/// What a result says of its run; it outlives this.
struct RunClaims {
  std::string_view space;
  const RunHead& head;
  std::vector<const Layer*> layers;
  const std::vector<UnmappedOperator>* unmapped = nullptr;  ///< null: results of the space do not list them
  const Hierarchy* machine = nullptr;  ///< what groups are follows from it; null: they repeat
};

/// The verb and its options, read again. What is unknown, or goes with other spaces, is among the findings;
/// nothing if the verb is.
struct ReadRun {
  Verb verb = Verb::map;
  RunOptions given;
};
std::optional<ReadRun> read_run_again(const RunClaims& run, Claims& claims);

/// A word of the result that an option of map decides.
void check_word(std::string_view what, std::string_view claimed, std::string_view option,
                const RunOptions& given, Claims& claims);

/// A run of map has read an input of each role.
void require_roles(const RunClaims& run, std::initializer_list<std::string_view> roles, Claims& claims);

}  // namespace nestor::io
