// What a result of the cnm space claims, against a second reading of every kernel in it (second_result.h).
// For nestor verify.
#pragma once

#include <array>
#include <string_view>

#include "io/files.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/result_check.h"

namespace nestor::report {

/// Entries of `not_checked` that a proof does away with.
inline constexpr std::string_view unproved_time = "status, lower_bound_ms (optimality)";
inline constexpr std::string_view unproved_top = "top (that none is left out)";
inline constexpr std::array<std::string_view, 2> unproved_kernel_claims = {unproved_time, unproved_top};

/// `work`: what the result was read as.
io::ResultCheck check_kernel_result(const KernelWork& work, const io::Json& claims);

}  // namespace nestor::report
