// Sections of the page. Each function converts the JSON of one kind of result to markup.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report::html {

/// A result and its name on the page.
struct ReportedResult {
  std::string name;  ///< name as given
  io::Json json;
};

/// Section of cim and pim results. `prefix` begins the ids of its parts.
std::string loop_nest_section(const io::Json& result, const std::string& prefix);
std::string chip_section(const io::Json& result);
std::string netlist_section(const io::Json& result);
std::string kernel_section(const io::Json& result);

/// Returns a scatter plot of latency and energy with a table of the same points, or an empty string if there
/// are no points.
std::string front_section(const io::Json& front);

/// Returns a part of the page under a heading of the given level, or an empty string if there is no content.
std::string part(int level, std::string_view title, std::string_view content);
/// Returns a picture with a caption.
std::string with_caption(std::string_view picture, std::string_view caption);

}  // namespace nestor::report::html
