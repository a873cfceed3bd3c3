// Bad inputs as text files: tests/bad_inputs/*.txt hold cases of an input and the exact message it must give,
// and one runner reads them all. A kind of input is a function from text to message; whoever adds a reader
// registers its kind (and, for binary inputs, generators) beside its tests:
//
//   const BadInputKind onnx("onnx", "in.onnx", [](const std::string& input, const std::string& file) {...});
//
// A file looks like this:
//
//   === base machine                     a text that cases refer to
//   name: m
//   === architecture: no memories        kind, title; the lines up to >>> are the input
//   @use machine                         the base
//   @replace bandwidth: 64 => bandwidth: 0      once, in what there is so far
//   >>> in.yaml:2:5: bandwidth is ...    the message
//
// Further directives: `@hex 00 ff` (bytes), `@repeat 100 [` (text, so many times), `@generate NAME` (what a
// registered generator makes). Directives add to the input; a plain line adds itself and a line break.
// `=== kind as name.json: title` gives the input another name. NESTOR_UPDATE_EXPECTED=1 rewrites the >>>
// lines.
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
