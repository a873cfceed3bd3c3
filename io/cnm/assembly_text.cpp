#include "io/cnm/assembly_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/parse_number.h"
#include "base/split.h"
#include "io/checked_reader.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_instructions = 20'000;
constexpr auto operations = std::to_array<std::string_view>(
    {"add",       "addc",      "sub",       "subc",      "rsub",      "rsubc",     "and",       "andn",
     "or",        "orn",       "xor",       "nand",      "nor",       "nxor",      "lsl",       "lsr",
     "asr",       "rol",       "ror",       "lsl_add",   "lsl_sub",   "lsr_add",   "rol_add",   "mul_ul_ul",
     "mul_ul_uh", "mul_uh_ul", "mul_uh_uh", "mul_sl_sl", "mul_sl_sh", "mul_sh_sl", "mul_sh_sh", "mul_sl_ul",
     "mul_sl_uh", "mul_sh_ul", "mul_sh_uh", "mul_ul_sl", "mul_ul_sh", "mul_uh_sl", "mul_uh_sh", "mul_step",
     "div_step",  "cao",       "clo",       "cls",       "clz",       "move",      "extsb",     "extsh",
     "extub",     "extuh"});
constexpr auto unary =
    std::to_array<std::string_view>({"cao", "clo", "cls", "clz", "move", "extsb", "extsh", "extub", "extuh"});
constexpr auto loads = std::to_array<std::string_view>({"lbu", "lbs", "lhu", "lhs", "lw", "ld"});
constexpr auto stores = std::to_array<std::string_view>({"sb", "sh", "sw", "sd"});
constexpr auto compares = std::to_array<std::string_view>(
    {"jeq", "jneq", "jltu", "jleu", "jgtu", "jgeu", "jlts", "jles", "jgts", "jges"});
constexpr auto other_words =
    std::to_array<std::string_view>({"acquire", "release", "stop", "nop", "boot", "resume", "time", "fault"});
constexpr auto conditions = std::to_array<std::string_view>(
    {"true", "z",   "nz",  "e",   "o",    "pl", "mi",  "c",    "nc",   "ov",   "nov", "sz",
     "snz",  "spl", "smi", "max", "nmax", "xz", "xnz", "xleu", "xgtu", "xles", "xgts"});

template <typename List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '@';
  });
}

class AssemblyReader {
 public:
  explicit AssemblyReader(const std::string& file) : file_(file) {}

  Result<AsmText> run(std::string_view text) {
    for (line_ = 1; !text.empty() && !error_; ++line_) {
      const auto end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    if (!error_ && text_.code.empty())
      error_ = input_error({file_, 1, 1}, "expected instructions, found none");
    if (error_) return *error_;
    return std::move(text_);
  }

 private:
  void fail(std::string_view at, std::string message) {
    if (!error_)
      error_ = input_error({file_, line_, static_cast<int>(at.data() - start_) + 1}, std::move(message));
  }

  void read_line(std::string_view raw) {
    start_ = raw.data();
    if (const auto comment = raw.find("//"); comment != std::string_view::npos) raw = raw.substr(0, comment);
    auto line = trim(raw);
    while (!line.empty()) {
      const auto colon = line.find(':');
      if (colon == std::string_view::npos || !is_name(line.substr(0, colon))) break;
      data_label_ = in_text_ ? std::string() : std::string(line.substr(0, colon));
      data_bytes_ = 0;
      if (in_text_ && !text_.labels.emplace(std::string(line.substr(0, colon)), text_.code.size()).second)
        return fail(line, fmt::format("label {} is given twice", quote(line.substr(0, colon))));
      line = trim(line.substr(colon + 1));
    }
    if (line.empty()) return;
    if (line[0] == '.') return directive(line);
    if (!in_text_) return;
    instruction(line);
  }

  void directive(std::string_view line) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto word = line.substr(0, end);
    if (word == ".text") in_text_ = true;
    if (word == ".data" || word == ".bss") in_text_ = false;
    if (word == ".section") in_text_ = trim(line.substr(end)).starts_with(".text");
    if (!in_text_ && !data_label_.empty()) datum(word, trim(line.substr(end)));
  }

  // Keeps only the data words that are symbols, because code may overwrite other words before it reads them.
  void datum(std::string_view word, std::string_view rest) {
    if (word == ".long") {
      for (const std::string_view part : split_list(rest, ',')) {
        if (is_name(trim(part))) text_.functions[data_label_][data_bytes_] = trim(part);
        data_bytes_ += 4;
      }
    } else if (word != ".size" && word != ".type" && word != ".globl" && word != ".p2align") {
      data_label_.clear();  // the size of the data is unknown
    }
  }

