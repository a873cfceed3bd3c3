// The project's one option table. Each row names an option, its values, its help and the verbs that honour
// it; the command line, the help texts, docs/options.md and the C++ API (RunOptions, set_option) all come
// from it.
//
// To add an option: a field with its default in its verb's struct and a row in option_rows.cpp, or in the
// file of rows of the one space that has it; and the verb that reads it.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_words.h"
#include "io/error.h"
#include "io/shown_form.h"
#include "model/chip/machine.h"
#include "model/chip/method.h"
#include "model/cim/evaluate.h"
#include "model/cim/search/lp_use.h"
#include "model/cnm/choices.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/map_method.h"
#include "model/loopnest/objective_kind.h"
#include "model/pim/mapping.h"
#include "model/simd/method.h"
#include "solver/engine/executor.h"

namespace nestor::io {

enum class Verb : std::uint8_t {
  show,
  evaluate,
  simulate,
  verify,
  schedule,
  map,
  lp,
  compile,
  estimate,
  proof,
  export_model,
  import_solution,
  compare,
  report,
  sweep,
  work,
  store,
  check
};
inline constexpr std::size_t verb_count = 18;

/// How `map` searches: as the desktop can, or as a device does.
enum class Profile : std::uint8_t { desktop, embedded };

/// What an objective of `map` is of: every layer on its own, or the whole network.
enum class Scope : std::uint8_t { layer, network };

/// What starts the workers of a sweep on other machines.
enum class Scheduler : std::uint8_t { slurm };

/// The factors that tiles are built from.
enum class Factors : std::uint8_t { prime, flexible };

class VerbSet {
 public:
  template <typename... Verbs>
  static constexpr VerbSet of(Verbs... verbs) {
    VerbSet set;
    ((set.bits_ |= 1U << static_cast<unsigned>(verbs)), ...);
    return set;
  }
  constexpr bool contains(Verb verb) const { return (bits_ >> static_cast<unsigned>(verb) & 1U) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

// What a run is asked to do: a struct for each verb that has options of its own, and one for each thing that
// several verbs are asked. Every field has its default.

/// What is read.
struct InputOptions {
  std::vector<std::string> inputs;  ///< the positional arguments
  std::string arch;
  std::string layers;
  std::string mapping;
  std::optional<BitWidths> bits;  ///< of every layer, whatever the file says
  Int batch = 1;
  std::vector<std::pair<std::string, Int>> dims;  ///< values of an ONNX model's symbolic dimensions
  std::vector<std::string> layer;                 ///< names; empty: all
  Int point = 1;                                  ///< of a result's fronts
  Int rank = 1;                                   ///< among the best mappings of a result
  std::vector<std::string> settings;              ///< "PATH=VALUE" of the machine
  cim::LatencyModel latency_model = cim::LatencyModel::stall;
};

/// What is written, and how.
struct OutputOptions {
  std::string json;    ///< empty: none; "-": standard output
  std::string output;  ///< what was found, as text
  std::string report;  ///< an HTML page of the result
  bool plain = false;
  bool quiet = false;     ///< no tables, no progress
  bool no_times = false;  ///< measured times are written as 0
  std::string log;        ///< what the search did, a line an event
};

/// What a search may use.
struct ResourceOptions {
  double time_limit = 60;
  double run_time_limit = std::numeric_limits<double>::infinity();
  double layer_time_limit = std::numeric_limits<double>::infinity();
  Int work_limit = 0;    ///< 0: none
  Int memory_limit = 0;  ///< bytes; 0: what the machine offers (app/memory.h)
  Int seed = 1;
  Int samples = 1000;  ///< nests that `--method sampled` tries
  Int threads = 0;     ///< 0: one per hardware thread
  ExecutorKind executor = ExecutorKind::tbb;
  double gap = 0;
  bool explain = false;
};

struct ShowOptions {
  bool list = false;  ///< what ships, instead of anything else
  std::optional<ShownForm> show_as;
};

struct SimulateOptions {
  std::string trace;
};

/// Mixed-integer programs for other solvers.
struct ModelOptions {
  std::string formulation;
  bool start = false;  ///< write our optimum, too
  std::string model;   ///< MODEL.json
  std::string solvers;
  std::vector<std::string> solver_commands;  ///< NAME=COMMAND
  std::string csv;
};

struct VerifyOptions {
  bool recheck = false;
};

struct CheckOptions {
  std::string junit;
  bool annotations = false;
};

struct MapOptions {
  MapMethod map_method = MapMethod::optimal;
  ObjectiveKind objective = ObjectiveKind::latency;
  bool pareto = false;  ///< the front, instead of one objective
  Scope scope = Scope::layer;
  double mu1 = 1;         ///< weight of latency in eq14
  double mu2 = -1;        ///< weight of sizes in eq14; negative: the default of the paper
  Int least_factors = 4;  ///< --factors flexible, as FlexibleFactors
  double factor_loss = 0.2;
  std::array<double, 3> factor_weights = {3, 2, 1};
  double alpha = 1;  ///< weight of latency in blended
  double beta = 1;   ///< weight of energy in blended
  std::string fix;   ///< a constraint file
  Profile profile = Profile::desktop;
  Int workspace = Int{48} << 10;  ///< bytes, of the embedded profile
  Factors factors = Factors::prime;
  double pad = 0;         ///< percent
  bool pad_auto = false;  ///< to multiples of 2, 4 and 8 instead
  bool remainder = false;
  Int top = 1;
  bool nests = false;
  cim::LpUse lp_bound = cim::LpUse::off;
  bool bound_only = false;
  double incumbent = 0;    ///< a cost to measure against, if it is given
  std::string checkpoint;  ///< where the finished layers of a run are kept
  double every = 0;        ///< seconds between two writings of it
  std::string resume;      ///< a checkpoint to go on from
  std::string proof;       ///< where a proof for nestor-check goes
  /// Kinds of layout to choose from.
  nestor::pim::LayoutSet layouts = nestor::pim::all_layouts;
  bool fix_bypass = false;
  std::string all;  ///< where to write the ranked space
};

struct ScheduleOptions {
  std::string netlist;
  bool remap = false;
  std::string mapped;          ///< where to write the mapped netlist
  Int rows = 256, arrays = 0;  ///< no arrays: as many as useful
  simd::ScheduleMethod method = simd::ScheduleMethod::nestor;
  bool recompute = false, no_improve = false, improve = false;
  simd::ScheduleObjective schedule_objective = simd::ScheduleObjective::copies;
  Int planned_work = 0, restarts = 500;  ///< planned work of 0: what the limits allow
  std::optional<Int> workers;            ///< empty: the method's own number
  simd::Generation generation = simd::Generation::greedy;
};

struct CompileOptions {
  std::optional<chip::Mode> chip_mode;  ///< empty: the architecture's own
  std::string levels;                   ///< empty: all that the mode offers
  chip::CompileMethod chip_method = chip::CompileMethod::optimal;
  chip::CompileObjective chip_objective = chip::CompileObjective::latency;
  std::vector<std::string> figure_limits;  ///< "latency=1000"; of `map --scope network`, too
  std::optional<Int> unknown_operations;   ///< an element, of ONNX operators that nothing is known of
  std::string chip_network;
  std::string chip_decisions;
  std::string chip_program;
  bool functional = false;
  std::string calibrate;  ///< images (.npy) that a float model's scales come from; empty: a seeded one
  bool per_tensor = false, reference = false;
  std::string images;  ///< what a program runs on (.npy); empty: seeded elements
};

struct EstimateOptions {
  std::string table;        ///< rows of measurements to estimate
  std::string kernel_dims;  ///< "iterations=256,buffer_elems=64" of a built-in kernel
  std::string data_type;
  std::string estimates;         ///< mappings to estimate, a JSON object a line
  bool library_streams = false;  ///< of HBM-PIM alone
  Int most_maps = 0;             ///< of a kernel; 0: as many as pay
  Int tasklets = 1;              ///< of a kernel without mapping
  std::string arguments;         ///< words of an assembly kernel's argument block
  std::string arguments_symbol;
  std::string registers;              ///< "r14=512,r18=128"
  std::vector<std::string> trips;     ///< "LABEL=N"
  std::vector<std::string> branches;  ///< "LABEL=0.25"
  std::string values;                 ///< "mul=8"
  std::optional<cnm::CountedTransfers> transfers;
  cnm::Weights weights = cnm::Weights::resident;
  std::string times;  ///< rows of what operations take
  cnm::ConvolutionForm convolution = cnm::ConvolutionForm::im2col;
  std::vector<std::string> shapes;  ///< "ARG=4x128"
  std::string function;             ///< of MLIR
};

/// Sweeps of plans over machines and networks, and their stores.
struct SweepOptions {
  std::string store;  ///< FILE.db, sqlite:FILE.db or postgresql://USER@HOST/DATABASE; empty: PLAN.db
  bool sweep_status = false;
  std::string export_to;            ///< FILE.csv or FILE.json
  bool per_layer = false;           ///< a row a layer in exports
  std::string pareto_axes;          ///< "latency,energy,area"
  std::string plot;                 ///< FILE.svg
  std::string plot_axes;            ///< what is drawn over what
  double lease = 60;                ///< seconds that a claimed point belongs to a worker without a heartbeat
  Int most_points = 0;              ///< of this worker; 0: until none is left
  std::optional<Scheduler> submit;  ///< empty: this process works
  Int tasks = 8;                    ///< of the job that is submitted
  std::string partition;
  std::string job_time;    ///< as Slurm writes it
  std::string job_memory;  ///< as Slurm writes it
  bool dry_run = false;    ///< print what would be submitted
};

/// All of them, as the option table fills them in.
struct RunOptions : InputOptions,
                    OutputOptions,
                    ResourceOptions,
                    ShowOptions,
                    SimulateOptions,
                    VerifyOptions,
                    CheckOptions,
                    ModelOptions,
                    MapOptions,
                    ScheduleOptions,
                    CompileOptions,
                    EstimateOptions,
                    SweepOptions {
  std::vector<std::string_view> given;  ///< names of the options that were set, each once
  bool is_given(std::string_view name) const;
};

// The kinds of value. Each knows its field, so that one row is all there is to an option.
struct SwitchValue {
  bool RunOptions::*field;
};
struct IntegerValue {
  std::variant<Int RunOptions::*, std::optional<Int> RunOptions::*> field;  ///< the latter may stay empty
  Int low;
  Int high;
};
struct RealValue {
  double RunOptions::*field;
  double low;
  double high;
};
struct TextValue {
  std::string RunOptions::*field;
  std::string_view when_bare = {};  ///< if not empty, the option may stand alone and then means this
};
/// A file that is written. Whether it can be is found out before work begins.
struct OutputValue {
  std::string RunOptions::*field;
  std::string_view when_bare = {};  ///< as in TextValue
};
struct ChoiceValue {
  std::span<const std::string_view> words;
  void (*set)(RunOptions&, std::size_t);
  std::size_t (*get)(const RunOptions&);  ///< beyond the words: none, which is the default alone
};
/// May be given several times.
struct ListValue {
  std::vector<std::string> RunOptions::*field;
  std::string_view range;
};
/// Anything with a syntax of its own.
struct CustomValue {
  MaybeError (*set)(RunOptions&, std::string_view text);
  std::string (*get)(const RunOptions&);
  std::string_view range;
};
using OptionValue = std::variant<SwitchValue, IntegerValue, RealValue, TextValue, OutputValue, ChoiceValue,
                                 ListValue, CustomValue>;

/// Whether `kinds`, as "cim, pim", names a kind; an empty list names all.
bool is_among(std::string_view kinds, std::string_view kind);

struct Option {
  std::string_view name;         ///< without dashes
  std::string_view placeholder;  ///< what help calls the value ("FILE"); empty for a switch
  OptionValue value;
  std::string_view help;
  VerbSet verbs;
  char letter = '\0';           ///< the short form, if there is one
  std::string_view kinds = {};  ///< the spaces that have it, as "cim, pim"; empty: all that have the verb

  bool is_for(std::string_view kind) const { return is_among(kinds, kind); }
  bool is_switch() const { return std::holds_alternative<SwitchValue>(value); }
  bool is_output() const { return std::holds_alternative<OutputValue>(value); }
  bool may_stand_alone() const;
  bool is_repeatable() const { return std::holds_alternative<ListValue>(value); }
  /// The allowed values as a person reads them; empty when anything goes.
  std::string range() const;
  /// The value in `options` as it would be typed; empty when unset.
  std::string get(const RunOptions& options) const;
  /// Parses and checks `text`; on error `options` is unchanged. A switch takes "" or "true" or "false".
  MaybeError set(RunOptions& options, std::string_view text) const;
};

std::span<const Option> option_table();

/// When the option `name` has this value, `excluded` may not be given.
struct Exclusion {
  VerbSet verbs;
  std::string_view name;
  std::string_view value;                  ///< "!word": any but the word
  std::vector<std::string_view> excluded;  ///< names, or "name=value" for one value only
  std::string_view message;                ///< {} stands for the one that was given
  std::string_view kinds = {};             ///< the spaces that it is of, as in Option; empty: all
};
std::span<const Exclusion> exclusions();

/// The first pair of given options that exclude each other, as a usage error: of the rows of all spaces, or
/// of those of the space `kind` alone.
MaybeError check_exclusions(const RunOptions& options, Verb verb, std::string_view kind = {});

/// What a result file says itself: where one is the input, these may not be given.
struct OwnOfResult {
  VerbSet verbs;
  std::string_view kinds;  ///< as in Option
  std::vector<std::string_view> names;
  std::string_view message;  ///< {} stands for the one that was given
};
std::span<const OwnOfResult> owns_of_results();

/// The first of them that is given, as a usage error; one result file is the input.
MaybeError check_beside_result(const RunOptions& options, Verb verb, std::string_view kind);

/// The row of an option that `verb` honours, or null.
const Option* find_option(Verb verb, std::string_view name);

/// Words with blanks between them; one that holds blanks, quotes or backslashes stands in quotes.
/// split_words() takes them apart again.
std::string join_words(const std::vector<std::string>& words);
std::vector<std::string> split_words(std::string_view text);

/// Sets an option by its name: a usage error for an unknown name or a bad value. The text is as Option::get
/// gives it: of an option that may be given several times, all its values (join_words).
MaybeError set_option(RunOptions& options, Verb verb, std::string_view name, std::string_view text);

std::string_view to_string(Verb verb);
inline constexpr auto latency_models = enum_words<cim::LatencyModel>(
    {{cim::LatencyModel::miredo, "miredo"}, {cim::LatencyModel::stall, "stall"}});
constexpr std::string_view to_string(cim::LatencyModel model) { return latency_models.word(model); }

/// docs/options.md.
std::string options_page();

}  // namespace nestor::io
