// A space as the command line sees it: one row of a table. A space is a kind of machine together with what
// may be decided on it (cim, simd, ...). Verbs name no space: they find out which one their inputs belong to
// (space_of) and call what the row has for them.
//
// To add a space: its folders under model/, sim/, heuristics/ and mapper/, its files under io/, its tables
// and JSON under report/SPACE/, its verbs under app/SPACE/, one row in spaces.cpp, its words in the option
// table (io/options.h). Nothing else changes; ARCHITECTURE.md has the steps, tests/app/toy_space.h does them.
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

/// Exit statuses of a verb that ran (README.md, "Verbs"); failures are io::Error with their own.
enum class ExitStatus : int {
  solved = 0,
  limited = 1,  ///< a limit stopped the run; what was found by then is valid
  failed = 7,   ///< a claim or a comparison failed
};

/// A verb as one space does it: reads its inputs, prints, writes --json.
using SpaceVerb = io::Result<ExitStatus> (*)(const io::RunOptions& options);

/// What else options may say of a thing that is shown.
struct ShownWith {
  bool layers = false;         ///< --layer chooses among its layers
  bool network_words = false;  ///< --bits, --batch and --dim say how it is read
  bool takes_output = false;   ///< --output writes what it is made of
  bool has_forms = false;      ///< --as says in which form it is shown
};

/// One thing as `show` shows it. Text for people, JSON in its own format, which can be read again.
struct Shown {
  std::string text;
  io::Json json;
  ShownWith with{};
  std::string_view kind = {};  ///< the space it is of; empty for a list of layers, which is of several

  /// One layer of several: what it is, on which machine, and its mapping.
  void add_layer(std::string_view name, std::string_view machine, std::string_view shape,
                 std::string_view mapping);
};
using ShowFile = io::Result<Shown> (*)(const std::string& path_or_name, const io::RunOptions& options);

struct SweepSpace;  // sweep_space.h

struct ShippedNetworks {
  io::DataKind kind;
  std::string_view title;  ///< what each is, for lists
};

struct Space {
  /// The word in `kind` of its architectures and `space` of its results. Other files of the space have a
  /// `kind` that begins with it and a dash ("chip-network").
  std::string_view kind;
  std::string_view title;  ///< its machines, in the plural, for messages

  // A null verb does not apply to the space; the message lists those that do.
  SpaceVerb map = nullptr;
  const SweepSpace* sweep = nullptr;  ///< null: its machines are not swept
  SpaceVerb evaluate = nullptr;
  SpaceVerb simulate = nullptr;
  SpaceVerb verify = nullptr;
  SpaceVerb schedule = nullptr;
  SpaceVerb compile = nullptr;
  SpaceVerb estimate = nullptr;

  SpaceVerb export_model = nullptr;
  SpaceVerb compare = nullptr;
  /// The mixed-integer program that a file beside an exported model describes.
  io::Result<std::unique_ptr<MipModel>> (*read_mip_model)(const io::Node& sidecar) = nullptr;

  ShowFile show_architecture = nullptr;
  /// Shows a file of the space that is no architecture, layer list or result.
  ShowFile show_file = nullptr;
  /// Shows solutions: `options.inputs` is one result file, or empty and --arch, --layers, --mapping count.
  io::Result<Shown> (*show_solutions)(const io::RunOptions& options) = nullptr;

  /// The networks in a form of its own that ship with it.
  std::optional<ShippedNetworks> networks = std::nullopt;

  /// Prints a proof of the space as text, piece by piece, behind its head; null where there are none.
  report::DumpProof dump_proof = nullptr;
  /// What its proofs are of, for messages; empty: a machine of its kind.
  std::string_view proof_of = {};

  /// Whether a file is of a form that only this space reads, by the ending of its name or its first bytes.
  /// JSON and YAML files need no such check: `kind` and `space` say whose they are.
  bool (*owns)(std::string_view path, std::string_view head) = nullptr;
};

using Spaces = std::span<const Space>;

/// The spaces of the tool. The first is that of an architecture without `kind`.
Spaces shipped_spaces();

/// Null for a word that no space has.
const Space* find_space(Spaces spaces, std::string_view kind);

/// The space that --arch or the first input says, among those that have `verb`; where neither says anything,
/// the first that has it. Errors: an unknown kind, a space without the verb.
io::Result<const Space*> space_of(Spaces spaces, const io::RunOptions& options, io::Verb verb,
                                  SpaceVerb Space::*member);

/// Options of another space, and those that exclude each other in this one, are refused.
io::MaybeError check_options_of(const Space& space, const io::RunOptions& options, io::Verb verb);

/// The space that a YAML or JSON document, or a text of its own, belongs to; null if it does not say. An
/// unknown `kind` or `space` is an error.
io::Result<const Space*> space_of_file(Spaces spaces, const std::string& path);

}  // namespace nestor::app
