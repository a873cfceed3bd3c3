// Comparison of a cnm result's claims with the contracts of its kernels (kernel_contract.h). For nestor
// verify.
#pragma once

#include <array>
#include <string_view>

#include "io/files.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/result_check.h"

namespace nestor::report {

/// Entries of `not_checked` that a proof or a new search resolves, for a kernel and for layers.
inline constexpr std::string_view unproved_time = "status, lower_bound_ms (optimality)";
inline constexpr std::string_view unproved_layer_times =
    "layers[].status, layers[].lower_bound_ms (optimality)";
inline constexpr std::string_view unproved_top = "top (that none is left out)";
inline constexpr std::string_view unproved_layer_top = "layers[].top (that none is left out)";
inline constexpr std::array<std::string_view, 4> unproved_kernel_claims = {
    unproved_time, unproved_layer_times, unproved_top, unproved_layer_top};

/// Checks a result of kernels. `work` was read from the result, whose JSON is `claims`.
io::ResultCheck check_kernel_result(const KernelWork& work, const io::Json& claims);

}  // namespace nestor::report
