// Tests of chip programs as text and in binary form. Errors name their position in the file, and valid
// programs survive a round trip.
#include <gtest/gtest.h>

#include <string>

#include "io/chip/program/program_file.h"

namespace nestor::io::chip_program_test {
namespace {

constexpr const char* small = R"(nestor-chip 1
machine isaac-table3
mode XBM
l0 64
tensor input address 0 rows 4 width 1 channels 8 bits 8
tensor "a, b" address 32 rows 4 width 1 channels 8 bits 8
operator "a, b" conv matrix 8 8 parts 1 columns 1 usable 1 spacing 1 in input out "a, b"
segment 0 pipeline {
  cim.writexb(0, "a, b", 0, 0)
  thread "a, b" lanes 1 {
    loop y 0 4 step 2 {
      row y {
        mov.window(((y + 1)*2) div 4, "a, b", min(y, 3), 0)
        mov(L0[y*8], L1[0, y - (1 - y)], 8)
        relu(src=0, dst=32, len=8)
      }
    }
  }
}
)";

std::string message_of(const std::string& text) {
  const auto program = parse_program(text, "p");
  return program.ok() ? "accepted" : program.error().to_string();
}

std::string with(const std::string& old, const std::string& replacement) {
  std::string text = small;
  text.replace(text.find(old), old.size(), replacement);
  return message_of(text);
}

TEST(ChipProgramText, RoundTripsByteForByte) {
  const auto program = parse_program(small, "p");
  ASSERT_TRUE(program.ok()) << program.error().to_string();
  EXPECT_EQ(to_text(*program), small);
  const auto again = parse_program(to_binary(*program), "p");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(to_text(*again), small);
  EXPECT_EQ(to_binary(*again), to_binary(*program));
}

TEST(ChipProgramText, ReportsErrorsWithPositions) {
  EXPECT_EQ(with("mov.window", "mov.windw"),
            "p:13:9: 'mov.windw' is not a statement (did you mean 'mov.window'?)");
  EXPECT_EQ(with("rows 4", "rows 0"), "p:5:29: rows is 0; expected at least 1");
  EXPECT_EQ(with("in input", "in inpt"), "p:7:73: no tensor is called 'inpt' (did you mean 'input'?)");
  EXPECT_EQ(with("step 2", "step 0"), "p:11:21: the step is 0; expected at least 1");
  EXPECT_EQ(with("min(y", "min(z"), "p:13:51: 'z' is not a loop variable here");
  EXPECT_EQ(with("matrix", "matrx"), "p:7:22: 'matrx' is not a key of an operator (did you mean 'matrix'?)");
  EXPECT_EQ(with("segment 0", "segment 1"), "p:8:9: found segment 1; expected segment 0");
  EXPECT_EQ(message_of("nestor-chip 1\nmachine m"), "p:2:10: the text ends; expected 'mode'");
}

// A stream with a digital row that calls two functions of the chip.
constexpr const char* calls = R"(nestor-chip 1
machine m
mode XBM
l0 64
tensor input address 0 rows 4 width 1 channels 8 bits 8
tensor out address 32 rows 4 width 1 channels 8 bits 8
operator out table table gelu calls add, gelu9 in input out out
segment 0 stream {
  thread out lanes 1 {
    loop y 0 4 { row y { run { add(out, y) gelu9(out, y) } } }
  }
}
)";

TEST(ChipProgramText, RoundTripsCallsAndStreamsByteForByte) {
  const auto program = parse_program(calls, "p");
  ASSERT_TRUE(program.ok()) << program.error().to_string();
  EXPECT_EQ(to_text(*program), calls);
  const auto& row = program->segments[0].threads[0].body[0].body[0].body[0].body;
  ASSERT_EQ(row.size(), 2U);
  EXPECT_EQ(row[0].call, "add");
  EXPECT_EQ(row[0].function, chip_program::FunctionKind::table)
      << "what the operator computes, not an addition";
  EXPECT_EQ(row[1].call, "gelu9");
  const auto again = parse_program(to_binary(*program), "p");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_TRUE(*again == *program);
  std::string text = calls;
  text.replace(text.find("gelu9(out"), 5, "gelu8");
  EXPECT_EQ(message_of(text).substr(0, 44), "p:10:44: 'gelu8' is not a statement (did you");
  text = calls;
  text.replace(text.find("calls add"), 9, "calls row");
  EXPECT_EQ(message_of(text), "p:7:42: expected names of functions");
  text.replace(text.find("calls row"), 9, "calls thread");
  EXPECT_EQ(message_of(text), "p:7:45: expected names of functions");
}

TEST(ChipProgramText, RefusesTruncatedTexts) {
  const std::string text = small;
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    if (text.substr(size).find("segment") == std::string::npos || size == 0) {
      EXPECT_NE(message_of(text.substr(0, size)), "accepted") << size;
    } else {
      message_of(text.substr(0, size));
    }
  }
}

TEST(ChipProgramBinary, TruncatedOrAlteredBytesNeverGiveTheSameProgram) {
  const std::string bytes = to_binary(*parse_program(small, "p"));
  for (std::size_t size = 4; size < bytes.size(); ++size) {
    EXPECT_NE(message_of(bytes.substr(0, size)), "accepted") << size;
  }
  for (std::size_t at = 4; at < bytes.size(); ++at) {
    for (const int bit : {0, 1, 3, 7}) {
      std::string altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ (1 << bit));
      const auto program = parse_program(altered, "p");
      EXPECT_TRUE(!program.ok() || to_binary(*program) == altered) << at;
    }
  }
}

}  // namespace
}  // namespace nestor::io::chip_program_test
