#include "io/cnm/slot_costs.h"

#include <fmt/format.h>

namespace nestor::io {

using cnm::SlotCost;
using cnm::System;

std::string to_text(const SlotCost& cost) {
  if (cost.is_barrier) return "barrier";
  std::string text = fmt::format("{}", cost.base);
  if (cost.plus_k) text += " + k";
  if (cost.bytes_per_slot > 0) text += fmt::format(" + bytes/{}", cost.bytes_per_slot);
  return text;
}

Result<SlotCost> parse_slot_cost(std::string_view text) {
  SlotCost cost;
  if (text == "barrier") {
    cost.is_barrier = true;
    return cost;
  }
  std::string packed;
  for (const char c : text)
    if (c != ' ') packed += c;
  bool first = true;
  std::string_view rest = packed;
  while (first || !rest.empty()) {
    const auto plus = rest.find('+');
    const auto term = rest.substr(0, plus);
    rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
    const auto bad = input_error({}, "no slots");
    if (first) {
      const auto base = to_integer(term);
      if (!base || *base < 0 || *base > 1'000'000) return bad;
      cost.base = *base;
      first = false;
    } else if (term == "k" && !cost.plus_k) {
      cost.plus_k = true;
    } else if (term.substr(0, 6) == "bytes/" && cost.bytes_per_slot == 0) {
      const auto per = to_integer(term.substr(6));
      if (!per || *per < 1 || *per > 4096) return bad;
      cost.bytes_per_slot = *per;
    } else {
      return bad;
    }
  }
  return cost;
}

namespace {

SlotCost read_slot_cost(const Node& node, const std::string& what, Reading& reading) {
  const auto cost = parse_slot_cost(node.text());
  if (cost) return *cost;
  reading.fail(
      node, fmt::format("{} is {}, expected slots such as 4, 8 + k or 16 + bytes/4", what, node.describe()));
  return {};
}

Json slot_cost_to_json(const SlotCost& cost) {
  const bool plain = !cost.is_barrier && !cost.plus_k && cost.bytes_per_slot == 0;
  return plain ? Json(cost.base) : Json(to_text(cost));
}

Json slot_cost_schema() {
  const Json text = {{"type", "string"}, {"pattern", "^(barrier|[0-9]+( \\+ k)?( \\+ bytes/[0-9]+)?)$"}};
  return {{"description", "Issue slots, such as 4, \"8 + k\", \"16 + bytes/4\" or \"barrier\"."},
          {"oneOf", Json::array({integer_schema({0, 1'000'000}), text})}};
}

}  // namespace

void describe_operations(Fields& fields, System& system) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const MapReader ops(node, label, cnm::operations.words, reading);
    for (std::size_t i = 0; node.is_map() && i < node.size() && !reading.failed(); ++i) {
      const std::string name = fmt::format("{}.{}", label, node.key(i).text());
      const Node costs = node.value(i);
      const MapReader types(costs, name, cnm::element_types.words, reading);
      for (std::size_t t = 0; costs.is_map() && t < costs.size() && !reading.failed(); ++t)
        system.cost(*cnm::operations.find(node.key(i).text()),
                    *cnm::element_types.find(costs.key(t).text())) =
            read_slot_cost(costs.value(t), fmt::format("{}.{}", name, costs.key(t).text()), reading);
    }
  };
  const auto write = [&] {
    Json json;
    for (const cnm::Op op : cnm::operations.values)
      for (const cnm::Type type : cnm::element_types.values)
        if (const SlotCost& cost = system.cost(op, type); cost.known())
          json[std::string(cnm::operations.word(op))][std::string(cnm::element_types.word(type))] =
              slot_cost_to_json(cost);
    return json;
  };
  const auto schema = [] {
    return map_schema(cnm::operations.words, map_schema(cnm::element_types.words, slot_cost_schema()));
  };
  fields.field({"ops", optional, read, [] {}, write, schema,
                "Slots of an operation by element type; an omitted operation is not supported."});
}

void describe_calls(Fields& fields, System& system) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (!node.is_map())
      return reading.fail(node, fmt::format("{} is {}, expected a map", label, node.describe()));
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i) {
      const auto name = read_name(node.key(i), "name of a call", reading);
      if (name.find('.') != std::string::npos)
        reading.fail(node.key(i), fmt::format("name of a call is {}, expected no '.'", quote(name)));
      system.calls[name] = read_slot_cost(node.value(i), fmt::format("{}.{}", label, name), reading);
    }
  };
  const auto write = [&] {
    Json json;
    for (const auto& [name, cost] : system.calls) json[name] = slot_cost_to_json(cost);
    return json;
  };
  fields.field({"calls", optional, read, [] {}, write, [] { return map_schema({}, slot_cost_schema()); },
                "Slots of a call by the name of the function."});
}

}  // namespace nestor::io
