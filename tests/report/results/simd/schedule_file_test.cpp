// Tests of schedules as text, and of their replay by the verifier. Valid schedules pass, and every planted
// fault is rejected with a message that describes it.
#include "report/results/simd/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "bench/netlists/generate.h"
#include "io/netlist/verilog_reader.h"
#include "report/simd/schedule_contract.h"
#include "support/spread_schedule.h"

namespace nestor::schedule_file_test {
namespace {

using simd::Netlist;
using ::testing::HasSubstr;

// Returns the error message for the text of a schedule; "" if the schedule is valid.
std::string complaint(const Netlist& netlist, const std::string& text) {
  const auto parsed = io::parse_schedule(text, "s.txt");
  if (!parsed) return parsed.error().to_string();
  const auto contract = report::contract_of(*parsed, netlist, netlist);
  if (contract.fault.empty()) return "";
  return "line " + std::to_string(contract.line) + ": " + contract.fault;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) (text += line) += '\n';
  return text;
}

Netlist full_adder() {
  auto network = io::parse_verilog(
      "module fa(a, b, c, s, k, z, p); input a, b, c; output s, k, z, p;\n"
      "assign s = a ^ b ^ c; assign n = (a & b) | (a & ~c) | (b & ~c); assign t = n & ~s; assign k = ~t;\n"
      "assign z = 1'b1; assign p = ~b; endmodule",
      "fa.v");
  EXPECT_TRUE(network.ok());
  return std::move(network).value().netlist;
}

// Three inputs are in array 0. Array 0 computes the sum, and array 1 computes the other gates.
const char* const good_schedule = R"(nestor-schedule 1
rows 4   # small
input a 0 0
input b 0 1
input c 0 2
xor3 0 3 0 1 2 @s
copy 0 0 1 0
copy 0 1 1 1
copy 0 2 1 2
maj3 1 3 1 ~2 0 @n
copy 0 3 1 0
maj3 1 3 3 ~0 =0 @t
output s 1 0
output k 1 3 ~
output z =1
output p input b ~
)";

TEST(Schedule, AcceptsAValidSchedule) {
  const auto netlist = full_adder();
  EXPECT_EQ(complaint(netlist, good_schedule), "");
  const auto parsed = io::parse_schedule(good_schedule, "s.txt");
  const auto figures = report::contract_of(*parsed, netlist, netlist).figures;
  EXPECT_EQ(figures["computes"], 3);
  EXPECT_EQ(figures["copies"], 4);
  EXPECT_EQ(figures["arrays_used"], 2);
  EXPECT_EQ(figures["rows_used"], 4);
  EXPECT_EQ(figures["verified"]["patterns"], 8);
  EXPECT_EQ(figures["verified"]["exhaustive"], true);
  EXPECT_DOUBLE_EQ(figures["energy"].get<double>(), 3 + 4 * 1.87);
  EXPECT_EQ(figures["arrays_passed"], 0);
}

struct Mutation {
  std::string what;
  std::string from;
  std::string to;
  std::string message;
};

