// The HTML report: one file that can be read without a network, other files or scripts. The results of one or
// several runs become tables and pictures; several results are compared first. The content security policy
// admits only the page's own scripts and styles, by digest.
//
//   const auto results = read_reported("resnet18.json");   // or use the JSON of a run
//   write_file("report.html", html::page({{"resnet18.json", json}}));
#pragma once

#include <span>
#include <string>

#include "io/error.h"
#include "report/html/sections.h"

namespace nestor::report::html {

/// Reads a result of any space and checks it with the typed reader of its space, if there is one. Adds to a
/// result of cim what the report shows and the result lacks: the sizes of tiles and the energy by part, and
/// to replayed layers the beginning of their timeline (`timeline`, in the form of --trace).
io::Result<ReportedResult> read_reported(const std::string& path);
/// Checks the JSON of a run as read_reported() checks a file, except that a pim result is not read by its
/// reader.
io::Result<ReportedResult> take_reported(const std::string& name, const io::Json& json);

std::string page(std::span<const ReportedResult> results);

}  // namespace nestor::report::html
