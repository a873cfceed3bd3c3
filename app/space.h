// A space on the command line: one row of a table. A space is a kind of machine together with the decisions
// to be made on it (cim, simd, ...). Verbs do not name spaces: they determine the space of their inputs
// (space_of) and call the functions in its row.
//
// To add a space, add its folders under model/, sim/, heuristics/ and mapper/, its files under io/, its
// tables and JSON under report/SPACE/, its verbs under app/SPACE/, one row in spaces.cpp, and its words in
// the option table (io/options.h). No other source file changes. ARCHITECTURE.md describes the steps;
// tests/app/toy_space.h is an example.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/mip.h"
#include "io/files.h"
#include "io/find_data.h"
#include "io/options.h"
#include "report/proof_dump.h"

namespace nestor::app {

/// Exit statuses of a verb that ran (README.md, "Verbs"). Failures are io::Error with their own statuses.
enum class ExitStatus : int {
  solved = 0,
  limited = 1,  ///< a limit stopped the run; findings up to then are valid
  failed = 7,   ///< a claim or a comparison failed
};

/// A verb of one space: reads its inputs, prints, and writes --json.
using SpaceVerb = io::Result<ExitStatus> (*)(const io::RunOptions& options);

/// Options that apply to a shown item.
struct ShownWith {
  bool layers = false;         ///< true if --layer selects some of its layers
  bool network_words = false;  ///< true if --bits, --batch and --dim determine how it is read
  bool takes_output = false;   ///< true if --output writes its content
  bool has_forms = false;      ///< true if --as selects the form in which it is shown
};

/// One item of `show`: human-readable text, and JSON in the item's own format, which can be read again.
struct Shown {
  std::string text;
  io::Json json;
  ShownWith with{};
  std::string_view kind = {};  ///< space of the item; empty for a layer list, which several spaces can use

  /// Appends one of several layers: its name, machine, shape and mapping.
  void add_layer(std::string_view name, std::string_view machine, std::string_view shape,
                 std::string_view mapping);
};
using ShowFile = io::Result<Shown> (*)(const std::string& path_or_name, const io::RunOptions& options);

struct SweepSpace;  // defined in sweep_space.h

struct ShippedNetworks {
  io::DataKind kind;
  std::string_view title;  ///< name of such a network, for lists
};

struct Space {
  /// The word in `kind` of its architectures and `space` of its results. The `kind` of other files of the
  /// space begins with this word and a dash ("chip-network").
  std::string_view kind;
  std::string_view title;  ///< plural name of its machines, for messages

  // A null verb does not apply to the space. The error message lists the spaces that have the verb.
  SpaceVerb map = nullptr;
  const SweepSpace* sweep = nullptr;  ///< null if machines of the space cannot be swept
  SpaceVerb evaluate = nullptr;
  SpaceVerb simulate = nullptr;
  SpaceVerb verify = nullptr;
  SpaceVerb schedule = nullptr;
  SpaceVerb compile = nullptr;
  SpaceVerb estimate = nullptr;

  SpaceVerb export_model = nullptr;
  SpaceVerb compare = nullptr;
  /// Reads the mixed-integer program of an exported model from its description file.
  io::Result<std::unique_ptr<MipModel>> (*read_mip_model)(const io::Node& sidecar) = nullptr;

  ShowFile show_architecture = nullptr;
  /// Shows a file of the space that is not an architecture, layer list or result.
  ShowFile show_file = nullptr;
  /// Shows solutions. `options.inputs` is one result file, or it is empty and --arch, --layers and --mapping
  /// apply.
  io::Result<Shown> (*show_solutions)(const io::RunOptions& options) = nullptr;

  /// Shipped networks in a format of this space.
  std::optional<ShippedNetworks> networks = std::nullopt;

  /// Prints a proof of the space record by record, after the head of the proof has been read. Null if the
  /// space has no proofs.
  report::DumpProof dump_proof = nullptr;
  /// Subject of the space's proofs, for messages. If empty, the subject is a machine of this kind.
  std::string_view proof_of = {};

  /// True if only this space reads the format of a file, as determined by its extension or first bytes. JSON
  /// and YAML files need no such check, because `kind` and `space` determine their owner.
  bool (*owns)(std::string_view path, std::string_view head) = nullptr;
};

using Spaces = std::span<const Space>;

/// Returns the spaces of the tool. The first is the space of architectures without `kind`.
Spaces shipped_spaces();

/// Returns null for an unknown word.
const Space* find_space(Spaces spaces, std::string_view kind);

/// Returns the space that --arch determines, or without --arch the first input or an option of only one
/// space. If nothing determines a space, returns the first space that has the verb. Errors: an unknown kind,
/// or a space without the verb.
io::Result<const Space*> space_of(Spaces spaces, const io::RunOptions& options, io::Verb verb,
                                  SpaceVerb Space::*member);

/// Refuses options of another space, and options that exclude each other in this space.
io::MaybeError check_options_of(const Space& space, const io::RunOptions& options, io::Verb verb);

/// Returns the space of a YAML or JSON document or of a file in a space's own format. Returns null if the
/// file does not specify one. An unknown `kind` or `space` is an error.
io::Result<const Space*> space_of_file(Spaces spaces, const std::string& path);

}  // namespace nestor::app
