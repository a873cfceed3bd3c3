// Words of `show --as`: what a kernel near memory is lowered to, a program's operations and their values, and
// the tools whose mappings have a form of their own (io/neighbours).
#pragma once

#include <cstdint>

#include "base/enum_words.h"

namespace nestor::io {

enum class ShownForm : std::uint8_t { mlir, cnm, llvcnm, program, zigzag, timeloop, accelforge };
inline constexpr auto shown_forms = enum_words<ShownForm>({{ShownForm::mlir, "mlir"},
                                                           {ShownForm::cnm, "cnm"},
                                                           {ShownForm::llvcnm, "llvcnm"},
                                                           {ShownForm::program, "program"},
                                                           {ShownForm::zigzag, "zigzag"},
                                                           {ShownForm::timeloop, "timeloop"},
                                                           {ShownForm::accelforge, "accelforge"}});

}  // namespace nestor::io