TEST(Schedule, RejectsPlantedFaults) {
  const std::vector<Mutation> mutations = {
      {"a lost value", "copy 0 3 1 0\n", "",
       "line 11: computes 't' from ~'a', but its fanins are 'n', ~'s', 0"},
      {"a lost value", "copy 0 3 1 0", "copy 0 3 1 3",
       "line 12: computes 't' from 's', but its fanins are 'n', ~'s', 0"},
      {"a value never stored", "copy 0 2 1 2\n", "", "line 9: reads array 1 row 2, which holds nothing"},
      {"a wrong polarity", "1 ~2 0 @n", "1 2 0 @n",
       "line 10: computes 'n' from 'c', but its fanins are 'a', 'b', ~'c'"},
      {"a wrong constant", "~0 =0 @t", "~0 =1 @t",
       "line 12: computes 't' from 1, but its fanins are 'n', ~'s', 0"},
      {"an operand twice", "0 1 2 @s", "0 1 1 @s",
       "line 6: computes 's' from 'b', but its fanins are 'a', 'b', 'c'"},
      {"a wrong operation", "xor3 0 3", "maj3 0 3", "line 6: computes 's' as maj3, expected xor3"},
      {"a clobbered input", "xor3 0 3", "xor3 0 1", "line 6: overwrites input 'b' in array 0 row 1"},
      {"a clobbered input", "copy 0 3 1 0", "copy 1 3 0 2", "line 11: overwrites input 'c' in array 0 row 2"},
      {"a missing output", "output k 1 3 ~\n", "", "line 0: output 'k' is missing"},
      {"an output lost", "output s 1 0", "output s 1 2",
       "line 13: output 's' must be 's', found 'c' (array 1 row 2)"},
      {"an output nowhere", "output s 1 0", "output s 7 0",
       "line 13: output 's' refers to array 7 row 0, which holds nothing"},
      {"an output's polarity", "output k 1 3 ~", "output k 1 3",
       "line 14: output 'k' must be ~'t', found 't' (array 1 row 3)"},
      {"a wrong constant output", "output z =1", "output z =0", "line 15: output 'z' must be 1, found 0"},
      {"a wrong input output", "input b ~", "input b", "line 16: output 'p' must be ~'b', found 'b'"},
      {"a wrong input output", "input b ~", "input d ~", "line 16: the netlist has no input 'd'"},
      {"an output twice", "output z =1", "output z =1\noutput z =1", "line 16: output 'z' is given twice"},
      {"an unknown output", "output z =1", "output z =1\noutput q =1",
       "line 16: the netlist has no output 'q'"},
      {"a foreign row", "maj3 1 3 1", "maj3 1 4 1",
       "line 10: writes row 4, but arrays have 4 rows, numbered from 0"},
      {"a foreign row", "copy 0 3 1 0", "copy 0 5 1 0",
       "line 11: copies from row 5, but arrays have 4 rows, numbered from 0"},
      {"a foreign fanin row", "maj3 1 3 1", "maj3 1 3 9",
       "line 10: reads row 9, but arrays have 4 rows, numbered from 0"},
      {"a foreign array", "rows 4   # small", "rows 4\narrays 1",
       "line 8: writes array 1, but the number of arrays is 1, numbered from 0"},
      {"too few arrays", "rows 4   # small", "rows 2\narrays 1",
       "line 6: input 'c' belongs in array 1 row 0, found array 0 row 2"},
      {"a reordered pair", "copy 0 3 1 0\nmaj3 1 3 3 ~0 =0 @t", "maj3 1 3 3 ~0 =0 @t\ncopy 0 3 1 0",
       "line 11: computes 't' from ~'a', but its fanins are 'n', ~'s', 0"},
      {"a copy of nothing", "copy 0 0 1 0", "copy 3 0 1 0",
       "line 7: copies array 3 row 0, which holds nothing"},
      {"a copy within an array", "copy 0 3 1 0", "copy 1 1 1 0",
       "line 11: copies within array 1, but a copy must go to another array"},
      {"a node twice", "copy 0 3 1 0", "xor3 1 0 0 1 2 @s", "line 11: computes 's' a second time"},
      {"an unknown node", "@s", "@q", "line 6: the netlist has no node 'q'"},
      {"inputs in another order", "input a 0 0\ninput b 0 1", "input b 0 0\ninput a 0 1",
       "line 3: found input 'b', expected 'a' (the order of the netlist)"},
      {"an input elsewhere", "input c 0 2", "input c 1 2",
       "line 5: input 'c' belongs in array 0 row 2, found array 1 row 2"},
      {"a missing input", "input c 0 2\n", "", "line 0: input 'c' is missing"},
      {"an input too many", "input c 0 2\n", "input c 0 2\ninput d 0 3\n",
       "line 6: input 'd': the netlist has only 3 inputs"},
  };
  const auto netlist = full_adder();
  for (const auto& mutation : mutations) {
    std::string text = good_schedule;
    const auto at = text.find(mutation.from);
    ASSERT_NE(at, std::string::npos) << mutation.from;
    text.replace(at, mutation.from.size(), mutation.to);
    EXPECT_EQ(complaint(netlist, text), mutation.message) << mutation.what;
  }
}

