// Writer of the text of a schedule (schedule_file.h).
#include <fmt/format.h>

#include <iterator>

#include "base/split.h"
#include "report/results/simd/schedule_file.h"

namespace nestor::io {
namespace {

std::string escaped_name(std::string_view name) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte > 0x20 && byte != 0x7f && name[i] != '%' && (i != 0 || name[i] != '#')) {
      word += name[i];
      continue;
    }
    word += '%';
    word += digits[byte >> 4U];
    word += digits[byte & 15U];
  }
  return word;
}

class ScheduleWriter {
 public:
  ScheduleWriter(const simd::Schedule& schedule, const simd::Netlist& netlist)
      : schedule_(schedule), netlist_(netlist) {}

  std::string write();

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }
  void add_number(std::string_view before, std::uint32_t number);
  void add_inputs();
  void add_instruction(const simd::Instruction& instruction);
  void add_output(std::size_t index);

  const simd::Schedule& schedule_;
  const simd::Netlist& netlist_;
  std::string text_;
};

void ScheduleWriter::add_inputs() {
  for (std::size_t i = 0; i < netlist_.input_names.size(); ++i) {
    const auto place = simd::input_place(static_cast<std::uint32_t>(i), schedule_.rows);
    add("input {} {} {}\n", escaped_name(netlist_.input_names[i]), place.array, place.row);
  }
}

void ScheduleWriter::add_number(std::string_view before, std::uint32_t number) {
  const fmt::format_int digits(number);
  text_ += before;
  text_.append(digits.data(), digits.size());
}

// Adds an instruction without fmt, because there are millions of them.
void ScheduleWriter::add_instruction(const simd::Instruction& instruction) {
  const auto& to = instruction.to;
  if (instruction.is_copy()) {
    add_number("copy ", instruction.from.array);
    add_number(" ", instruction.from.row);
    add_number(" ", to.array);
    add_number(" ", to.row);
    text_ += '\n';
    return;
  }
  add_number(instruction.kind == simd::InstructionKind::xor3 ? "xor3 " : "maj3 ", to.array);
  add_number(" ", to.row);
  for (const auto operand : instruction.operand) {
    if (operand.is_constant())
      text_ += operand.inverted() ? " =1" : " =0";
    else
      add_number(operand.inverted() ? " ~" : " ", operand.row());
  }
  text_ += " @";
  text_ += escaped_name(netlist_.gate_names[instruction.node - netlist_.first_gate()]);
  text_ += '\n';
}

void ScheduleWriter::add_output(std::size_t index) {
  const auto& place = schedule_.outputs[index];
  add("output {}", escaped_name(netlist_.outputs[index].name));
  const auto mark = place.inverted ? " ~" : "";
  switch (place.kind) {
    case simd::OutputPlace::Kind::constant:
      add(" ={}\n", place.inverted ? 1 : 0);
      break;
    case simd::OutputPlace::Kind::input:
      add(" input {}{}\n", escaped_name(netlist_.input_names[place.input]), mark);
      break;
    case simd::OutputPlace::Kind::stored:
      add(" {} {}{}\n", place.place.array, place.place.row, mark);
      break;
  }
}

std::string ScheduleWriter::write() {
  constexpr std::size_t bytes_of_an_instruction = 32;
  text_.reserve(bytes_of_an_instruction * schedule_.instructions.size());
  add("nestor-schedule 1\nrows {}\n", schedule_.rows);
  if (schedule_.array_limit != 0) add("arrays {}\n", schedule_.array_limit);
  if (schedule_.recompute) add("recompute\n");
  add_inputs();
  for (const auto& instruction : schedule_.instructions) add_instruction(instruction);
  for (std::size_t i = 0; i < schedule_.outputs.size(); ++i) add_output(i);
  return std::move(text_);
}

}  // namespace

std::string to_text(const simd::Schedule& schedule, const simd::Netlist& netlist) {
  return ScheduleWriter(schedule, netlist).write();
}

std::vector<std::string> schedule_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_list(text, '\n')) lines.emplace_back(line);
  return lines;
}

}  // namespace nestor::io
