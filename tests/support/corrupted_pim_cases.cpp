#include "support/corrupted_pim_cases.h"

#include <algorithm>

#include "model/pim/evaluate.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"

namespace nestor::tests {
namespace {

class Corrupter {
  template <typename Items>
  auto& any(Items& items) {
    return items[random_.below(items.size())];
  }

 public:
  Corrupter(NamedPimCase& sample, Random& random) : sample_(sample), random_(random) {}

  void corrupt() {
    switch (random_.below(15)) {
      case 0:
        machine().blocks = pim::BlockRule::even;
        break;
      case 1:
        if (Loop* loop = any_loop()) loop->at[random_.below(operand_count)] = any_memory();
        break;
      case 2:
        if (Loop* loop = any_loop()) loop->factor = random_.between(0, 2 * loop->factor);
        if (random_.chance(0.3)) add_idle_loop();
        break;
      case 3:
        if (Loop* loop = any_loop()) std::swap(*loop, *any_loop());
        break;
      case 4:
        any(mapping().nest.spatial[random_.below(machine().axes.size())]) = random_.between(0, 4);
        break;
      case 5:
      case 6:
        mapping().stored[any_memory()].insert(any(all_operands));
        break;
      case 7:
        lay_out(any(all_operands));
        break;
      case 8:
        take_room();
        break;
      case 9:
        spread();
        break;
      case 10:
        narrow(random_.below(machine().axes.size()));
        break;
      case 11:
        corrupt_layer();
        break;
      case 12:
        corrupt_memory();
        break;
      case 13:
        fill_up();
        break;
      default:
        mapping().nest.double_buffered[any_memory()].insert(any(all_operands));
    }
    if (admit(layer(), machine()) == Refusal::none && random_.chance(0.5) &&
        !find_misplacement(machine(), mapping()))
      normalise(mapping(), layer(), machine());
  }

 private:
  LayerShape& layer() { return sample_.small.layer; }
  pim::PimMachine& machine() { return sample_.small.machine; }
  pim::PimMapping& mapping() { return sample_.mapping; }
  Loop* any_loop() { return mapping().nest.loops.empty() ? nullptr : &any(mapping().nest.loops); }
  std::uint8_t any_memory() {
    return static_cast<std::uint8_t>(
        random_.below(machine().memories.size() + (random_.chance(0.1) ? 1 : 0)));
  }

  void lay_out(Operand operand) {
    auto& layout = mapping().layouts[index_of(operand)];
    layout = {.kind = static_cast<pim::LayoutKind>(random_.below(pim::layout_kind_count)),
              .block_height = random_.between(0, 6),
              .block_width = random_.between(0, 6)};
  }

  // Removes a dimension from an axis, or sets its size to the number of lanes used, or to one less.
  void narrow(std::size_t axis) {
    if (random_.chance(0.5))
      machine().axes[axis].dims.erase(any(group_dims));
    else
      machine().axes[axis].size =
          std::max<Int>(1, product_of(mapping().nest.spatial[axis]) - random_.between(0, 1));
  }

  // Adds a loop of one iteration inside the innermost loop.
  void add_idle_loop() {
    if (mapping().nest.loops.empty()) return;
    Loop idle = mapping().nest.loops[mapping().nest.loops.size() - 1];
    idle.factor = 1;
    mapping().nest.loops.push_back(idle);
  }

  // Moves a loop to an axis, even if another axis already has its dimension.
  void spread() {
    const auto some = [&] { return random_.below(std::uint64_t{1} << machine().axes.size()); };
    machine().dim_once = static_cast<std::uint8_t>(some());
    machine().dim_once |= static_cast<std::uint8_t>(some());
    auto& loops = mapping().nest.loops;
    if (loops.empty()) return;
    const std::size_t i = random_.below(loops.size());
    const std::size_t a = random_.below(machine().axes.size());
    machine().axes[a].dims.insert(loops[i].dim);
    machine().axes[a].size *= loops[i].factor;
    mapping().nest.spatial[a][index_of(loops[i].dim)] *= loops[i].factor;
    loops.erase_at(i);
  }