  AsmOperand operand(std::string_view text) {
    AsmOperand result;
    if (text.size() >= 2 && (text[0] == 'r' || text[0] == 'd')) {
      if (const auto number = to_integer(text.substr(1))) {
        const bool pair = text[0] == 'd';
        if (*number < 0 || *number > (pair ? 22 : 23) || (pair && *number % 2 != 0))
          fail(text, fmt::format("expected a register from {}, found {}",
                                 pair ? "d0, d2 to d22" : "r0 to r23", quote(text)));
        result.kind = pair ? AsmOperand::Kind::pair : AsmOperand::Kind::reg;
        result.text = std::string(text);
        result.number = *number;
        return result;
      }
    }
    if (has(std::to_array<std::string_view>({"zero", "one", "id", "id2", "id4", "id8", "lneg", "mneg"}),
            text)) {
      result.kind = AsmOperand::Kind::reg;
      result.text = std::string(text);
      return result;
    }
    if (const auto number = to_integer(text)) {
      result.number = *number;
      return result;
    }
    if (text.starts_with("0x"))
      if (const auto number = parse_hex<std::uint64_t>(text.substr(2))) {
        result.number = static_cast<Int>(*number & 0xffffffffULL);
        return result;
      }
    const auto sign = text.find_first_of("+-", 1);
    const auto name = trim(text.substr(0, sign));
    result.kind = AsmOperand::Kind::symbol;
    result.text = std::string(name);
    const auto offset =
        sign == std::string_view::npos ? std::optional<Int>(0) : to_integer(trim(text.substr(sign + 1)));
    if (!is_name(name) || !offset)
      fail(text, fmt::format("expected a register, a number or a symbol, found {}", quote(text)));
    else
      result.number = sign != std::string_view::npos && text[sign] == '-' ? -*offset : *offset;
    return result;
  }

  static bool is_register(const AsmOperand& operand) {
    return operand.kind == AsmOperand::Kind::reg || operand.kind == AsmOperand::Kind::pair;
  }

  // Reads an instruction. Its word determines the number of operands; a condition and a label may follow
  // them.
  void instruction(std::string_view line) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    auto word = line.substr(0, end);
    AsmInstruction instruction;
    instruction.line = line_;
    instruction.column = static_cast<int>(line.data() - start_) + 1;
    instruction.word = std::string(word);
    auto bare = word;
    if (bare.ends_with(".u") || bare.ends_with(".s")) bare.remove_suffix(2);
    std::size_t least = 0, most = 0;
    if (has(operations, bare)) {
      instruction.word = std::string(bare);
      least = most = has(unary, bare)                                                              ? 2
                     : bare.ends_with("_add") || bare.ends_with("_sub") || bare.ends_with("_step") ? 4
                                                                                                   : 3;
    } else if (has(loads, bare)) {
      instruction.kind = AsmKind::load;
      instruction.word = std::string(bare);
      least = most = 3;
    } else if (has(stores, bare)) {
      instruction.kind = AsmKind::store;
      instruction.word = std::string(bare);
      least = most = 3;
    } else if (has(compares, word)) {
      instruction.kind = AsmKind::compare;
      least = most = 2;
    } else if (word == "jump") {
      instruction.kind = AsmKind::jump;
      least = most = 1;
    } else if (word == "call") {
      instruction.kind = AsmKind::call;
      least = most = 2;
    } else if (word == "ldma" || word == "sdma") {
      instruction.kind = word == "ldma" ? AsmKind::read_dma : AsmKind::write_dma;
      least = most = 3;
    } else if (has(other_words, word)) {
      instruction.kind = AsmKind::other;
      most = 4;
    } else {
      std::vector<std::string_view> words(operations.begin(), operations.end());
      words.insert(words.end(), loads.begin(), loads.end());
      words.insert(words.end(), stores.begin(), stores.end());
      words.insert(words.end(), compares.begin(), compares.end());
      for (const std::string_view w : {"jump", "call", "ldma", "sdma"}) words.push_back(w);
      return fail(word,
                  fmt::format("expected an instruction, found {}{}", quote(word), suggestion(word, words)));
    }
    std::vector<std::string_view> parts;
    for (const std::string_view part : split_list(trim(line.substr(end)), ',')) parts.push_back(trim(part));
    // A compare ends with a label; an operation may end with a condition and a label.
    if (instruction.kind == AsmKind::compare && !parts.empty()) {
      instruction.target = std::string(parts.back());
      parts.pop_back();
    } else if (instruction.kind == AsmKind::operation && parts.size() > most) {
      if (parts.size() == most + 2) {
        instruction.target = std::string(parts.back());
        parts.pop_back();
      }
      if (parts.size() == most + 1) {
        if (!has(conditions, parts.back()))
          return fail(parts.back(),
                      fmt::format("expected a condition, found {}{}", quote(parts.back()),
                                  suggestion(parts.back(), {conditions.begin(), conditions.end()})));
        instruction.condition = std::string(parts.back());
        parts.pop_back();
      }
    }
    if (parts.size() < least || parts.size() > most)
      return fail(line,
                  fmt::format("expected {} operands of {}, found {}", least, quote(word), parts.size()));
    if (instruction.kind == AsmKind::jump && operand(parts[0]).kind == AsmOperand::Kind::symbol) {
      instruction.target = std::string(parts[0]);
    } else {
      for (const auto part : parts) instruction.operands.push_back(operand(part));
    }
    if (error_) return;
    if (instruction.kind == AsmKind::operation && !is_register(instruction.operands[0]))
      return fail(parts[0], fmt::format("expected a register, found {}", quote(parts[0])));
    if (text_.code.size() >= most_instructions)
      return fail(line, fmt::format("expected at most {} instructions", most_instructions));
    text_.code.push_back(std::move(instruction));
  }

  const std::string& file_;
  AsmText text_;
  const char* start_ = nullptr;
  int line_ = 1;
  bool in_text_ = true;
  std::string data_label_;
  Int data_bytes_ = 0;  ///< offset from `data_label_`
  std::optional<Error> error_;
};

}  // namespace

Result<AsmText> parse_assembly(std::string_view text, const std::string& file) {
  return AssemblyReader(file).run(text);
}

}  // namespace nestor::io
