#include "io/chip/decisions_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "io/chip/reference.h"
#include "io/fields.h"

namespace nestor::io {
namespace {

using chip::ChipNetwork;
using chip::Decisions;
using chip::OperatorDecision;

constexpr IntRange decision_range = {1, Int{1} << 50};

constexpr std::array<std::string_view, 2> places = {"alu", "array"};

// The decisions of an operator and of a segment, as in a file.
struct OperatorEntry {
  std::size_t position = 0;
  std::optional<bool> on_array;  ///< only for products
  OperatorDecision decision;
};
struct SegmentEntry {
  chip::SegmentDecision decision;
  std::vector<OperatorEntry> operators;
};
struct Entries {
  std::optional<chip::Levels> levels;
  std::vector<SegmentEntry> segments;
};

// The fields of decisions for one network.
class DecisionFields {
 public:
  DecisionFields(const ChipNetwork& network, std::size_t most_entries)
      : network_(network), most_(most_entries), given_(network.operators.size()) {
    for (std::size_t i = 0; i < network.operators.size(); ++i)
      positions_.emplace(network.operators[i].name, i);
  }

  void describe(Fields& fields, Entries& entries) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      entries.levels.emplace();
      for (const auto& item : read_list(node, label, 1, chip_level_words.size(), reading))
        add_chip_level(chip_level_words[read_word(item, "level", chip_level_words, reading)],
                       *entries.levels);
    };
    const auto schema = [] {
      return list_schema({1, chip_level_words.size()}, words_schema(chip_level_words));
    };
    fields.field({"levels", always, read, [] {}, [&] { return levels_to_json(*entries.levels); }, schema,
                  "Levels of optimisation."});
    fields.list(
        "segments", required, {1, most_}, entries.segments, "segment",
        [&](Fields& inner, SegmentEntry& entry) { describe_segment(inner, entry); },
        [&](const Node& node, const SegmentEntry& entry, Reading& reading) {
          accept_segment(node, entry.decision, reading);
        },
        "Groups of consecutive operators of the network, which run one after another.");
  }

  std::size_t next() const { return next_; }

 private:
  static Json levels_to_json(chip::Levels levels) {
    Json words = Json::array({"cg"});
    if (levels.mvm) words.push_back("mvm");
    if (levels.stream) words.push_back("stream");
    if (levels.vvm) words.push_back("vvm");
    return words;
  }

  void describe_operator(Fields& fields, OperatorEntry& entry) const {
    describe_reference(fields, "name", entry.position, "");
    auto& decision = entry.decision;
    const auto read_place = [&](const Node& node, const std::string& label, Reading& reading) {
      entry.on_array = read_word(node, label, places, reading) == 1;
    };
    fields.field({"on", optional, read_place, [] {},
                  [&] { return entry.on_array ? Json(places[*entry.on_array ? 1 : 0]) : Json(); },
                  [] { return words_schema(places); }, "Unit that computes a product of two activations."});
    Default<Int> copies(1);
    copies.is_written = entry.on_array != false;
    fields.integer("copies", decision.copies, decision_range, copies, "Number of copies of the matrix.");
    fields.integer("parts", decision.parts, {0, decision_range.high}, 0,
                   "Number of row parts of the matrix; 0: the fewest that hold it.");
    fields.integer("phases", decision.phases, decision_range, 1, "");
    const auto read_core = [&](const Node& node, const std::string& label, Reading& reading) {
      if (node.text() == "null") return;
      decision.first_core = read_integer(node, label, {0, decision_range.high}, reading);
    };
    fields.field({"first_core", optional, read_core, [] {},
                  [&] { return decision.first_core ? Json(*decision.first_core) : Json(); },
                  [] {
                    return integer_schema({0, decision_range.high});
                  },
                  "Stated for all operators of a segment on crossbars, or for none."});
  }

  void describe_segment(Fields& fields, SegmentEntry& entry) {
    auto& segment = entry.decision;
    describe_reference(fields, "from", segment.first, "First operator.");
    describe_reference(fields, "to", segment.last, "Last operator.");
    const auto read_pipeline = [&](const Node& node, const std::string& label, Reading& reading) {
      constexpr std::array<std::string_view, 3> words = {"true", "false", chip_stream_word};
      const auto word = read_word(node, label, words, reading);
      segment.pipeline = word != 1;
      segment.stream = word == 2;
    };
    fields.field({"pipeline", always, read_pipeline, [] {}, [&] { return chip_pipeline_to_json(segment); },
                  [] { return chip_pipeline_schema(); }, "Whether the operators run as a pipeline."});
    fields.list(
        "operators", always, {0, most_}, entry.operators, "operator",
        [&](Fields& inner, OperatorEntry& op) { describe_operator(inner, op); },
        [&](const Node& node, const OperatorEntry& op, Reading& reading) {
          accept_operator(node, op, segment, reading);
        },
        "");
  }

