// Head of every result, "nestor.result/2" (docs/formats.md, "Result"). Results of all verbs and spaces begin
// with the same keys in the same order; `space` and `verb` tell them apart.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/checked_reader.h"
#include "io/document.h"
#include "io/files.h"
#include "report/keys/common.h"

namespace nestor::io {

inline constexpr std::string_view result_schema = "nestor.result/2";

/// A result with 100,000 layers takes 120 to 400 MB. Results of this size are written and must be readable.
inline constexpr DocumentLimits result_limits{.bytes = std::size_t{512} << 20,
                                              .nodes = std::size_t{64} << 20};

namespace result_keys {
inline constexpr std::array<std::string_view, 7> head = {key::schema,  key::version, key::space,    key::verb,
                                                         key::options, key::inputs,  key::objective};
inline constexpr std::array<std::string_view, 3> input = {key::role, key::name, key::sha256};
inline constexpr std::array<std::string_view, 4> objective = {key::name, key::latency_model, key::weights,
                                                              key::value};
}  // namespace result_keys

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

Json input_to_json(const ResultInput& input);
/// Returns the objective with the weights among the options.
Json objective_to_json(const ResultHead& head);
/// Returns the head. The caller appends the architecture, the network and the findings.
Json head_to_json(const ResultHead& head);

/// True if the document states a schema, as all result files do.
bool is_result(const Document& document);

/// Returns an error if a file is not a result of this version.
MaybeError check_schema(const Node& root);

/// Reads the head. Absent keys leave `head` unchanged.
void read_head(const MapReader& top, ResultHead& head, Reading& reading);

}  // namespace nestor::io
