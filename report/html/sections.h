// Sections of the HTML report. Each function converts the JSON of one kind of result to markup.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report::html {

/// A result and its name in the report.
struct ReportedResult {
  std::string name;  ///< name as given
  io::Json json;
};

/// Returns the section of a cim or pim result. The ids of its elements begin with `prefix`.
std::string loop_nest_section(const io::Json& result, const std::string& prefix);
std::string chip_section(const io::Json& result);
std::string netlist_section(const io::Json& result);
std::string kernel_section(const io::Json& result);
/// Return the sections of the table that a sweep exports, and of the comparison of solvers.
std::string sweep_section(const io::Json& sweep);
std::string comparison_section(const io::Json& comparison);

/// Returns a scatter plot of latency and energy with a table of the same points, or an empty string if there
/// are no points.
std::string front_section(const io::Json& front);

/// Returns a part of the report under a heading of the given level, or an empty string if there is no
/// content.
std::string part(int level, std::string_view title, std::string_view content);
/// Returns content that is shown on request, under a summary, or an empty string if there is no content.
std::string folded(std::string_view summary, std::string_view content);
/// Returns a picture with a caption.
std::string with_caption(std::string_view picture, std::string_view caption);

}  // namespace nestor::report::html
