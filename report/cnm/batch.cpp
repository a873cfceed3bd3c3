#include "report/cnm/batch.h"

#include <fmt/format.h>

#include "io/cnm/mapping_file.h"
#include "io/printable.h"
#include "report/cnm/kernel_work.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"

namespace nestor::report {
namespace {

constexpr int most_depth = 16;

io::Json error_of(std::string_view why) { return {{key::error, why}}; }

}  // namespace

std::vector<cnm::NamedShare> causes_of(const cnm::KernelEstimate& estimate) {
  std::vector<cnm::NamedShare> causes;
  for (const auto& [map, figures] : estimate.maps)
    for (std::size_t i = 0; i < figures.causes.size(); ++i) {
      if (i == causes.size()) causes.push_back({figures.causes[i].name, 0});
      causes[i].cycles += figures.causes[i].cycles;
    }
  return causes;
}

BatchEstimate::BatchEstimate(const cnm::Kernel& kernel, const cnm::System& system)
    : kernel_(kernel), system_(system), library_(shipped_library()) {}

io::Json BatchEstimate::answer_to(const io::Json& question) {
  for (const auto& [key, value] : question.items())
    if (key != key::id && key != key::mapping)
      return error_of(fmt::format("unknown key '{}', expected id and mapping", io::printable(key)));
  const auto given = question.find(key::mapping);
  if (given == question.end()) return error_of("expected key 'mapping', found none");
  if (!given->is_string() && !given->is_object())
    return error_of("mapping: expected a string or an object with key 'maps'");
  const auto mapping =
      io::parse_cnm_mapping(given->is_string() ? given->get<std::string>() : given->dump(), "mapping");
  if (!mapping) return error_of(mapping.error().to_string());
  const auto estimate = cnm::estimate_kernel(kernel_, *mapping, system_, library_, &memory_);
  if (!estimate.refusal.empty()) return error_of(estimate.refusal);
  auto causes = io::Json::object();
  for (const auto& cause : causes_of(estimate)) causes[std::string(cause.name)] = cause.cycles;
  return {{key::time_ms, estimate.time_ms}, {key::cycles, estimate.cycles}, {key::causes, std::move(causes)}};
}

std::string BatchEstimate::answer(std::string_view line, std::size_t number) {
  // Values that are nested deeper than a mapping are dropped, so that the depth of inputs is limited.
  const auto question = io::Json::parse(
      line, [](int depth, io::Json::parse_event_t, const io::Json&) { return depth < most_depth; }, false);
  const bool is_object = question.is_object();
  io::Json answer = io::Json::object();
  if (is_object && question.contains(key::id))
    answer[key::id] = question[key::id];
  else
    answer[key::line] = number;
  const auto rest = !is_object ? error_of("expected a JSON object") : answer_to(question);
  failed_ += static_cast<std::size_t>(rest.contains(key::error));
  for (const auto& [key, value] : rest.items()) answer[key] = value;
  return answer.dump(-1, ' ', false, io::Json::error_handler_t::replace);
}

}  // namespace nestor::report