  // Sets the capacity of a memory to exactly the bits in use, or to one bit less.
  void take_room() {
    if (verdict(sample_) != "legal") return;
    pim::RowCounter rows;
    const auto usage = evaluate(layer(), machine(), mapping(), rows).usage_bits;
    const std::size_t m = random_.below(machine().memories.size());
    if (usage[m] > 0) machine().memories[m].capacity = usage[m] - random_.between(0, 1);
  }

  void corrupt_layer() {
    const std::array numbers = {&layer().stride[0],   &layer().dilation[1], &layer().bits.input,
                                &layer().bits.weight, &layer().bits.output, &layer().bits.partial_sum,
                                &any(layer().bounds), &layer().dilation[0], &layer().stride[1]};
    *any(numbers) = random_.between(0, 40);
  }

  void corrupt_memory() {
    Memory& memory = any(machine().memories);
    if (memory.row > 0 && random_.chance(0.7))
      memory.row = random_.between(1, memory.row);
    else
      memory.operands.erase(any(all_operands));
  }

  // Sets a latency that is added once, so that figures just fit into 64 bits or just overflow.
  void fill_up() {
    Int most = 16;
    Int longest = 0;
    Int activation = 0;
    Int once = 0;
    for (const Int bound : layer().bounds) most *= bound;
    for (const std::size_t d : {0U, 1U}) most *= layer().stride[d] + layer().dilation[d];
    for (const Operand operand : all_operands) longest = std::max(longest, layer().bits.widest(operand));
    for (const Memory& memory : machine().memories) {
      longest = std::max(longest, memory.row);
      activation = std::max(activation, memory.activation_cycles);
      once += memory.access_latency;
    }
    most *= longest * (machine().mvm_cycles + activation + 4);
    machine().reduction_latency = (Int{1} << 62U) - most - once - random_.between(0, 1);
  }

  NamedPimCase& sample_;
  Random& random_;
};

}  // namespace

std::optional<NamedPimCase> random_named_pim_case(std::uint64_t seed, Int most_macs) {
  NamedPimCase sample{random_pim_case(seed, most_macs), {}, {}, {}};
  auto& machine = sample.small.machine;
  if (seed % 3 == 0) {
    const auto inner = machine.axes;
    machine.axes = {};
    Axis vaults{.size = 4};
    for (const Dim dim : group_dims) vaults.dims.insert(dim);
    machine.axes.push_back(vaults);
    for (const Axis& axis : inner) machine.axes.push_back(axis);
    for (Memory& memory : machine.memories) ++memory.axes_above;
    machine.dim_once = static_cast<std::uint8_t>(machine.dim_once << 1U);
    sample.axes = {"vaults"};
  }
  while (sample.axes.size() < machine.axes.size())
    sample.axes.push_back("axis " + std::to_string(sample.axes.size()));
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    sample.memories.push_back("memory " + std::to_string(m));
  if (!random_pim_mapping(sample.small, seed, sample.mapping)) return std::nullopt;
  return sample;
}

std::string verdict(const NamedPimCase& sample) {
  constexpr std::array refusals = {
      "", "too large", "nonpositive", "operand without memory", "row too short", "no coordinates", "groups"};
  constexpr std::array nest = {"factor below one",
                               "dim not of the axis",
                               "axis overflow",
                               "bound mismatch",
                               "memory without operand",
                               "block moves outward",
                               "double buffer not allowed",
                               "double buffer home",
                               "double buffer unused",
                               "capacity",
                               "not canonical"};
  constexpr std::array pim = {"",       "dim twice",   "stored nowhere", "stored capacity",
                              "uneven", "layout kind", "layout block"};
  const auto refusal = admit(sample.small.layer, sample.small.machine);
  if (refusal != Refusal::none) return refusals[static_cast<std::size_t>(refusal)];
  const auto violation = find_violation(sample.small.layer, sample.small.machine, sample.mapping);
  if (!violation) return "legal";
  if (violation->rule == pim::PimRule::nest) return nest[static_cast<std::size_t>(violation->nest.rule)];
  return pim[static_cast<std::size_t>(violation->rule)];
}

void corrupt(NamedPimCase& sample, Random& random) { Corrupter(sample, random).corrupt(); }

}  // namespace nestor::tests
