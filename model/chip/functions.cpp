#include "model/chip/functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace nestor::chip {
namespace {

using Words = std::vector<std::string_view>;

// Lower-case operator types that differ from the word for their function, each with that word.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> shared = {{
    {"averagepool", "avgpool"},
    {"globalaveragepool", "avgpool"},
    {"globalmaxpool", "maxpool"},
    {"layernormalization", "layernorm"},
    {"qlinearadd", "add"},
    {"qlinearaveragepool", "avgpool"},
    {"qlinearglobalaveragepool", "avgpool"},
    {"qlinearleakyrelu", "leakyrelu"},
    {"qlinearmul", "mul"},
    {"qlinearsigmoid", "sigmoid"},
    {"qlinearsoftmax", "softmax"},
}};

// ONNX operator types and the function words of docs/models/chip.md, in lower case and sorted.
constexpr std::array<std::string_view, 199> known = {
    "abs",
    "acos",
    "acosh",
    "add",
    "affinegrid",
    "and",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "attention",
    "averagepool",
    "avgpool",
    "batchnormalization",
    "bernoulli",
    "biasgelu",
    "bitshift",
    "bitwiseand",
    "bitwisenot",
    "bitwiseor",
    "bitwisexor",
    "blackmanwindow",
    "cast",
    "castlike",
    "ceil",
    "celu",
    "centercroppad",
    "clip",
    "col2im",
    "compress",
    "concat",
    "concatfromsequence",
    "constant",
    "constantofshape",
    "conv",
    "convinteger",
    "convtranspose",
    "copy",
    "cos",
    "cosh",
    "cumsum",
    "deformconv",
    "depthtospace",
    "dequantizelinear",
    "det",
    "dft",
    "div",
    "dropout",
    "dynamicquantizelinear",
    "einsum",
    "elu",
    "equal",
    "erf",
    "exp",
    "expand",
    "eyelike",
    "fastgelu",
    "flatten",
    "floor",
    "gather",
    "gatherelements",
    "gathernd",
    "gelu",
    "gemm",
    "globalaveragepool",
    "globallppool",
    "globalmaxpool",
    "greater",
    "greaterorequal",
    "gridsample",
    "groupnormalization",
    "gru",
    "hammingwindow",
    "hannwindow",
    "hardmax",
    "hardsigmoid",
    "hardswish",
    "identity",
    "if",
    "imagedecoder",
    "instancenormalization",
    "isinf",
    "isnan",
    "layernorm",
    "layernormalization",
    "leakyrelu",
    "less",
    "lessorequal",
    "log",
    "logsoftmax",
    "loop",
    "lpnormalization",
    "lppool",
    "lrn",
    "lstm",
    "matmul",
    "matmulinteger",
    "max",
    "maxpool",
    "maxroipool",
    "maxunpool",
    "mean",
    "meanvariancenormalization",
    "melweightmatrix",
    "min",
    "mish",
    "mod",
    "mul",
    "multinomial",
    "neg",
    "negativeloglikelihoodloss",
    "nonmaxsuppression",
    "nonzero",
    "not",
    "onehot",
    "optional",
    "optionalgetelement",
    "optionalhaselement",
    "or",
    "pad",
    "pow",
    "prelu",
    "qlinearadd",
    "qlinearaveragepool",
    "qlinearconv",
    "qlinearglobalaveragepool",
    "qlinearleakyrelu",
    "qlinearmatmul",
    "qlinearmul",
    "qlinearsigmoid",
    "qlinearsoftmax",
    "quantizelinear",
    "quickgelu",
    "randomnormal",
    "randomnormallike",
    "randomuniform",
    "randomuniformlike",
    "range",
    "reciprocal",
    "reducel1",
    "reducel2",
    "reducelogsum",
    "reducelogsumexp",
    "reducemax",
    "reducemean",
    "reducemin",
    "reduceprod",
    "reducesum",
    "reducesumsquare",
    "relu",
    "reshape",
    "resize",
    "reversesequence",
    "rmsnormalization",
    "rnn",
    "roialign",
    "rotaryembedding",
    "round",
    "scan",
    "scatter",
    "scatterelements",
    "scatternd",
    "selu",
    "shape",
    "shrink",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "size",
    "slice",
    "softmax",
    "softmaxcrossentropyloss",
    "softplus",
    "softsign",
    "spacetodepth",
    "split",
    "sqrt",
    "squeeze",
    "stft",
    "sub",
    "sum",
    "swish",
    "table",
    "tan",
    "tanh",
    "tensorscatter",
    "thresholdedrelu",
    "tile",
    "topk",
    "transpose",
    "trilu",
    "unique",
    "unsqueeze",
    "upsample",
    "where",
    "xor",
};
static_assert(std::is_sorted(known.begin(), known.end()));

