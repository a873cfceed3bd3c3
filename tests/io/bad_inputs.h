// Reader of text files with cases of bad input. A case consists of an input and the exact message that it
// must cause (tests/bad_inputs/README.md defines the format). bad_inputs_test.cpp runs all cases. The tests
// of a new reader register its kind:
//
//   const BadInputKind onnx("onnx", "in.onnx", [](const std::string& input, const std::string& file) {...});
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/error.h"

namespace nestor::tests {

/// A function that returns the message for an input, or an empty text if the input is accepted.
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
  std::string file;  ///< file name that messages show for the input
  std::string input;
  std::string expected;
};

/// Returns the cases of one file. A malformed file yields a case of kind "malformed" with the reason.
std::vector<BadInputCase> parse_bad_inputs(const std::string& text, const std::string& name);

/// Returns the message of the reader for a case.
std::string message_for(const BadInputCase& bad);

/// Returns the message of a refused input, or an empty text.
template <typename T>
std::string message_of(const io::Result<T>& result) {
  return result ? std::string() : result.error().to_string();
}

}  // namespace nestor::tests
