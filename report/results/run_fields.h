// Parts of a result that are the same in all loop-nest spaces: the options and the inputs of the run.
#pragma once

#include "io/checked_reader.h"
#include "report/results/result_file.h"

namespace nestor::io {

/// Under `options` and `inputs` of a result; nothing where there is none.
std::vector<std::pair<std::string, std::string>> read_run_options(const MapReader& top, Reading& reading);
std::vector<ResultInput> read_run_inputs(const MapReader& top, Reading& reading);

}  // namespace nestor::io
