// The schedule of a compiled network as a picture (SVG): one bar per operator over time, broken where it
// waits, rewriting and spilling between segments, and beneath them the crossbars in use at every moment.
#pragma once

#include <string>

#include "model/chip/evaluate.h"

namespace nestor::report {

std::string schedule_picture(const chip::ChipProblem& problem, const chip::Decisions& decisions);

}  // namespace nestor::report
