// The schedule of a compiled network as a picture (SVG). Each operator has a bar over time, interrupted where
// it waits. Rewriting and spilling are between segments, and the crossbars in use are shown below.
#pragma once

#include <string>

#include "model/chip/evaluate.h"

namespace nestor::report {

std::string schedule_picture(const chip::ChipProblem& problem, const chip::Decisions& decisions);

}  // namespace nestor::report
