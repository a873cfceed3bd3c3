// Functions that read hbm-pim systems, the region of a kernel, and mappings from the JSON of a result.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "check/cnm/form.h"
#include "check/cnm/pim.h"

namespace nestor::check::cnm {
namespace {

using M = PimMachine;
constexpr std::array<Int M::*, unit_form.size()> units = {
    nullptr, &M::grf, &M::crf, &M::instructions_per_burst, &M::row_bursts, &M::reserved_row};
constexpr std::array<Int M::*, dram_form.size()> timings = {
    &M::ranks, &M::banks,  &M::groups, &M::queue, &M::BL,  &M::RL,   &M::WL,    &M::tCCDS,
    &M::tCCDL, &M::tRCDRD, &M::tRCDWR, &M::tRAS,  &M::tRP, &M::tRC,  &M::tRRDS, &M::tRRDL,
    &M::tRTPL, &M::tWR,    &M::tWTRL,  &M::tRTRS, &M::XAW, &M::tXAW, &M::tREFI, &M::tRFC};
constexpr Int first_own_row = 4096;         // first row of registers and modes
constexpr std::size_t most_steps = 10'000;  // maximum number of operations in a region

}  // namespace

PimMachine read_pim_machine(const Json& node) {
  check_form(node, pim_machine_form, "the system");
  PimMachine machine;
  machine.name = word_of(node, "name");
  for (std::size_t l = 0; l < 3; ++l)
    machine.levels[l] = integer(member(node["levels"][l], "size"), 1, "a level");
  for (std::size_t i = 1; i < units.size(); ++i)
    machine.*units[i] = integer(member(node["pim"], unit_form[i].key), 1, unit_form[i].key);
  for (std::size_t i = 0; i < timings.size(); ++i)
    machine.*timings[i] = integer(member(node["dram"], dram_form[i].key), 0, dram_form[i].key);
  if (machine.banks % machine.groups != 0 || machine.tREFI < 4 * machine.ranks)
    throw Unreadable("its memory has an incomplete bank group, or refreshes all the time");
  machine.cycle = Fraction(1'000'000) / Fraction(parse_decimal(member(node, "clock_mhz").dump()));
  machine.reduce = Fraction(1000) * Fraction(parse_decimal(member(node["host"], "reduce_ns").dump()));
  return machine;
}

namespace {

// Analysis of the region. Elements are always treated as f16, so conversions are skipped.
class Region {
 public:
  explicit Region(PimProblem& problem)
      : problem_(problem), kernel_(problem.kernel), operands_(kernel_.operands.size()) {}

  void read() {
    if (kernel_.region.size() > most_steps) throw TooLarge();
    const auto outputs = std::count_if(kernel_.operands.begin(), kernel_.operands.end(),
                                       [](const CnmOperand& operand) { return operand.is_output; });
    if (outputs != 1 || operands_ < 2) refuse();
    problem_.output = operands_ - 1;
    for (std::size_t d = 0; d < kernel_.dims(); ++d)
      problem_.is_reduction |= !kernel_.operands[problem_.output].uses(d);
    for (std::size_t i = 0; i < kernel_.region.size(); ++i)
      if (!kernel_.region[i].is_number && kernel_.region[i].name != "move") operations_.push_back(i);
    if (problem_.is_reduction)
      read_sum();
    else
      read_points();
  }

 private:
  [[noreturn]] static void refuse() { throw NotChecked("HBM-PIM cannot compute its kernel"); }
  std::size_t through(std::size_t value) const {
    while (value >= operands_ && operation(value).name == "move") value = operation(value).arguments.at(0);
    return value;
  }
  const Kernel::Operation& operation(std::size_t value) const { return kernel_.region[value - operands_]; }
  bool is_number(std::size_t value) const { return value >= operands_ && operation(value).is_number; }
  bool is_zero(std::size_t value) const {
    if (!is_number(value)) return false;
    const char* text = operation(value).number.c_str();
    char* end = nullptr;
    return std::strtod(text, &end) == 0 && end != text;
  }

