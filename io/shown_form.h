// Values of `show --as`: the forms to which a compute-near-memory kernel can be lowered, the form that lists
// the operations of a program with their values, and the tools to whose formats a mapping can be converted
// (io/neighbours).
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
