// Head of every result, "nestor.result/2" (docs/formats.md, "Result"). Results of all verbs and spaces begin
// with the same keys in the same order; `space` and `verb` tell them apart.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/document.h"
#include "io/fields.h"
#include "report/keys/common.h"

namespace nestor::io {

inline constexpr std::string_view result_schema = "nestor.result/2";

/// A result with 100,000 layers takes 120 to 400 MB. Results of this size are written and must be readable.
inline constexpr DocumentLimits result_limits{.bytes = std::size_t{512} << 20,
                                              .nodes = std::size_t{64} << 20};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

struct ResultInput {
  std::string role;    ///< "architecture", "layers", "mapping", ...
  std::string name;    ///< name as given
  std::string sha256;  ///< of the bytes, in hexadecimal; empty if the input is not a file
};

struct ResultObjective {
  std::string name;           ///< empty if the run has no objective
  std::string latency_model;  ///< empty if the space has a single model
  Json value = nullptr;       ///< value for the whole result, in spaces without layers; null if absent
};

struct ResultHead {
  std::string version;
  std::string space;
  std::string verb;
  OptionTexts options;  ///< the given options and their values
  std::vector<ResultInput> inputs;
  ResultObjective objective;
};

/// The spaces and verbs of results.
inline constexpr std::array<std::string_view, 5> result_spaces = {"cim", "pim", "cnm", "simd", "chip"};
inline constexpr std::array<std::string_view, 8> result_verbs = {
    "map", "compile", "estimate", "schedule", "evaluate", "simulate", "show", "import"};

/// The head, for results of some spaces and verbs. Keys that a file lacks leave `head` unchanged.
void describe_head(Fields& fields, ResultHead& head, Words spaces = result_spaces,
                   Words verbs = result_verbs);

Json input_to_json(ResultInput input);
/// Returns the head. The caller appends the architecture, the network and the findings.
Json head_to_json(ResultHead head);
Json result_head_schema();

/// True if the document states a schema, as all result files do.
bool is_result(const Document& document);

/// Returns an error if a file is not a result of this version.
MaybeError check_schema(const Node& root);

}  // namespace nestor::io