  void read_points() {
    const std::size_t given = through(kernel_.yields[0]);
    if (is_number(given) || given == problem_.output) refuse();
    std::vector<std::size_t> until(kernel_.region.size());  // last operation that reads each result
    for (const std::size_t i : operations_) {
      until[i] = i;
      bool names_input = false, clamps = false;
      const std::string& name = kernel_.region[i].name;
      for (std::size_t value : kernel_.region[i].arguments) {
        value = through(value);
        if (value == problem_.output) refuse();
        if (value < operands_) {
          problem_.reads.push_back(value);
          names_input = true;
        } else if (!is_number(value)) {
          until[value - operands_] = i;
        } else if (name == "max" && !clamps && is_zero(value)) {
          clamps = true;
        } else {
          problem_.has_constants = true;
        }
      }
      if (name != "add" && name != "sub" && name != "mul" && !clamps) refuse();
      if (!names_input) problem_.reads.push_back(0);
    }
    if (operations_.empty()) problem_.reads = {0};
    if (operations_.size() == 1) find_library(kernel_.region[operations_[0]].name);
    if (given >= operands_) until[given - operands_] = kernel_.region.size();
    for (const std::size_t i : operations_)
      problem_.alive = std::max<Int>(
          problem_.alive, std::count_if(operations_.begin(), operations_.end(), [&](std::size_t other) {
            return other <= i && (other == i || until[other] > i);
          }));
  }

  // The library has streams for single operations on all elements.
  void find_library(const std::string& name) {
    std::vector<std::size_t> all(kernel_.dims());
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = 0; i < operands_; ++i)
      if (!walks(i, all)) return;
    const auto& reads = problem_.reads;
    const bool has_sums =
        std::find(kernel_.reduction.begin(), kernel_.reduction.end(), true) != kernel_.reduction.end();
    if (has_sums || problem_.has_constants || reads.size() != problem_.output) return;
    const bool has_two = reads.size() == 2 && reads[0] != reads[1];
    if (has_two && name == "add") problem_.library = PimLibrary::add;
    if (has_two && name == "mul") problem_.library = PimLibrary::mul;
    if (reads.size() == 1 && name == "max") problem_.library = PimLibrary::relu;
  }

  void collect(std::size_t value, std::vector<std::size_t>& terms) const {
    value = through(value);
    if (terms.size() > kernel_.region.size() + 2) refuse();
    if (value < operands_ || operation(value).name != "add") {
      terms.push_back(value);
      return;
    }
    for (const std::size_t argument : operation(value).arguments) collect(argument, terms);
  }
  void read_sum() {
    std::vector<std::size_t> terms;
    collect(kernel_.yields[0], terms);
    if (std::erase(terms, problem_.output) != 1) refuse();
    problem_.is_product = terms.size() == 1 && terms[0] >= operands_ && operation(terms[0]).name == "mul";
    if (problem_.is_product) {
      const auto factors = operation(terms[0]).arguments;
      terms.clear();
      for (const std::size_t value : factors) terms.push_back(through(value));
    }
    std::sort(terms.begin(), terms.end());
    const bool are_inputs = !terms.empty() && terms.back() < problem_.output;
    if (!are_inputs || std::adjacent_find(terms.begin(), terms.end()) != terms.end() ||
        operations_.size() != terms.size())
      refuse();
    problem_.stored = terms;
    if (!problem_.is_product) return;
    if (terms.size() != 2) refuse();
    const auto elements = [&](std::size_t i) { return product(kernel_.operands[i].dims); };
    const bool second = elements(terms[1]) > elements(terms[0]);
    problem_.stored = {terms[second ? 1 : 0]};
    problem_.factor = terms[second ? 0 : 1];
    if (operands_ == 3 && kernel_.dims() == 2 && walks(2, {0}) &&
        ((walks(0, {0, 1}) && walks(1, {1})) || (walks(1, {0, 1}) && walks(0, {1}))))
      problem_.library = PimLibrary::gemv;
  }
  bool walks(std::size_t operand, const std::vector<std::size_t>& dims) const {
    const auto& map = kernel_.operands[operand].map;
    if (map.size() != dims.size()) return false;
    for (std::size_t k = 0; k < dims.size(); ++k)
      for (std::size_t d = 0; d < kernel_.dims(); ++d)
        if (map[k].constant != 0 || map[k].factors[d] != (d == dims[k] ? 1 : 0)) return false;
    return true;
  }

