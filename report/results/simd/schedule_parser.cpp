// Parser of the text of a schedule (schedule_file.h). It needs no netlist.
#include <fmt/format.h>

#include <optional>

#include "base/parse_number.h"
#include "report/results/simd/schedule_file.h"

namespace nestor::io {
namespace {

using check::simd::Schedule;

struct Word {
  std::string_view text;
  std::uint32_t column = 0;
};

const std::vector<std::string_view>& statement_words() {
  static const std::vector<std::string_view> words = {"rows", "arrays", "recompute", "input",
                                                      "copy", "xor3",   "maj3",      "output"};
  return words;
}

class ScheduleParser {
 public:
  ScheduleParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<Schedule> parse();

 private:
  bool next_line();
  MaybeError statement();
  MaybeError machine_line();
  MaybeError input_line();
  MaybeError copy_line();
  MaybeError compute_line(Schedule::Kind kind);
  MaybeError output_line();

  MaybeError expect_words(std::size_t least, std::size_t most, std::string_view form) const;
  MaybeError number(std::size_t index, std::string_view what, std::uint32_t& value) const;
  MaybeError place(std::size_t index, Schedule::Place& place) const;
  MaybeError operand(std::size_t index, Schedule::Operand& operand) const;
  Error error_at(std::uint32_t column, std::string message) const {
    return input_error({file_, static_cast<int>(line_), static_cast<int>(column)}, std::move(message));
  }
  Error error_at(const Word& word, std::string_view expected) const {
    return error_at(word.column, fmt::format("found '{}', expected {}", word.text.substr(0, 40), expected));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  std::vector<Word> words_;  ///< words of the current line
  std::uint32_t end_column_ = 1;
  Schedule result_;
};

// Splits the next nonblank line. A `#` at the start of a word begins a comment.
bool ScheduleParser::next_line() {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  words_.clear();
  while (words_.empty() && at_ < text_.size()) {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const auto line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    std::size_t i = 0;
    while (i < line.size()) {
      if (is_blank(line[i])) {
        ++i;
        continue;
      }
      if (line[i] == '#') break;
      const auto begin = i;
      while (i < line.size() && !is_blank(line[i])) ++i;
      words_.push_back({line.substr(begin, i - begin), static_cast<std::uint32_t>(begin + 1)});
    }
    end_column_ = static_cast<std::uint32_t>(i + 1);
  }
  return !words_.empty();
}

MaybeError ScheduleParser::expect_words(std::size_t least, std::size_t most, std::string_view form) const {
  if (words_.size() < least)
    return error_at(end_column_, fmt::format("the line ends here, expected `{}`", form));
  if (words_.size() > most) return error_at(words_[most], fmt::format("the end of `{}`", form));
  return {};
}

MaybeError ScheduleParser::number(std::size_t index, std::string_view what, std::uint32_t& value) const {
  if (const auto parsed = parse_number<std::uint32_t>(words_[index].text);
      parsed && *parsed <= simd::row_limit) {
    value = *parsed;
    return {};
  }
  return error_at(words_[index], fmt::format("{} (0 to {})", what, simd::row_limit));
}

MaybeError ScheduleParser::place(std::size_t index, Schedule::Place& place) const {
  if (auto failed = number(index, "an array", place.array)) return failed;
  return number(index + 1, "a row", place.row);
}

MaybeError ScheduleParser::operand(std::size_t index, Schedule::Operand& operand) const {
  auto text = words_[index].text;
  if (text == "=0" || text == "=1") {
    operand = {true, text == "=1", 0};
    return {};
  }
  const bool negated = text.front() == '~';
  if (negated) text.remove_prefix(1);
  const auto row = parse_number<std::uint32_t>(text);
  if (!row || *row > simd::row_limit) return error_at(words_[index], "a row, ~row, =0 or =1");
  operand = {false, negated, *row};
  return {};
}

MaybeError ScheduleParser::machine_line() {
  const auto word = words_[0].text;
  if (!result_.inputs.empty() || !result_.steps.empty() || !result_.outputs.empty()) {
    return error_at(words_[0].column, fmt::format("`{}` must come before inputs and instructions", word));
  }
  if (word == "recompute") {
    result_.recompute = true;
    return expect_words(1, 1, "recompute");
  }
  auto& value = word == "rows" ? result_.rows : result_.array_limit;
  if (auto failed = expect_words(2, 2, fmt::format("{} NUMBER", word))) return failed;
  if (value != 0) return error_at(words_[0].column, fmt::format("`{}` is given twice", word));
  if (auto failed = number(1, fmt::format("a number of {}", word), value)) return failed;
  if (value == 0) return error_at(words_[1], "at least 1");
  return {};
}

MaybeError ScheduleParser::input_line() {
  if (auto failed = expect_words(4, 4, "input NAME ARRAY ROW")) return failed;
  if (!result_.steps.empty()) return error_at(words_[0].column, "`input` must come before instructions");
  Schedule::Input input{line_, words_[1].text, {}};
  if (auto failed = place(2, input.place)) return failed;
  result_.inputs.push_back(input);
  return {};
}

MaybeError ScheduleParser::copy_line() {
  if (auto failed = expect_words(5, 5, "copy ARRAY ROW ARRAY ROW")) return failed;
  Schedule::Step step{Schedule::Kind::copy, line_, {}, {}, {}, {}};
  if (auto failed = place(1, step.from)) return failed;
  if (auto failed = place(3, step.to)) return failed;
  result_.steps.push_back(step);
  return {};
}

MaybeError ScheduleParser::compute_line(Schedule::Kind kind) {
  const auto form = fmt::format("{} ARRAY ROW FANIN FANIN FANIN @NODE", words_[0].text);
  if (auto failed = expect_words(7, 7, form)) return failed;
  Schedule::Step step{kind, line_, {}, {}, {}, {}};
  if (auto failed = place(1, step.to)) return failed;
  for (std::size_t i = 0; i < 3; ++i) {
    if (auto failed = operand(3 + i, step.operands[i])) return failed;
  }
  const auto node = words_[6].text;
  if (node.size() < 2 || node.front() != '@') return error_at(words_[6], "@ and the name of a node");
  step.node = node.substr(1);
  result_.steps.push_back(step);
  return {};
}

MaybeError ScheduleParser::output_line() {
  const std::string_view form = "output NAME ARRAY ROW [~] | output NAME =0 | output NAME input INPUT [~]";
  if (auto failed = expect_words(3, 5, form)) return failed;
  Schedule::Output output{line_, words_[1].text, {}, false, false, {}};
  const auto what = words_[2].text;
  if (what == "=0" || what == "=1") {
    if (auto failed = expect_words(3, 3, "output NAME =0")) return failed;
    output.is_constant = true;
    output.is_negated = what == "=1";
    result_.outputs.push_back(output);
    return {};
  }
  if (auto failed = expect_words(4, 5, form)) return failed;
  if (words_.size() == 5) {
    if (words_[4].text != "~") return error_at(words_[4], "~ or the end of the line");
    output.is_negated = true;
  }
  if (what == "input") {
    output.input = words_[3].text;
  } else if (auto failed = place(2, output.place)) {
    return failed;
  }
  result_.outputs.push_back(output);
  return {};
}

MaybeError ScheduleParser::statement() {
  const auto word = words_[0].text;
  if (word == "rows" || word == "arrays" || word == "recompute") return machine_line();
  if (result_.rows == 0) return error_at(words_[0], "`rows` first");
  if (!result_.outputs.empty() && word != "output")
    return error_at(words_[0], "only outputs after the first output");
  if (word == "input") return input_line();
  if (word == "copy") return copy_line();
  if (word == "xor3") return compute_line(Schedule::Kind::xor3);
  if (word == "maj3") return compute_line(Schedule::Kind::maj3);
  if (word == "output") return output_line();
  return error_at(words_[0], "rows, arrays, recompute, input, copy, xor3, maj3 or output" +
                                 suggestion(word, statement_words()));
}

Result<Schedule> ScheduleParser::parse() {
  const bool any = next_line();
  if (!any || words_.size() != 2 || words_[0].text != "nestor-schedule" || words_[1].text != "1") {
    line_ = std::max(line_, std::uint32_t{1});
    return error_at(1, "expected `nestor-schedule 1` as the first line");
  }
  while (next_line()) {
    if (auto failed = statement()) return *failed;
  }
  if (result_.rows == 0) return error_at(1, "the file ends without `rows`");
  return std::move(result_);
}

}  // namespace

Result<check::simd::Schedule> parse_schedule(std::string_view text, const std::string& file) {
  return ScheduleParser(text, file).parse();
}

}  // namespace nestor::io
