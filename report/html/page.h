// The HTML report: one file that needs no network, no other file and no script to be read. The results of one
// or several runs become tables and pictures; several are compared first. Scripts and styles are those of the
// page alone: its content security policy admits nothing else, by digest.
//
//   const auto results = read_reported("resnet18.json");   // or take the JSON of a run
//   write_file("report.html", html::page({{"resnet18.json", json}}));
#pragma once

#include <span>
#include <string>

#include "io/error.h"
#include "report/html/sections.h"

namespace nestor::report::html {

/// Reads a result of any space, and checks what a typed reader of its space can. Adds the sizes of tiles
/// where a result of cim leaves them to its reader.
io::Result<ReportedResult> read_reported(const std::string& path);
/// The same of a run's JSON that was never a file.
io::Result<ReportedResult> take_reported(const std::string& name, const io::Json& json);

std::string page(std::span<const ReportedResult> results);

}  // namespace nestor::report::html