std::string lower_case(std::string_view text) {
  std::string word(text);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

// Returns the sequences of functions that compute an operator type for which the chip has no single function
// (docs/models/chip.md, section 3).
std::vector<Words> alternatives(std::string_view type, bool unary) {
  if (type == "relu") return {{"max"}, {"table"}};
  if (type == "clip") return {{"max", "max"}, {"table"}};
  if (type == "sub") return {{"mul", "add"}};
  if (type == "div") return {{"table", "mul"}};
  if (type == "softmax")
    return {{"max", "sub", "exp", "sum", "div"}, {"max", "sub", "table", "sum", "table", "mul"}};
  if (type == "maxpool") return {{"max"}};
  if (type == "avgpool") return {{"sum", "mul"}};
  if (type == "batchnormalization") return {{"mul", "add"}};
  if (type == "layernorm")
    return {{"sum", "mul", "sum", "mul", "sub", "sqrt", "div"},
            {"sum", "mul", "sum", "mul", "sub", "table", "mul"}};
  if (unary) return {{"table"}};
  return {};
}

bool counts_reads(std::string_view word) {
  return word == "max" || word == "sum" || word == "maxpool" || word == "avgpool";
}

// More operations than the size check in problem.h allows, so that the check refuses the network.
constexpr Int too_many = Int{1} << 61;

Int cost_of(const ChipFunction& function, const DigitalWork& work) {
  const Int elements = counts_reads(function.does) ? work.read : work.made;
  return std::min(too_many, checked_multiply(function.ops, elements).value_or(too_many));
}

// Appends a call of the function for every word, and adds its operations. Returns false at the first word for
// which the chip has no function.
bool call_all(const ChipMachine& machine, const Words& words, const DigitalWork& work, Lowering& lowering) {
  for (const std::string_view word : words) {
    const ChipFunction* function = find_function(machine, word);
    if (function == nullptr) return false;
    lowering.operations = std::min(too_many, lowering.operations + cost_of(*function, work));
    lowering.calls.push_back(function->name);
  }
  return true;
}

Words missing_of(const ChipMachine& machine, const Words& words) {
  Words missing;
  for (const std::string_view word : words)
    if (find_function(machine, word) == nullptr &&
        std::find(missing.begin(), missing.end(), word) == missing.end())
      missing.push_back(word);
  return missing;
}

}  // namespace

std::string function_word(std::string_view text) {
  std::string word = lower_case(text);
  for (const auto& [type, function] : shared)
    if (type == word) return std::string(function);
  return word;
}

bool is_function_word(std::string_view text) {
  return std::binary_search(known.begin(), known.end(), std::string_view(lower_case(text)));
}

bool may_be_called(std::string_view name) {
  constexpr std::array<std::string_view, 9> taken = {"cim", "loop",  "mov",    "parallel", "row",
                                                     "run", "store", "thread", "wait"};
  const auto begins = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto continues = [&](char c) { return begins(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && begins(name[0]) && std::all_of(name.begin(), name.end(), continues) &&
         std::find(taken.begin(), taken.end(), name) == taken.end();
}

const ChipFunction* find_function(const ChipMachine& machine, std::string_view word) {
  if (!machine.functions) return nullptr;
  const std::string wanted = function_word(word);
  for (const ChipFunction& function : *machine.functions)
    if (function.does == wanted) return &function;
  return nullptr;
}

std::variant<Lowering, std::string> lower(const ChipMachine& machine, std::string_view type,
                                          const DigitalWork& work) {
  const std::string own = function_word(type);
  auto ways = alternatives(own, work.unary);
  ways.insert(ways.begin(), Words{own});
  std::string lacks;
  for (const Words& words : ways) {
    Lowering lowering;
    if (call_all(machine, words, work, lowering)) return lowering;
    const Words missing = missing_of(machine, words);
    lacks += lacks.empty() ? "" : "; ";
    if (words.size() > 1) lacks += fmt::format("for {}: ", fmt::join(words, " "));
    lacks += fmt::format("{}", fmt::join(missing, ", "));
  }
  return fmt::format("the chip has no function for it; missing: {}", lacks);
}

bool multiplies(const ChipMachine& machine) {
  return !machine.functions ||
         (find_function(machine, "mul") != nullptr && find_function(machine, "add") != nullptr);
}

std::vector<std::string> calls_of(const ChipMachine& machine, const Operator& op) {
  if (!machine.functions) return {};
  Words words;
  if (op.kind == OperatorKind::product)
    words = {"mul", "add"};
  else if (op.piece.adds)
    words = {"add"};
  else if (!op.asked.empty())
    words = {op.asked};
  else
    return op.calls;
  Lowering lowering;
  return call_all(machine, words, {}, lowering) ? lowering.calls : std::vector<std::string>();
}

std::optional<std::string> missing_function(const ChipMachine& machine, const ChipNetwork& network) {
  if (!machine.functions) return std::nullopt;
  const auto named = [&](const std::string& name) {
    return std::any_of(machine.functions->begin(), machine.functions->end(),
                       [&](const ChipFunction& function) { return function.name == name; });
  };
  for (const Operator& op : network.operators) {
    if (!op.asked.empty() && find_function(machine, op.asked) == nullptr)
      return fmt::format("operator '{}' requires {}, which no function of {} computes", op.name, op.asked,
                         machine.name);
    for (const std::string& name : op.calls)
      if (!named(name))
        return fmt::format("operator '{}' calls {}, which is not a function of {}", op.name, name,
                           machine.name);
    if (op.piece.adds && find_function(machine, "add") == nullptr)
      return fmt::format("operator '{}' adds the pieces of a split operator, but {} has no function add",
                         op.name, machine.name);
  }
  return std::nullopt;
}

}  // namespace nestor::chip