  void describe_reference(Fields& fields, std::string_view key, std::size_t& position,
                          std::string_view meaning) const {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      position = read_reference(node, label, positions_, "an operator of the network", reading);
    };
    fields.field({key, required, read, [] {}, [&] { return Json(network_.operators[position].name); },
                  [] { return text_schema(); }, meaning});
  }

  void accept_segment(const Node& node, const chip::SegmentDecision& segment, Reading& reading) {
    const Node from = *node.find("from"), to = *node.find("to");
    if (segment.first != next_)
      reading.fail(from,
                   fmt::format("from is {}, expected {}: segments must be consecutive", quote(from.text()),
                               next_ < network_.operators.size() ? quote(network_.operators[next_].name)
                                                                 : "no further segment"));
    else if (segment.last < segment.first)
      reading.fail(
          to, fmt::format("to is {}, expected {} or a later operator", quote(to.text()), quote(from.text())));
    next_ = segment.last + 1;
  }

  void accept_operator(const Node& node, const OperatorEntry& entry, const chip::SegmentDecision& segment,
                       Reading& reading) {
    if (segment.first != next_ || segment.last < segment.first) return;  // reported for the segment
    const Node name = *node.find("name");
    if (entry.position < segment.first || entry.position > segment.last)
      return reading.fail(name, fmt::format("operator {} is not in this segment", quote(name.text())));
    if (given_.test_set(entry.position))
      return reading.fail(name, fmt::format("operator {} is given twice", quote(name.text())));
    const auto kind = network_.operators[entry.position].kind;
    if (entry.on_array && *entry.on_array != (kind == chip::OperatorKind::array) &&
        kind != chip::OperatorKind::product) {
      const Node on = *node.find("on");
      reading.fail(on, fmt::format("on is {}, but operator {} is of kind {}", quote(on.text()),
                                   quote(name.text()), chip::to_string(kind)));
    }
  }

  const ChipNetwork& network_;
  std::size_t most_;
  Places positions_;
  boost::dynamic_bitset<> given_;  ///< operators that have a decision
  std::size_t next_ = 0;           ///< the first operator after the segments so far
};

}  // namespace

Decisions read_chip_decisions_node(const Node& node, const ChipNetwork& network, chip::Mode mode,
                                   Reading& reading) {
  DecisionFields format(network, network.operators.size());
  Entries entries;
  read_fields(node, "decisions", reading, [&](Fields& fields) { format.describe(fields, entries); });
  Decisions decisions;
  if (!reading.failed() && format.next() != network.operators.size())
    reading.fail(*node.find("segments"),
                 fmt::format("the segments end before operator {}, expected all {} operators",
                             quote(network.operators[format.next()].name), network.operators.size()));
  if (reading.failed()) return decisions;
  decisions.levels = entries.levels ? chip::allowed(*entries.levels, mode) : chip::offered(mode);
  decisions.operators.resize(network.operators.size());
  for (const SegmentEntry& segment : entries.segments) {
    decisions.segments.push_back(segment.decision);
    for (const OperatorEntry& op : segment.operators) {
      auto& decision = decisions.operators[op.position] = op.decision;
      decision.on_array =
          op.on_array == true && network.operators[op.position].kind == chip::OperatorKind::product;
    }
  }
  // Without `levels`, the level stream applies if a segment streams and the mode has the level mvm.
  if (!entries.levels && chip::has_stream(decisions)) decisions.levels.stream = decisions.levels.mvm;
  return decisions;
}

Result<Decisions> read_chip_decisions(const std::string& path, const ChipNetwork& network, chip::Mode mode) {
  const auto document = Document::read(path);
  if (!document) return document.error();
  Reading reading;
  auto decisions = read_chip_decisions_node(document->root(), network, mode, reading);
  if (reading.failed()) return reading.error();
  return decisions;
}

Json chip_pipeline_to_json(const chip::SegmentDecision& segment) {
  return segment.stream ? Json(chip_stream_word) : Json(segment.pipeline);
}

Json chip_pipeline_schema() { return {{"enum", Json::array({true, false, chip_stream_word})}}; }

Json chip_decisions_to_json(const Decisions& decisions, const ChipNetwork& network) {
  Entries entries;
  entries.levels = decisions.levels;
  for (const auto& segment : decisions.segments) {
    auto& entry = entries.segments.emplace_back(SegmentEntry{segment, {}});
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      const auto kind = network.operators[i].kind;
      if (kind == chip::OperatorKind::alu) continue;
      auto& op = entry.operators.emplace_back(OperatorEntry{i, std::nullopt, decisions.operators[i]});
      if (kind != chip::OperatorKind::product) continue;
      op.on_array = op.decision.on_array;
      if (!op.decision.on_array) op.decision = {};
    }
  }
  DecisionFields format(network, network.operators.size());
  return write_fields([&](Fields& fields) { format.describe(fields, entries); });
}

Json chip_decisions_schema() {
  constexpr std::size_t most_operators = 1'000'000;
  const ChipNetwork none;
  DecisionFields format(none, most_operators);
  Entries entries;
  return schema_of([&](Fields& fields) { format.describe(fields, entries); }, SchemaKind::output);
}

}  // namespace nestor::io
