// Where a verb's JSON goes, and sentences that several verbs say.
#pragma once

#include <string>

#include "io/options.h"
#include "report/results/result_file.h"

namespace nestor::app {

/// To the file that --json names, if it names one.
io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json);
/// Tables are for people; with --json - standard output belongs to the JSON.
bool prints_tables(const io::RunOptions& options);

}  // namespace nestor::app