  PimProblem& problem_;
  const Kernel& kernel_;
  const std::size_t operands_;
  std::vector<std::size_t> operations_;
};

template <typename Word, std::size_t count>
Word read_word(const Json& map, const char* key, const std::array<const char*, count>& words) {
  if (!map.contains(key)) return Word{};
  const auto word = word_of(map, key);
  for (std::size_t i = 0; i < count; ++i)
    if (word == words[i]) return static_cast<Word>(i + 1);
  throw Unreadable("a mapping is not in the space");
}

}  // namespace

bool operator<(const PimMapping& a, const PimMapping& b) {
  const auto key = [](const PimMapping& m) {
    return std::tie(m.channels, m.blocks, m.lanes, m.local, m.block, m.order, m.half, m.layout, m.grf);
  };
  return key(a) < key(b);
}

PimProblem pim_problem(const PimMachine& machine, const Kernel& kernel) {
  PimProblem problem;
  problem.machine = machine;
  problem.kernel = kernel;
  Region(problem).read();
  return problem;
}

PimProblem read_pim_problem(const Json& result) {
  const PimMachine machine = read_pim_machine(member(result, "architecture"));
  if (machine.reserved_row > first_own_row) throw NotChecked("its data may reach the rows of registers");
  const Json& source = member(result, "source");
  if (word_of(source, "language") != "mlir") throw NotChecked("its kernel is not in MLIR");
  const Kernel kernel = read_kernel(word_of(source, "text"), CnmMachine(), 0);
  require_provable(kernel);
  if (product(kernel.extents) > largest_extent) throw TooLarge();
  if (result.contains("asked_extents")) throw NotChecked("its extents are padded");
  if (word_of(result, "searched") != "blocks, orders and halves of general streams, one map")
    throw NotChecked("its space is not that of general streams with one map");
  auto problem = pim_problem(machine, kernel);
  for (std::size_t d = 0; d < kernel.dims(); ++d)
    if (kernel.reduction[d] == kernel.operands[problem.output].uses(d))
      throw NotChecked("the kinds of its dims differ from the use of its output");
  return problem;
}

void read_pim_words(const Json& map, PimMapping& mapping) {
  mapping.half = read_word<Half>(map, "half", std::array{"alternate", "split", "even"});
  mapping.layout = read_word<Layout>(map, "layout", std::array{"apart", "together"});
}

PimMapping read_mapping(const Json& map, const PimProblem& problem) {
  const std::size_t dims = problem.kernel.dims();
  const Json& tuples = list_of(map, "tuples", 4);
  if (tuples.size() != 4 || map.contains("collect") || map.contains("half_dim") || map.contains("bank"))
    throw Unreadable("a mapping is not in the space");
  PimMapping mapping;
  mapping.channels = read_tuple(tuples[0], dims, 1);
  mapping.blocks = read_tuple(tuples[1], dims, 1);
  mapping.lanes = read_tuple(tuples[2], dims, 1);
  mapping.local = read_tuple(tuples[3], dims, 1);
  read_pim_words(map, mapping);
  if (map.contains("grf")) mapping.grf = integer(map["grf"], 1, "grf");
  const bool has_steps = problem.is_reduction && !mapping.is_library();
  mapping.block = read_tuple(member(map, "block"), has_steps ? dims : 0, 1);
  mapping.order = read_tuple(member(map, "order"), has_steps ? dims : 0, 0);
  return mapping;
}

}  // namespace nestor::check::cnm
