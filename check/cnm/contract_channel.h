// The contract of a kernel on HBM-PIM.
#pragma once

#include "check/cnm/contract.h"
#include "check/cnm/pim.h"

namespace nestor::check::cnm {

/// Reads the text of a stream in the form that results contain, and passes its groups to `take`.
void read_stream(const std::string& text, const PimMachine& machine,
                 const std::function<void(const Group&)>& take);

KernelContract channel_contract(const KernelClaims& claims);

}  // namespace nestor::check::cnm
