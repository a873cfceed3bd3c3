// Tests of the exact error messages for malformed MPS and LP files.
#include <gtest/gtest.h>

#include "io/lp/lp_model.h"

namespace nestor::io::bad_input_test {
namespace {

struct BadInput {
  const char* text;
  const char* message;
};

// Valid beginnings of a file, to which a case appends its `text`.
constexpr std::string_view rows = "ROWS\n N o\n L c1\n G c2\nCOLUMNS\n";
constexpr std::string_view columns = "ROWS\n N o\n L c1\n G c2\nCOLUMNS\n x o 1 c1 1\n y c2 1\n";

TEST(BadMps, IsRefusedWithAPositionAndAReason) {
  const BadInput cases[] = {
      {"", "f: the file ends without ENDATA"},
      {"ROWS\n N o\n", "f:2: the file ends without ENDATA"},
      {"NAME x\nENDATA\n", "f:2: no ROWS section"},
      {"ROWS\n L c\nENDATA\n", "f:3: no objective: expected a row of type N"},
      {"ROVS\n N o\nENDATA\n", "f:1:1: unknown section 'ROVS' (did you mean 'ROWS'?)"},
      {"SOS\nENDATA\n", "f:1:1: unknown section 'SOS' (did you mean 'ROWS'?)"},
      {" N o\nENDATA\n", "f:1:2: data outside any section"},
      {"COLUMNS\nENDATA\n", "f:1:1: COLUMNS before ROWS"},
      {"ROWS\n N o\nRHS\nENDATA\n", "f:3:1: RHS before COLUMNS"},
      {"ROWS\n N o\nBOUNDS\nENDATA\n", "f:3:1: BOUNDS before COLUMNS"},
      {"ROWS\n N o\nROWS\nENDATA\n", "f:3:1: section ROWS appears twice"},
      {"OBJSENSE\n LARGE\nENDATA\n", "f:2:2: objective sense 'LARGE', expected MIN or MAX"},
      {"ROWS\n N\nENDATA\n", "f:2:2: expected a row type and a name"},
      {"ROWS\n X r\nENDATA\n", "f:2:2: row type 'X', expected N, L, G or E"},
      {"ROWS\n N o\n L r\n G r\nENDATA\n", "f:4:4: row 'r' is declared twice"},
  };
  for (const auto& [text, message] : cases) {
    const auto model = parse_mps(text, "f");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().to_string(), message) << text;
    EXPECT_EQ(model.error().kind, ErrorKind::input);
  }
}

TEST(BadMps, ColumnsAreChecked) {
  const BadInput cases[] = {
      {" x\n", "f:6:2: expected a column name and one or two pairs of row and coefficient"},
      {" x o 1 c1\n", "f:6:2: expected a column name and one or two pairs of row and coefficient"},
      {" x cc1 1\n", "f:6:4: no row 'cc1' (did you mean 'c1'?)"},
      {" x c1 one\n", "f:6:7: 'one' is not a number"},
      {" x c1 1e999\n", "f:6:7: '1e999' is too large, expected a number below 1.8e308"},
      {" x c1 nan\n", "f:6:7: 'nan' is not a number"},
      {" x c1 inf\n", "f:6:7: an infinite coefficient"},
      {" x c1 1 c1 2\n", "f:6:9: column 'x' names row 'c1' twice"},
      {" x o 1\n x o 2\n", "f:7:4: column 'x' names row 'o' twice"},
      {" x c1 1\n y c1 1\n x c2 1\n", "f:8:2: column 'x' continues after other columns"},
      {" M 'MARKER' 'INTERN'\n", "f:6:13: marker 'INTERN', expected 'INTORG' or 'INTEND'"},
  };
  for (const auto& [text, message] : cases) {
    const auto model = parse_mps(std::string(rows) + text + "ENDATA\n", "f");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().to_string(), message) << text;
  }
}

