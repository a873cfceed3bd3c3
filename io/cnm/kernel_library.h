// The built-in kernels (kernel_template.h) in the form that estimates and searches request.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::io {

cnm::Library shipped_library();

}  // namespace nestor::io
