#include <algorithm>

#include "model/chip/second_reading/operator_reading.h"

namespace nestor::chip_reading {
namespace {

std::string text(Wide number) { return std::to_string(static_cast<long long>(number)); }

class Rules {
 public:
  Rules(const chip::ChipMachine& machine, const chip::ChipNetwork& network, const chip::Decisions& decisions)
      : machine_(machine), network_(network), decisions_(decisions) {}

  std::vector<std::string> run() {
    levels();
    covered();
    if (decisions_.operators.size() != network_.operators.size()) {
      found_.emplace_back("decisions do not match the network's operators");
      return std::move(found_);
    }
    for (std::size_t i = 0; i < network_.operators.size(); ++i) one(i);
    if (machine_.functions)
      for (const auto& op : network_.operators) functions(op);
    // The checks of cores and buffers require decisions that are in range.
    if (!found_.empty()) return std::move(found_);
    for (const auto& segment : decisions_.segments) cores(segment);
    if (machine_.l0.strict && machine_.l0.size != chip::left_out) buffer();
    return std::move(found_);
  }

 private:
  void levels() {
    const bool mvm = machine_.mode != chip::Mode::CM;
    const bool vvm = machine_.mode == chip::Mode::WLM;
    if (decisions_.levels.mvm && !mvm) found_.emplace_back("level mvm is not offered in mode CM");
    if (decisions_.levels.vvm && !(vvm && decisions_.levels.mvm))
      found_.emplace_back("level vvm needs level mvm and mode WLM");
    if (decisions_.levels.stream && !(mvm && decisions_.levels.mvm))
      found_.emplace_back("level stream needs level mvm, which mode CM does not offer");
  }

  void covered() {
    std::size_t next = 0;
    bool in_order = true;
    for (const auto& segment : decisions_.segments) {
      in_order = in_order && segment.first == next && segment.last >= segment.first;
      next = segment.last + 1;
      if (segment.stream && !(segment.pipeline && decisions_.levels.mvm && decisions_.levels.stream))
        found_.emplace_back("a segment is a stream, which requires levels mvm and stream, and pipelining");
    }
    if (!in_order || next != network_.operators.size())
      found_.emplace_back("the segments do not cover the operators");
  }

  void range(const chip::Operator& op, const char* what, Wide value, Wide low, Wide high) {
    if (value < low || value > high)
      found_.push_back("operator '" + op.name + "' has " + what + " " + text(value) + ", expected " +
                       text(low) + " to " + text(high));
  }

  void one(std::size_t i) {
    const auto& op = network_.operators[i];
    const auto& decision = decisions_.operators[i];
    const bool product = op.kind == chip::OperatorKind::product;
    if (decision.on_array && !product)
      found_.push_back("operator '" + op.name + "' specifies where it runs, but only products may");
    if (op.kind == chip::OperatorKind::alu || (product && !decision.on_array)) {
      if (product && !(computes("mul") && computes("add")))
        found_.push_back("product '" + op.name + "' is digital, but the chip has no functions mul and add");
      if (decision.copies != 1 || decision.parts != 0 || decision.phases != 1 || decision.first_core)
        found_.push_back("operator '" + op.name + "' is digital, but has decisions for crossbars");
      return;
    }
    if (product && !machine_.cell.runtime_write)
      found_.push_back("product '" + op.name + "' is on crossbars that cannot be written at run time");
    const MatrixReading matrix = read_matrix(machine_, op);
    if (matrix.usable < 1 ||
        matrix.crossbars(matrix.least_parts) > Wide{machine_.cores.count()} * matrix.usable) {
      found_.push_back("operator '" + op.name + "' does not fit the chip");
      return;
    }
    const Wide windows = machine_.mode == chip::Mode::CM ? 1 : op.width;
    range(op, "copies", decision.copies, 1, windows * op.rows);
    const Wide parts = decision.parts == 0 ? matrix.least_parts : Wide{decision.parts};
    range(op, "parts", parts, matrix.least_parts,
          decisions_.levels.vvm ? matrix.most_parts : matrix.least_parts);
    range(op, "phases", decision.phases, 1, decisions_.levels.mvm ? parts : 1);
  }

  bool computes(std::string word) const {
    if (!machine_.functions) return true;
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    if (word.starts_with("qlinear") && word != "qlinearconv" && word != "qlinearmatmul") word.erase(0, 7);
    if (word == "averagepool" || word == "globalaveragepool") word = "avgpool";
    if (word == "globalmaxpool") word = "maxpool";
    if (word == "layernormalization") word = "layernorm";
    return std::any_of(machine_.functions->begin(), machine_.functions->end(),
                       [&](const auto& function) { return function.does == word; });
  }

  // Checks that the chip has all functions of a digital operator.
  void functions(const chip::Operator& op) {
    const auto missing = [&](const std::string& word) {
      found_.push_back("operator '" + op.name + "' needs " + word +
                       ", which no function of the chip computes");
    };
    if (!op.asked.empty() && !computes(op.asked)) missing(op.asked);
    if (op.piece.adds && !computes("add")) missing("add");
    for (const std::string& call : op.calls)
      if (std::none_of(machine_.functions->begin(), machine_.functions->end(),
                       [&](const auto& function) { return function.name == call; }))
        missing(call);
  }

  void cores(const chip::SegmentDecision& segment) {
    struct Place {
      Wide first, count;
    };
    std::vector<Place> places;
    Wide sum = 0;
    std::size_t given = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      const auto reading = read_operator(machine_, network_, decisions_, i);
      if (!reading.on_array) continue;
      const auto& first = decisions_.operators[i].first_core;
      given += first ? 1U : 0U;
      places.push_back({first ? Wide{*first} : sum, reading.cores});
      sum += reading.cores;
    }
    const std::string at = "the segment from '" + network_.operators[segment.first].name + "'";
    const Wide all = machine_.cores.count();
    if (sum > all) found_.push_back(at + " needs " + text(sum) + " cores of " + text(all));
    if (given != 0 && given != places.size())
      found_.push_back(at + " specifies first_core only for some operators");
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.first < b.first; });
    Wide free = 0;
    for (const Place& place : places) {
      if (place.first < free) found_.push_back(at + " uses core " + text(place.first) + " twice");
      free = larger(free, place.first + place.count);
    }
    if (sum <= all && free > all) found_.push_back(at + " reaches beyond the chip's last core");
  }

  void buffer() {
    const auto memory = read_memory(network_, decisions_);
    for (const Wide bytes : memory.segment_bytes)
      if (8 * bytes > machine_.l0.size)
        found_.push_back("a segment needs " + text(8 * bytes) + " bits of L0, but L0 has " +
                         text(machine_.l0.size));
  }

  const chip::ChipMachine& machine_;
  const chip::ChipNetwork& network_;
  const chip::Decisions& decisions_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> broken_rules(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                                      const chip::Decisions& decisions) {
  return Rules(machine, network, decisions).run();
}

}  // namespace nestor::chip_reading
