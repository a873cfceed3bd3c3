// What a result of compile claims to have proved, against what a search made again has proved.
#pragma once

#include "model/chip/search/compile.h"
#include "report/chip/verify/result_check.h"

namespace nestor::report {

/// What `found` decides is no longer among the entries that are not checked.
void check_claim(const chip::CompileOutcome& found, io::CompileCheck& check);

}  // namespace nestor::report
