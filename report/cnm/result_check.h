// Comparison of a cnm result's claims with the contracts of its kernels (kernel_contract.h). For nestor
// verify.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "io/files.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/comparison.h"

namespace nestor::report {

/// Entries of `not_checked` that a proof or a new search resolves, for a kernel and for layers.
inline constexpr std::string_view unproved_time = "status, lower_bound_ms (optimality)";
inline constexpr std::string_view unproved_layer_times =
    "layers[].status, layers[].lower_bound_ms (optimality)";
inline constexpr std::string_view unproved_top = "top (that none is left out)";
inline constexpr std::string_view unproved_layer_top = "layers[].top (that none is left out)";
inline constexpr std::array<std::string_view, 4> unproved_kernel_claims = {
    unproved_time, unproved_layer_times, unproved_top, unproved_layer_top};

/// What all kernels of a result on one system share.
struct KernelParts {
  const cnm::System& system;
  const io::Json& architecture;
  std::string_view verb;
};
/// Compares the claims about one kernel with its contract and with the keys in `expected`. The paths of its
/// keys begin with `path`, and in not_checked with `keys`. Returns the time of the contract, or nothing if
/// the kernel has none or breaks a rule.
std::optional<double> check_kernel(io::Comparison& comparison, const io::Json& claims, const KernelTask& task,
                                   const KernelParts& parts, const std::string& path, const std::string& keys,
                                   io::Json expected);

/// Checks a result of kernels. `work` was read from the result, whose JSON is `claims`.
io::ResultCheck check_kernel_result(const KernelWork& work, const io::Json& claims);

}  // namespace nestor::report
