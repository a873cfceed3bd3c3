#include "io/cnm/program_file.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

std::string term_text(const cnm::AffineExpr& expr) {
  std::string text;
  const auto add = [&](const std::string& term) { text += (text.empty() ? "" : "+") + term; };
  for (std::size_t d = 0; d < expr.factors.size(); ++d) {
    if (expr.factors[d] == 0) continue;
    add(expr.factors[d] == 1 ? fmt::format("d{}", d) : fmt::format("{}*d{}", expr.factors[d], d));
  }
  if (expr.constant != 0 || text.empty()) add(fmt::format("{}", expr.constant));
  return text;
}

Json kernel_json(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation) {
  const cnm::Kernel& kernel = *operation.kernel;
  Json json = {{"dims", kernel.extents}, {"reduction", Json::array()}};
  for (const bool reduced : kernel.reduction) json["reduction"].push_back(reduced ? 1 : 0);
  auto operands = Json::array();
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
    auto map = Json::array();
    for (const auto& expr : kernel.operands[i].map) map.push_back(term_text(expr));
    operands.push_back({{"value", program.values[operation.operands[i]].name},
                        {"map", std::move(map)},
                        {"out", kernel.operands[i].output}});
  }
  json["operands"] = std::move(operands);
  auto region = Json::array();
  for (const auto& step : kernel.region)
    if (step.kind != cnm::RegionStep::Kind::constant)
      region.push_back(step.text.substr(0, step.text.find(' ')));
  json["region"] = std::move(region);
  return json;
}

}  // namespace

Json to_json(const cnm::KernelProgram& program) {
  const auto names = [&](const std::vector<std::size_t>& list) {
    auto array = Json::array();
    for (const auto value : list) array.push_back(program.values[value].name);
    return array;
  };
  Json json = {{"program", program.name}, {"values", Json::object()}};
  for (const auto& [name, type, bytes] : program.values) {
    Json& value = json["values"][name] = Json::object();
    if (!type.empty()) value["type"] = type;
    value["bytes"] = bytes;
  }
  json["inputs"] = names(program.inputs);
  json["outputs"] = names(program.outputs);
  json["constants"] = names(program.constants);
  auto operations = Json::array();
  for (const auto& operation : program.operations) {
    Json entry = {
        {"name", operation.name}, {"reads", names(operation.reads)}, {"writes", names(operation.writes)}};
    if (operation.kernel) entry["kernel"] = kernel_json(program, operation);
    if (!operation.host.empty()) entry["host"] = operation.host;
    operations.push_back(std::move(entry));
  }
  json["ops"] = std::move(operations);
  return json;
}

}  // namespace nestor::io