TEST(Schedule, AcceptsDeclaredRecomputation) {
  std::string text = good_schedule;
  text.replace(text.find("copy 0 3 1 0"), 12, "xor3 1 0 0 1 2 @s");
  text.insert(text.find("input a"), "recompute\n");
  EXPECT_EQ(complaint(full_adder(), text), "");
}

TEST(Schedule, ReportsNodesThatAreNeverComputed) {
  auto netlist = full_adder();
  netlist.gates.push_back({simd::GateKind::xor3, {simd::Signal(1, false), simd::Signal(2, false), {}}});
  netlist.gate_names.emplace_back("idle");
  EXPECT_EQ(complaint(netlist, good_schedule), "line 0: never computes 'idle'");
}

// The structural check would hide a mistake in the simulation, so the source netlist differs here.
TEST(Schedule, ComparesValuesWithTheSource) {
  const auto netlist = full_adder();
  auto other = netlist;
  other.gates[2].fanin[2] = simd::Signal(0, true);
  const auto parsed = io::parse_schedule(good_schedule, "s.txt");
  const auto contract = report::contract_of(*parsed, netlist, other);
  EXPECT_EQ(contract.fault, "output 'k' differs from the source netlist");
  EXPECT_EQ(contract.line, 14U);
}

TEST(Schedule, ReadsWhatIsWritten) {
  for (const auto& generator : bench::generators()) {
    const auto netlist = bench::generate(generator.name, {});
    ASSERT_TRUE(netlist.ok());
    for (const std::uint32_t rows : {8U, 64U}) {
      EXPECT_EQ(complaint(*netlist, io::to_text(tests::spread_schedule(*netlist, rows), *netlist)), "")
          << generator.name;
    }
  }
}

TEST(Schedule, EscapesNamesThatResembleSyntax) {
  Netlist netlist;
  netlist.input_names = {"#1", "a b", "50%", "=0"};
  netlist.gates = {
      {simd::GateKind::xor3, {simd::Signal(1, false), simd::Signal(2, true), simd::Signal(3, false)}}};
  netlist.gate_names = {"@~\t"};
  netlist.outputs = {{"input", simd::Signal(5, false)}, {"x#", simd::Signal(4, true)}};
  EXPECT_EQ(complaint(netlist, io::to_text(tests::spread_schedule(netlist, 5), netlist)), "");
}

// Every deleted line, changed operand and overwritten row is rejected, in a schedule with hundreds of lines.
TEST(Schedule, RejectsEveryDeletionFlipAndClobberInAMultiplier) {
  const auto netlist = bench::generate("multiplier", {.width = 4});
  const auto lines = lines_of(io::to_text(tests::spread_schedule(*netlist, 9), *netlist));
  const std::regex fanin("(~?)([0-9]+|=[01]) @");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto deleted = lines;
    deleted.erase(deleted.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(complaint(*netlist, joined(deleted)), "") << "without " << lines[i];

    const bool compute = lines[i].substr(1, 3) == "or3" || lines[i].substr(1, 3) == "aj3";
    if (!compute) continue;
    std::smatch match;
    ASSERT_TRUE(std::regex_search(lines[i], match, fanin));
    auto flipped = lines;
    std::string other = match[2];
    if (other.front() == '=') {
      other = other == "=0" ? "=1" : "=0";
    } else if (match[1] != "~") {
      other.insert(other.begin(), '~');
    }
    flipped[i] = std::string(match.prefix()) + other + " @" + std::string(match.suffix());
    EXPECT_THAT(complaint(*netlist, joined(flipped)), HasSubstr("its fanins are")) << flipped[i];

    auto clobbered = lines;
    clobbered[i] = std::regex_replace(lines[i], std::regex("^(....) [0-9]+ [0-9]+"), "$1 0 0");
    EXPECT_NE(complaint(*netlist, joined(clobbered)), "") << clobbered[i];
  }
}

