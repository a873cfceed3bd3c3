#include "report/simd/schedule_source.h"

#include <fmt/format.h>

#include "io/checked_reader.h"
#include "io/netlist/energies.h"
#include "io/options.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/results/result_parts.h"
#include "report/results/simd/schedule_file.h"
#include "report/verify/comparison.h"

namespace nestor::report {
namespace {

using io::Json;

bool is_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// Returns the lines of a result's schedule.
io::Result<std::string> text_of(const io::Node& root) {
  io::Reading reading;
  const auto schedule = root.find(key::schedule);
  if (!schedule)
    return io::input_error(root.where(),
                           "has no key 'schedule', expected a schedule or a result of `nestor schedule`");
  std::string text;
  for (const auto& line : io::read_list(*schedule, key::schedule, 1, io::result_limits.nodes, reading)) {
    text += io::read_text(line, "a line of the schedule", reading);
    text += '\n';
  }
  if (reading.failed()) return reading.error();
  return text;
}

// True if the document has any key besides the two that `show` writes.
bool is_result(const Json& document) {
  if (!document.is_object()) return false;
  for (const auto& [name, value] : document.items())
    if (name != key::space && name != key::schedule) return true;
  return false;
}

}  // namespace

io::Result<ScheduleSource> read_schedule_source(const std::string& file) {
  auto text = io::read_file(file, io::schedule_size_limit);
  if (!text) return text.error();
  ScheduleSource source;
  if (!is_json(*text)) {
    source.text = std::move(*text);
    return source;
  }
  const auto document = io::Document::parse(*text, file, io::result_limits);
  if (!document) return document.error();
  if (document->root().find(key::schema))
    if (auto error = io::check_schema(document->root())) return *error;
  auto schedule = text_of(document->root());
  if (!schedule) return schedule.error();
  source.text = std::move(*schedule);
  auto result = Json::parse(*text, nullptr, false);
  if (const auto& inputs = io::value_or_null(result, key::inputs); inputs.is_array())
    for (const Json& input : inputs)
      if (const auto& name = io::value_or_null(input, key::name);
          io::value_or_null(input, key::role) == key::netlist && name.is_string())
        source.netlist = name.get<std::string>();
  if (is_result(result)) source.result = std::move(result);
  return source;
}

io::Result<simd::EnergyModel> energy_of_options(const Json& result) {
  const Json& given = io::value_or_null(io::value_or_null(result, key::options), "set");
  return given.is_string() ? io::read_energies(io::split_words(given.get<std::string>()))
                           : simd::EnergyModel{};
}

io::Json shown_schedule_json(const ScheduleSource& source) {
  if (!source.result.is_null()) return source.result;
  return {{key::space, "simd"}, {key::schedule, io::schedule_lines(source.text)}};
}

}  // namespace nestor::report
