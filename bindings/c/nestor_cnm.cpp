// SPDX-License-Identifier: Apache-2.0
// Estimates of compute-near-memory kernels for the C API of the desktop. No exception leaves these functions,
// and they keep no state between calls.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "bindings/c/message.h"
#include "bindings/c/nestor_files.h"
#include "io/cnm/kernel_library.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace {

using nestor::c_api::tell;
using nestor::io::Result;

// Text with a line break or ": " is YAML; any other text is the name or the path of a system.
Result<nestor::cnm::System> system_of(std::string_view text) {
  if (text.find('\n') == std::string_view::npos && text.find(": ") == std::string_view::npos)
    return nestor::io::read_cnm_system(std::string(text), {});
  const auto document = nestor::io::Document::parse(text, "system");
  if (!document) return document.error();
  return nestor::io::cnm_system_from(document->root());
}

void fill(const nestor::cnm::KernelEstimate& estimate, nestor_cnm_result& result) {
  result.time_ms = estimate.time_ms;
  result.cycles = estimate.cycles;
  constexpr std::size_t most = sizeof result.cause / sizeof result.cause[0];
  for (const auto& [map, figures] : estimate.maps) {
    result.launch_ms += figures.host.launch_ms;
    result.reduce_ms += figures.host.reduce_ms;
    result.transfer_ms += figures.host.transfer_ms;
    for (std::size_t i = 0; i < std::min(most, figures.causes.size()); ++i) {
      nestor_cnm_cause& cause = result.cause[i];
      const auto name = figures.causes[i].name.substr(0, sizeof cause.name - 1);
      std::memcpy(cause.name, name.data(), name.size());
      cause.share += estimate.cycles > 0 ? figures.causes[i].cycles / estimate.cycles : 0;
      result.causes = std::max(result.causes, static_cast<std::uint32_t>(i + 1));
    }
  }
}

nestor_status estimate(std::string_view mlir, std::string_view system_text, std::string_view mapping_text,
                       nestor_cnm_result& result, std::string& fault) {
  const auto refuse = [&fault](std::string why) {
    fault = std::move(why);
    return NESTOR_BAD_FILE;
  };
  const auto system = system_of(system_text);
  if (!system) return refuse(system.error().to_string());
  if (system->target == nestor::cnm::Target::host)
    return refuse("the system is the host: expected a system for kernels");
  const auto kernel = nestor::io::parse_mlir(mlir, "mlir");
  if (!kernel) return refuse(kernel.error().to_string());
  const auto mapping = nestor::io::parse_cnm_mapping(mapping_text, "mapping");
  if (!mapping) return refuse(mapping.error().to_string());
  const auto estimate =
      nestor::cnm::estimate_kernel(*kernel, *mapping, *system, nestor::io::shipped_library());
  if (!estimate.refusal.empty()) return refuse(estimate.refusal);
  fill(estimate, result);
  return NESTOR_RUNNING;
}

}  // namespace

nestor_status nestor_cnm_estimate_for(uint32_t abi, const char* mlir, const char* system, const char* mapping,
                                      nestor_cnm_result* result, char* message, size_t message_bytes) {
  tell("", message, message_bytes);
  if (abi != NESTOR_ABI) return NESTOR_ABI_MISMATCH;
  if (mlir == nullptr || system == nullptr || mapping == nullptr || result == nullptr)
    return NESTOR_BAD_ARGUMENT;
  *result = {};
  try {
    std::string fault;
    const nestor_status status = estimate(mlir, system, mapping, *result, fault);
    if (status != NESTOR_RUNNING) *result = {};
    tell(fault, message, message_bytes);
    return status;
  } catch (const std::exception& thrown) {
    tell(thrown.what(), message, message_bytes);
    return NESTOR_BAD_FILE;
  }
}
