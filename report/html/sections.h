// Sections of the page, one function per kind of result. Each returns markup and takes the result's JSON.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report::html {

/// A result and what it is called on the page.
struct ReportedResult {
  std::string name;  ///< as it was given
  io::Json json;
};

/// Of cim and pim. `prefix` begins the ids of its parts.
std::string loop_nest_section(const io::Json& result, const std::string& prefix);
std::string chip_section(const io::Json& result);
std::string netlist_section(const io::Json& result);
std::string kernel_section(const io::Json& result);

/// A scatter of latency and energy, and the same as a table; empty without points.
std::string front_section(const io::Json& front);

/// A part of the page under a heading of the given level, if it has content.
std::string part(int level, std::string_view title, std::string_view content);
/// A picture with a caption.
std::string with_caption(std::string_view picture, std::string_view caption);

}  // namespace nestor::report::html
