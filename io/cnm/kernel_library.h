// The built-in kernels (kernel_template.h) as the library that estimates and searches use.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::io {

cnm::Library shipped_library();

}  // namespace nestor::io
