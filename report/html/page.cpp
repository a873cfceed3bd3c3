#include "report/html/page.h"

#include <fmt/format.h>

#include "report/html/assets.h"
#include "report/html/diff.h"
#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/keys/chip.h"
#include "report/keys/cim.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/keys/simd.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

std::string name_of(const Json& part) {
  return part.is_object() ? text_of(at(part, key::name)) : text_of(part);
}

// Returns the name of the run's input (a network, a netlist, a kernel or a program), or else its verb.
std::string subject_of(const Json& result) {
  if (auto name = text_of(at(at(at(result, key::offload), key::program), key::program)); !name.empty())
    return name;
  for (const std::string_view key : {key::network, key::netlist, key::kernel})
    if (auto name = name_of(at(result, key)); !name.empty()) return name;
  const auto plan = text_of(at(result, key::plan));
  return plan.empty() ? text_of(at(result, key::verb)) : plan;
}

std::string machine_of(const Json& result) {
  auto name = name_of(at(result, key::architecture));
  for (const auto& system : at(result, key::systems)) name += (name.empty() ? "" : ", ") + name_of(system);
  return name.empty() ? text_of(at(result, key::system)) : name;
}

std::string result_title(const Json& result) {
  const auto machine = machine_of(result);
  return shortened(subject_of(result), 60) + (machine.empty() ? "" : " on " + shortened(machine, 60));
}

std::string objective_of(const Json& result, const char* key) {
  return text_of(at(at(result, key::objective), key));
}

// Returns a text such as "21 of 21 layers proved optimal", or the status of a result without layers.
std::string proof_summary(const Json& result) {
  const auto& layers = at(result, key::layers);
  if (!layers.is_array()) return status_mark(at(result, key::status));
  std::size_t proved = 0;
  std::size_t claimed = 0;
  for (const auto& layer : layers) {
    const auto status = text_of(at(layer, key::status));
    if (!status.empty()) ++claimed;
    if (status == "optimal") ++proved;
  }
  return claimed == 0 ? "" : fmt::format("{} of {} layers proved optimal", proved, layers.size());
}

std::string options_of(const Json& result) {
  const auto& options = at(result, key::options);
  std::string text;
  if (options.is_object())
    for (const auto& [name, value] : options.items()) text += fmt::format("--{} {} ", name, text_of(value));
  return text.empty() ? "" : text_element("code", {}, text);
}

std::string inputs_of(const Json& result) {
  HtmlTable table("Inputs", {{"role", false}, {"name", false}, {"SHA-256", false}});
  for (const auto& input : at(result, key::inputs))
    table.add_row({escaped(text_of(at(input, key::role))), escaped(text_of(at(input, key::name))),
                   escaped(text_of(at(input, key::sha256)))});
  return table.empty() ? "" : element("details", {}, "<summary>Inputs</summary>" + table.to_string());
}

std::string producer_of(const Json& result) {
  const auto version = text_of(at(result, key::version));
  return version.empty() ? "" : escaped(fmt::format("nestor {} {}", version, text_of(at(result, key::verb))));
}

std::string head_of(const ReportedResult& reported) {
  const auto& result = reported.json;
  const auto& totals = at(result, key::totals);
  return facts({{"cycles", figure(at(totals, key::latency_cycles), Style::count)},
                {"energy", figure(at(totals, key::energy_pj), Style::energy)},
                {"EDP, pJ x cycles", figure(at(totals, key::edp), Style::plain)},
                {"proof", proof_summary(result)},
                {"least", escaped(objective_of(result, key::name))},
                {"latency model", escaped(objective_of(result, key::latency_model))},
                {"among", escaped(text_of(at(result, key::members)))},
                {"space", escaped(text_of(at(result, key::space)))},
                {"by", producer_of(result)},
                {"file", escaped(reported.name)},
                {"options", options_of(result)},
                {"machine's figures are from",
                 escaped(text_of(at(at(result, key::architecture), key::source)))}}) +
         inputs_of(result);
}

std::string section_of(const ReportedResult& reported, const std::string& id) {
  const auto space = text_of(at(reported.json, key::space));
  const auto schema = text_of(at(reported.json, key::schema));
  const std::string body = schema == key::sweep_schema        ? sweep_section(reported.json)
                           : schema == key::comparison_schema ? comparison_section(reported.json)
                           : space == "chip"                  ? chip_section(reported.json)
                           : space == "simd"                  ? netlist_section(reported.json)
                           : space == "cnm"                   ? kernel_section(reported.json)
                                                              : loop_nest_section(reported.json, id);
  return element("section", {{"id", id}, {"class", "result"}},
                 text_element("h2", {}, result_title(reported.json)) + "\n" + head_of(reported) + body) +
         "\n";
}