TEST(BadMps, RightSidesRangesAndBoundsAreChecked) {
  const BadInput cases[] = {
      {"RHS\n r\n", "f:9:2: expected right-hand sides as one or two pairs of row and number"},
      {"RHS\n r c3 1\n", "f:9:4: no row 'c3' (did you mean 'c1'?)"},
      {"RHS\n r c1 1\n r c1 2\n", "f:10:4: row 'c1' has two right-hand sides"},
      {"RHS\n r c1 x\n", "f:9:7: 'x' is not a number"},
      {"RANGES\n r o 1\n", "f:9:4: a range for the objective"},
      {"RANGES\n r c1 1 c1 2\n", "f:9:9: row 'c1' has two ranges"},
      {"BOUNDS\n SC b x 1\n", "f:9:2: semicontinuous variables (SC) are not supported"},
      {"BOUNDS\n XX b x 1\n", "f:9:2: bound type 'XX', expected UP, LO, FX, FR, MI, PL, BV, LI or UI"},
      {"BOUNDS\n UP x\n", "f:9:2: expected UP [set] column number"},
      {"BOUNDS\n UP b xx 1\n", "f:9:7: no column 'xx'"},
      {"BOUNDS\n UP b x much\n", "f:9:9: 'much' is not a number"},
      {"BOUNDS\n FX b x inf\n", "f:9:7: fixed at an infinite value"},
  };
  for (const auto& [text, message] : cases) {
    const auto model = parse_mps(std::string(columns) + text + "ENDATA\n", "f");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().to_string(), message) << text;
  }
}

TEST(BadLp, IsRefusedWithAPositionAndAReason) {
  const BadInput cases[] = {
      {"", "f:1:1: the file ends, expected 'Minimize' or 'Maximize'"},
      {"x + y\n", "f:1:1: found 'x', expected 'Minimize' or 'Maximize'"},
      {"min\n x\n", "f:3:1: the file ends, expected a sign, or 'Subject To'"},
      {"min\n x y\nst\nend\n", "f:2:4: found 'y', expected a sign, or 'Subject To'"},
      {"min\n x + [ x ^ 2 ]\nst\nend\n", "f:2:6: quadratic terms are not supported"},
      {"min\n x\nmax\n y\nend\n", "f:3:1: a second objective"},
      {"min\n x +\nst\nend\n", "f:3:1: found 'st', expected a coefficient or the name of a column"},
      {"min\n x\nst\n c: x\nend\n", "f:5:1: found 'end', expected <=, >= or ="},
      {"min\n x\nst\n c: x <= y\nend\n", "f:4:10: found 'y', expected a number"},
      {"min\n x\nst\n c: x <=\n", "f:5:1: the file ends, expected a number"},
      {"min\n x\nst\n c: x <= 1\n c: x >= 0\nend\n", "f:5:2: row 'c' is declared twice"},
      {"min\n x\nst\n c: 1 <= x >= 2\nend\n", "f:4:12: a range needs the same <= or >= twice, found '>='"},
      {"min\n x\nst\n c: 1 = x = 2\nend\n", "f:4:11: a range needs the same <= or >= twice, found '='"},
      {"min\n x\nst\n c: x <= 1\n", "f:5:1: the file ends, expected 'End'"},
      {"min\n x\nst\nbounds\n 1 <= z\nend\n", "f:5:7: no column 'z' in objective or constraints"},
      {"min\n width\nst\nbounds\n 1 <= widht\nend\n",
       "f:5:7: no column 'widht' in objective or constraints (did you mean 'width'?)"},
      {"min\n x\nst\nbounds\n x\nend\n", "f:6:1: found 'end', expected <=, >=, = or 'free'"},
      {"min\n x\nst\nbounds\n x >= inf\nend\n",
       "f:5:2: column 'x' has a bound with the wrong sign of infinity"},
      {"min\n x\nst\nbounds\n 3\nend\n", "f:6:1: found 'end', expected <=, >= or ="},
      {"min\n x\nst\ngeneral\n 3\nend\n", "f:5:2: found '3', expected the name of a column"},
      {"min\n x\nst\nsos\nend\n", "f:4:1: section 'sos' is not supported"},
      {"min\n x\nst\nsemi-continuous\n x\nend\n", "f:4:1: section 'semi' is not supported"},
      {"min\n x\nst\nend\nx\n", "f:5:1: found 'x', expected nothing after 'End'"},
      {"min\n 1e999 x\nst\nend\n", "f:2:2: '1e999' is too large, expected a number below 1.8e308"},
  };
  for (const auto& [text, message] : cases) {
    const auto model = parse_lp(text, "f");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().to_string(), message) << text;
  }
}

TEST(BadFiles, AreNamed) {
  EXPECT_EQ(read_lp_model("/nowhere/x.mps").error().to_string(), "/nowhere/x.mps: no such file");
  EXPECT_EQ(write_lp_model("x.txt", {})->to_string(),
            "x.txt: expected a name ending in .mps, .lp, .mps.gz or .lp.gz");
}

}  // namespace
}  // namespace nestor::io::bad_input_test
