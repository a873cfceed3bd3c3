// Bad inputs as text files: cases of an input and the exact message it must give (tests/bad_inputs/README.md
// has the form), all read by one runner. Whoever adds a reader registers its kind beside its tests:
//
//   const BadInputKind onnx("onnx", "in.onnx", [](const std::string& input, const std::string& file) {...});
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nestor::testing {

/// Message for an input, empty if it is accepted.
using BadInputReader = std::function<std::string(const std::string& input, const std::string& file)>;

struct BadInputKind {
  BadInputKind(const std::string& kind, const std::string& default_file, BadInputReader reader);
};

struct BadInputGenerator {
  BadInputGenerator(const std::string& name, std::function<std::string()> generate);
};

struct BadInputCase {
  std::string source;  ///< file and line, for reports
  std::string kind;
  std::string title;
  std::string file;  ///< what the input is called
  std::string input;
  std::string expected;
};

/// The cases of one file; a malformed file yields a case of kind "malformed" that says why.
std::vector<BadInputCase> parse_bad_inputs(const std::string& text, const std::string& name);

/// What the reader of its kind says about a case.
std::string message_for(const BadInputCase& bad);

}  // namespace nestor::testing
