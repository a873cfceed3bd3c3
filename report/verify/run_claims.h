// Claims of a loop-nest result about the run that wrote it, in any space: verb, options, inputs, the network
// and its layers. Their checks are the same in all spaces.
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

/// Reads a network in the same way as the run that wrote the result, from its name and the run's options.
using NetworkReader = std::function<Result<Network>(const std::string& name, const OptionTexts& options)>;

/// The claims of a result about its run, which must outlive this object.
struct RunClaims {
  std::string_view space;
  const RunHead& head;
  std::vector<const Layer*> layers;
  const std::vector<UnmappedOperator>* unmapped = nullptr;  ///< null if results of the space do not list them
  const Hierarchy* machine = nullptr;  ///< determines how groups are mapped; null: they are repeats
};

/// The verb and its options, read again. Unknown options and options of other spaces are findings. If the
/// verb is unknown, read_run_again() returns nothing.
struct ReadRun {
  Verb verb = Verb::map;
  RunOptions given;
};
std::optional<ReadRun> read_run_again(const RunClaims& run, Claims& claims);

/// Checks that a run of map has an input of each role.
void require_roles(const RunClaims& run, std::initializer_list<std::string_view> roles, Claims& claims);

}  // namespace nestor::io