// Returns the figure by which results of a kind are compared: cycles, milliseconds or copies.
const Json& cost_of(const Json& json) {
  for (const auto key : {key::latency_cycles, key::time_ms, key::copies})
    if (const auto& cost = at(json, key); cost.is_number()) return cost;
  for (const auto key : {key::totals, key::offload})
    if (const auto& part = at(json, key); part.is_object()) return cost_of(part);
  const auto& evaluation = at(json, key::evaluation);
  return evaluation.is_object() && evaluation.contains(key::latency_cycles)
             ? at(evaluation, key::latency_cycles)
             : at(json, key::cycles);
}

const Json& layer_called(const Json& result, const std::string& name) {
  static const Json nothing;
  for (const auto& layer : at(result, key::layers))
    if (text_of(at(layer, key::name)) == name) return layer;
  return nothing;
}

// Adds a figure of one result and its change from the first result.
void add_compared(std::vector<std::string>& cells, const Json& cost, const Json& first, bool is_first) {
  cells.push_back(figure(cost, Style::count));
  if (is_first) return;
  const auto here = number_of(cost);
  const auto there = number_of(first);
  cells.push_back(here && there && *there != 0 ? escaped(io::change_text(*here / *there - 1)) : "");
}

// Returns the differences between the mappings of the layers that two results have in common.
std::string differences(const ReportedResult& first, const ReportedResult& second) {
  constexpr std::size_t most_layers = 200;
  std::string content;
  std::size_t count = 0;
  for (const auto& layer : at(first.json, key::layers)) {
    const auto name = text_of(at(layer, key::name));
    if (!at(layer, key::same_as).is_null() || ++count > most_layers) continue;
    const auto diff = mapping_diff({"1: " + shortened(first.name, 36), layer},
                                   {"2: " + shortened(second.name, 36), layer_called(second.json, name)});
    if (diff.empty()) continue;
    content +=
        element("details", {},
                element("summary", {}, text_element("h4", {}, "Mappings of " + shortened(name, 60))) + diff) +
        "\n";
  }
  return part(3, "Mappings of the first two results", content);
}

std::string comparison(std::span<const ReportedResult> results) {
  if (results.size() < 2) return "";
  std::vector<HtmlColumn> columns = {{"layer", false}};
  std::vector<std::string> totals = {"all"};
  for (std::size_t i = 0; i < results.size(); ++i) {
    columns.push_back(
        {fmt::format("{}: {} ({})", i + 1, result_title(results[i].json), shortened(results[i].name, 40))});
    if (i > 0) columns.push_back({"change"});
    add_compared(totals, cost_of(results[i].json), cost_of(results.front().json), i == 0);
  }
  HtmlTable table("Cycles, milliseconds or copies side by side; changes are relative to the first result",
                  columns);
  constexpr std::size_t most_layers = 2000;  // every name is searched for in every result
  std::size_t count = 0;
  for (const auto& layer : at(results.front().json, key::layers)) {
    if (++count > most_layers) break;
    const auto name = text_of(at(layer, key::name));
    std::vector<std::string> cells = {escaped(shortened(name, 60))};
    for (std::size_t i = 0; i < results.size(); ++i)
      add_compared(cells, cost_of(layer_called(results[i].json, name)), cost_of(layer), i == 0);
    table.add_row(cells);
  }
  table.add_total(totals);
  return part(2, "Side by side", table.to_string() + differences(results[0], results[1]));
}

std::string contents(std::span<const ReportedResult> results) {
  if (results.size() < 2) return "";
  std::string items;
  for (std::size_t i = 0; i < results.size(); ++i)
    items += element("li", {},
                     element("a", {{"href", fmt::format("#r{}", i + 1)}},
                             escaped(fmt::format("{}: {} ({})", i + 1, result_title(results[i].json),
                                                 shortened(results[i].name, 60)))));
  return element("nav", {{"aria-label", "Results"}}, element("ul", {}, items)) + "\n";
}

}  // namespace

std::string page(std::span<const ReportedResult> results) {
  const auto title =
      results.size() == 1 ? result_title(results.front().json) : fmt::format("{} results", results.size());
  std::string body;
  for (std::size_t i = 0; i < results.size(); ++i) body += section_of(results[i], fmt::format("r{}", i + 1));
  const auto policy = fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action "
      "'none'",
      style_digest, script_digest);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{} - Nestor</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<header><h1>Nestor report</h1></header>\n{}<main>\n{}{}</main>\n"
      "<footer>Energies are estimates from the machine's figures. A status of optimal means that the lower "
      "bound "
      "equals the objective.</footer>\n<script>{}</script>\n</body>\n</html>\n",
      policy, escaped(title), style, contents(results), comparison(results), body, script);
}

std::string part(int level, std::string_view title, std::string_view content) {
  if (content.empty()) return "";
  return element("section", {},
                 text_element(fmt::format("h{}", level), {}, title) + "\n" + std::string(content)) +
         "\n";
}

std::string folded(std::string_view summary, std::string_view content) {
  if (content.empty()) return "";
  return element("details", {}, text_element("summary", {}, summary) + std::string(content)) + "\n";
}

std::string with_caption(std::string_view picture, std::string_view caption) {
  return element("figure", {}, std::string(picture) + text_element("figcaption", {}, caption)) + "\n";
}

}  // namespace nestor::report::html
