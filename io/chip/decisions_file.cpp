#include "io/chip/decisions_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "io/chip/reference.h"

namespace nestor::io {
namespace {

using chip::ChipNetwork;
using chip::Decisions;
using chip::OperatorDecision;

constexpr IntRange decision_range = {1, Int{1} << 50};

class DecisionsReader {
 public:
  DecisionsReader(const ChipNetwork& network, chip::Mode mode, Reading& reading)
      : network_(network), mode_(mode), reading_(reading), given_(network.operators.size()) {
    for (std::size_t i = 0; i < network.operators.size(); ++i)
      positions_.emplace(network.operators[i].name, i);
  }

  Decisions read(const Node& node) {
    const MapReader top(node, "decisions", chip_decision_keys::top, reading_);
    result_.levels = chip::offered(mode_);
    const auto levels = top.find("levels");
    if (levels) read_levels(*levels);
    result_.operators.resize(network_.operators.size());
    for (const auto& item : top.list("segments", 1, network_.operators.size())) {
      read_segment(item);
      if (reading_.failed()) return result_;
    }
    // Without `levels`, the level stream applies if a segment streams and the mode has the level mvm.
    if (!levels && std::any_of(result_.segments.begin(), result_.segments.end(),
                               [](const auto& segment) { return segment.stream; }))
      result_.levels.stream = result_.levels.mvm;
    if (const auto segments = top.find("segments"); segments && next_ != network_.operators.size())
      reading_.fail(*segments, fmt::format("the segments end before operator {}, expected all {} operators",
                                           quote(network_.operators[next_].name), network_.operators.size()));
    return std::move(result_);
  }

 private:
  void read_levels(const Node& node) {
    chip::Levels levels;
    for (const auto& item : read_list(node, "levels", 1, chip_level_words.size(), reading_)) {
      add_chip_level(chip_level_words[read_word(item, "level", chip_level_words, reading_)], levels);
    }
    result_.levels = chip::allowed(levels, mode_);
  }

  std::size_t find_operator(const Node& node, std::string_view what) {
    return read_reference(node, what, positions_, "an operator of the network", reading_);
  }

  void read_segment(const Node& node) {
    const MapReader map(node, "segment", chip_decision_keys::segment, reading_);
    const auto from = map.require("from");
    const auto to = map.require("to");
    if (!from || !to) return;
    chip::SegmentDecision segment{find_operator(*from, "from"), find_operator(*to, "to")};
    if (const auto pipeline = map.find("pipeline")) {
      constexpr std::array<std::string_view, 3> words = {"true", "false", chip_stream_word};
      const auto word = read_word(*pipeline, "pipeline", words, reading_);
      segment.pipeline = word != 1;
      segment.stream = word == 2;
    }
    if (reading_.failed()) return;
    if (segment.first != next_)
      reading_.fail(*from,
                    fmt::format("from is {}, expected {}: segments must be consecutive", quote(from->text()),
                                next_ < network_.operators.size() ? quote(network_.operators[next_].name)
                                                                  : "no further segment"));
    else if (segment.last < segment.first)
      reading_.fail(*to, fmt::format("to is {}, expected {} or a later operator", quote(to->text()),
                                     quote(from->text())));
    next_ = segment.last + 1;
    result_.segments.push_back(segment);
    if (const auto operators = map.find("operators"))
      for (const auto& item : read_list(*operators, "operators", 0, network_.operators.size(), reading_))
        read_operator(item, segment);
  }

  void read_operator(const Node& node, const chip::SegmentDecision& segment) {
    const MapReader map(node, "operator", chip_decision_keys::op, reading_);
    const auto name = map.require("name");
    if (!name) return;
    const std::size_t position = find_operator(*name, "name");
    if (!reading_.failed() && (position < segment.first || position > segment.last))
      reading_.fail(*name, fmt::format("operator {} is not in this segment", quote(name->text())));
    if (!reading_.failed() && given_.test_set(position))
      reading_.fail(*name, fmt::format("operator {} is given twice", quote(name->text())));
    OperatorDecision decision;
    constexpr std::array<std::string_view, 2> places = {"alu", "array"};
    if (const auto on = map.find("on")) {
      const bool array = read_word(*on, "on", places, reading_) == 1;
      const auto kind = network_.operators[position].kind;
      decision.on_array = array && kind == chip::OperatorKind::product;
      if (!reading_.failed() && array != (kind == chip::OperatorKind::array) &&
          kind != chip::OperatorKind::product)
        reading_.fail(*on, fmt::format("on is {}, but operator {} is of kind {}", quote(on->text()),
                                       quote(name->text()), chip::to_string(kind)));
    }
    decision.copies = map.integer("copies", decision_range, 1);
    decision.parts = map.integer("parts", {0, decision_range.high}, 0);
    decision.phases = map.integer("phases", decision_range, 1);
    if (const auto core = map.find("first_core"); core && core->text() != "null")
      decision.first_core = read_integer(*core, "first_core", {0, decision_range.high}, reading_);
    if (!reading_.failed()) result_.operators[position] = decision;
  }

  const ChipNetwork& network_;
  chip::Mode mode_;
  Reading& reading_;
  Decisions result_;
  std::size_t next_ = 0;
  Places positions_;
  boost::dynamic_bitset<> given_;  ///< operators that have a decision
};

Json decision_to_json(const OperatorDecision& decision, const chip::Operator& op) {
  Json json = {{"name", op.name}};
  if (op.kind == chip::OperatorKind::product) json["on"] = decision.on_array ? "array" : "alu";
  if (op.kind == chip::OperatorKind::product && !decision.on_array) return json;
  json["copies"] = decision.copies;
  if (decision.parts != 0) json["parts"] = decision.parts;
  if (decision.phases != 1) json["phases"] = decision.phases;
  if (decision.first_core) json["first_core"] = *decision.first_core;
  return json;
}

}  // namespace

Decisions read_chip_decisions_node(const Node& node, const ChipNetwork& network, chip::Mode mode,
                                   Reading& reading) {
  return DecisionsReader(network, mode, reading).read(node);
}

Result<Decisions> read_chip_decisions(const std::string& path, const ChipNetwork& network, chip::Mode mode) {
  const auto document = Document::read(path);
  if (!document) return document.error();
  Reading reading;
  auto decisions = read_chip_decisions_node(document->root(), network, mode, reading);
  if (reading.failed()) return reading.error();
  return decisions;
}

Json chip_levels_to_json(chip::Levels levels) {
  Json words = Json::array({"cg"});
  if (levels.mvm) words.push_back("mvm");
  if (levels.stream) words.push_back("stream");
  if (levels.vvm) words.push_back("vvm");
  return words;
}

Json chip_pipeline_to_json(const chip::SegmentDecision& segment) {
  return segment.stream ? Json(chip_stream_word) : Json(segment.pipeline);
}

Json chip_decisions_to_json(const Decisions& decisions, const ChipNetwork& network) {
  Json json = {{"levels", chip_levels_to_json(decisions.levels)}};
  auto& segments = json["segments"] = Json::array();
  for (const auto& segment : decisions.segments) {
    Json entry = {{"from", network.operators[segment.first].name},
                  {"to", network.operators[segment.last].name},
                  {"pipeline", chip_pipeline_to_json(segment)}};
    auto& operators = entry["operators"] = Json::array();
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      if (network.operators[i].kind != chip::OperatorKind::alu)
        operators.push_back(decision_to_json(decisions.operators[i], network.operators[i]));
    segments.push_back(std::move(entry));
  }
  return json;
}

}  // namespace nestor::io