TEST(Schedule, RejectsEverySwapOfAProducerAndItsReader) {
  const auto netlist = bench::generate("adder", {.width = 6});
  const auto lines = lines_of(io::to_text(tests::spread_schedule(*netlist, 64), *netlist));
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    // In this schedule, a compute instruction within three lines reads the copy.
    if (lines[i].substr(0, 4) != "copy" || lines[i + 1].substr(0, 4) == "copy") continue;
    auto swapped = lines;
    std::swap(swapped[i], swapped[i + 1]);
    EXPECT_NE(complaint(*netlist, joined(swapped)), "") << lines[i];
  }
}

struct BadText {
  std::string text;
  std::string message;
};

TEST(Schedule, NamesTheLineAndWordOfBadText) {
  const std::string head = "nestor-schedule 1\nrows 4\n";
  const std::vector<BadText> cases = {
      {"", "s.txt:1:1: expected `nestor-schedule 1` as the first line"},
      {"nestor-schedule 2\n", "s.txt:1:1: expected `nestor-schedule 1` as the first line"},
      {"nestor-schedule 1\n", "s.txt:1:1: the file ends without `rows`"},
      {"nestor-schedule 1\ninput a 0 0\n", "s.txt:2:1: found 'input', expected `rows` first"},
      {"nestor-schedule 1\nrows 0\n", "s.txt:2:6: found '0', expected at least 1"},
      {"nestor-schedule 1\nrows 99999999999\n",
       "s.txt:2:6: found '99999999999', expected a number of rows (0 to 1073741824)"},
      {head + "rows 4\n", "s.txt:3:1: `rows` is given twice"},
      {head + "input a 0 0\narrays 2\n", "s.txt:4:1: `arrays` must come before inputs and instructions"},
      {head + "input a 0\n", "s.txt:3:10: the line ends here, expected `input NAME ARRAY ROW`"},
      {head + "  copy 0 0 1 0 7\n", "s.txt:3:16: found '7', expected the end of `copy ARRAY ROW ARRAY ROW`"},
      {head + "copy 0 x 1 0\n", "s.txt:3:8: found 'x', expected a row (0 to 1073741824)"},
      {head + "xor3 0 1 ~ 2 3 @n\n", "s.txt:3:10: found '~', expected a row, ~row, =0 or =1"},
      {head + "xor3 0 1 1 2 =2 @n\n", "s.txt:3:14: found '=2', expected a row, ~row, =0 or =1"},
      {head + "xor3 0 1 1 2 3 n\n", "s.txt:3:16: found 'n', expected @ and the name of a node"},
      {head + "output y 0 1 !\n", "s.txt:3:14: found '!', expected ~ or the end of the line"},
      {head + "output y =0\ncopy 0 0 1 0\n",
       "s.txt:4:1: found 'copy', expected only outputs after the first output"},
      {head + "copy 0 0 1 0\ninput a 0 0\n", "s.txt:4:1: `input` must come before instructions"},
      {head + "maj 0 1 1 2 3 @n\n",
       "s.txt:3:1: found 'maj', expected rows, arrays, recompute, input, copy, xor3, maj3 or output (did you "
       "mean 'maj3'?)"},
  };
  for (const auto& test : cases) {
    const auto parsed = io::parse_schedule(test.text, "s.txt");
    ASSERT_FALSE(parsed.ok()) << test.text;
    EXPECT_EQ(parsed.error().to_string(), test.message);
  }
}

}  // namespace
}  // namespace nestor::schedule_file_test
