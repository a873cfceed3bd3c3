#include "io/cnm/stream_text.h"

#include <fmt/format.h>

#include "io/cnm/lexer.h"
#include "model/cnm/program.h"

namespace nestor::io {
namespace {

using cnm::Access;
using cnm::Stream;
using cnm::StreamItem;

constexpr std::string_view variables = "ijklmnopqr";
constexpr std::size_t most_items = 100'000;
constexpr Int largest_row = Int{1} << 30;

// A linear expression: a number plus multiples of loop variables.
struct Linear {
  Int constant = 0;
  std::array<Int, cnm::max_stream_depth> stride{};
};

class StreamParser {
 public:
  StreamParser(std::string_view text, const std::string& file, const cnm::System& system)
      : lexer_(text, file, ";"), system_(system) {}

  Result<NamedStream> run() {
    lexer_.expect("llvcnm");
    lexer_.number("version", 1, 1);
    result_.name = lexer_.word("the kernel's name");
    const Token target = lexer_.next();
    if (target.text != "hbm-pim" && !(target.text == "hbm" && lexer_.accept("-") && lexer_.accept("pim")))
      lexer_.fail_at(target, "target 'hbm-pim'");
    while (!lexer_.failed() && lexer_.accept("operand"))
      while (!lexer_.at_end() && !lexer_.peek().first_on_line) lexer_.next();
    result_.stream = items(0);
    if (!lexer_.failed() && !lexer_.at_end()) lexer_.fail_here("'rd', 'wr', 'fence' or 'loop'");
    if (!lexer_.failed() && result_.stream.empty()) lexer_.fail_here("a burst");
    if (!lexer_.failed() && !cnm::burst_count(result_.stream)) lexer_.fail_here("fewer bursts");
    if (lexer_.failed()) return lexer_.error();
    return std::move(result_);
  }

 private:
  Stream items(std::size_t depth) {
    Stream list;
    StreamItem group;
    while (!lexer_.at_end() && !lexer_.is("}") && ++items_ < most_items) {
      if (lexer_.is("rd") || lexer_.is("wr")) {
        group.accesses.push_back(access(depth));
      } else if (lexer_.is("fence")) {
        const Token token = lexer_.next();
        if (group.accesses.empty()) lexer_.fail(token.where, "a fence that follows no burst");
        list.push_back(std::move(group));
        group = {};
      } else if (lexer_.is("loop")) {
        if (!group.accesses.empty()) lexer_.fail_here("a fence before the loop");
        list.push_back(loop(depth));
      } else {
        break;
      }
    }
    if (!group.accesses.empty()) lexer_.fail_here("'rd', 'wr' or a fence that ends the group");
    return list;
  }

  StreamItem loop(std::size_t depth) {
    const Token token = lexer_.next();
    StreamItem item;
    if (depth >= cnm::max_stream_depth) {
      lexer_.fail(token.where, fmt::format("expected at most {} nested loops", cnm::max_stream_depth));
      return item;
    }
    std::string_view trips = lexer_.peek().text;
    if (trips.size() > 1 && trips[0] == 'x') {
      const Token word = lexer_.next();
      Lexer digits(word.text.substr(1), word.where.file, ";");
      item.trips = digits.number("trips", 0, cnm::max_count);
      if (digits.failed()) lexer_.fail_at(word, "trips such as x4");
    } else {
      lexer_.expect("x");
      item.trips = lexer_.number("trips", 0, cnm::max_count);
    }
    lexer_.expect("{");
    item.body = items(depth + 1);
    lexer_.expect("}");
    return item;
  }

  Linear linear(std::string_view what, std::size_t depth, Int high) {
    Linear sum;
    do {
      Int factor = 1;
      const bool number = lexer_.peek().kind == TokenKind::number;
      if (number) factor = lexer_.number(what, 0, high);
      if (number && !lexer_.accept("*")) {
        sum.constant += factor;
        continue;
      }
      const Token token = lexer_.next();
      const auto at = token.text.size() == 1 ? variables.find(token.text[0]) : std::string_view::npos;
      if (at == std::string_view::npos || at >= depth) {
        lexer_.fail_at(token, fmt::format("{}: a number or the variable of an enclosing loop ({})", what,
                                          fmt::join(variables.substr(0, depth), ", ")));
        break;
      }
      sum.stride[at] += factor;
    } while (lexer_.accept("+"));
    return sum;
  }

  Access access(std::size_t depth) {
    Access a;
    a.write = lexer_.next().text == "wr";
    a.bank = lexer_.number("a bank", 0, system_.dram.banks - 1);
    const Linear row = linear("a row", depth, largest_row);
    const Linear column = linear("a column", depth, largest_row);
    a.count = lexer_.number("bursts", 1, system_.dram.queue);
    if (!lexer_.peek().first_on_line && lexer_.peek().kind == TokenKind::word) lexer_.next();  // skips a tag
    const Int bursts = system_.pim.row_bursts;
    a.address = row.constant * bursts + column.constant;
    for (std::size_t d = 0; d < a.stride.size(); ++d) a.stride[d] = row.stride[d] * bursts + column.stride[d];
    return a;
  }

  Lexer lexer_;
  const cnm::System& system_;
  NamedStream result_;
  std::size_t items_ = 0;
};

std::string linear_text(Int constant, const std::array<Int, cnm::max_stream_depth>& stride) {
  auto text = fmt::format("{}", constant);
  for (std::size_t d = 0; d < stride.size(); ++d)
    if (stride[d] != 0) text += fmt::format("+{}*{}", stride[d], variables[d]);
  return text;
}

void append_stream(std::string& text, const Stream& stream, std::size_t depth, Int row_bursts) {
  const std::string indent(2 * depth, ' ');
  for (const StreamItem& item : stream) {
    if (item.is_loop()) {
      text += fmt::format("{}loop x{} {{\n", indent, item.trips);
      append_stream(text, item.body, depth + 1, row_bursts);
      text += indent + "}\n";
      continue;
    }
    for (const Access& a : item.accesses) {
      std::array<Int, cnm::max_stream_depth> rows{}, columns{};
      for (std::size_t d = 0; d < rows.size(); ++d) {
        rows[d] = a.stride[d] / row_bursts;
        columns[d] = a.stride[d] % row_bursts;
      }
      text +=
          fmt::format("{}{} {} {} {} {} {}\n", indent, a.write ? "wr" : "rd", a.bank,
                      linear_text(a.address / row_bursts, rows), linear_text(a.address % row_bursts, columns),
                      a.count, a.address / row_bursts >= cnm::row_park ? "mode" : "data");
    }
    text += indent + "fence\n";
  }
}

}  // namespace

Result<NamedStream> parse_stream(std::string_view text, const std::string& file, const cnm::System& system) {
  return StreamParser(text, file, system).run();
}

std::string to_text(const NamedStream& stream, const cnm::System& system) {
  std::string text = fmt::format("llvcnm 1 {} hbm-pim\n", stream.name);
  append_stream(text, stream.stream, 0, system.pim.row_bursts);
  return text;
}

}  // namespace nestor::io
