#include "model/cnm/estimate/pim_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace nestor::cnm {
namespace {

constexpr std::size_t never = ~std::size_t{0};

class FormReader {
 public:
  explicit FormReader(const Kernel& kernel) : kernel_(kernel), count_(kernel.operands.size()) {}

  PimForm run() {
    const auto outputs = std::count_if(kernel_.operands.begin(), kernel_.operands.end(),
                                       [](const auto& o) { return o.output; });
    if (!kernel_.library_call.empty())
      return refuse(fmt::format("no stream can compute '{}'", kernel_.library_call));
    if (outputs != 1) return refuse(fmt::format("found {} outputs, expected one", outputs));
    form_.output = count_ - 1;
    if (count_ < 2) return refuse("found no input, expected at least one");
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
      form_.output_uses.push_back(output().uses(d));
      form_.contraction |= !form_.output_uses[d];
    }
    if (form_.contraction)
      read_sum();
    else
      read_points();
    return std::move(form_);
  }

 private:
  PimForm refuse(std::string why) {
    form_.refusal = "HBM-PIM: " + std::move(why);
    return std::move(form_);
  }
  void fail(std::string why) {
    if (form_.refusal.empty()) form_.refusal = "HBM-PIM: " + std::move(why);
  }
  const KernelOperand& output() const { return kernel_.operands[form_.output]; }
  bool is_input(std::size_t value) const { return value < form_.output; }
  const RegionStep* step_of(std::size_t value) const {
    return value >= count_ ? &kernel_.region[value - count_] : nullptr;
  }
  bool is_constant(std::size_t value) const {
    const RegionStep* step = step_of(value);
    return step != nullptr && step->kind == RegionStep::Kind::constant;
  }
  bool is_zero(std::size_t value) const {
    if (!is_constant(value)) return false;
    const std::string& text = step_of(value)->text;
    char* end = nullptr;
    return std::strtod(text.c_str(), &end) == 0.0 && end != text.c_str();
  }

  // Determines the inputs that each operation reads from the banks, in order, and the maximum number of
  // results that are in registers at the same time.
  void read_points() {
    std::vector<std::size_t> last_use(kernel_.region.size(), 0);
    for (std::size_t i = 0; i < kernel_.region.size(); ++i) {
      last_use[i] = i;
      for (const std::size_t argument : kernel_.region[i].arguments)
        if (argument >= count_) last_use[argument - count_] = i;
    }
    for (const std::size_t value : kernel_.yields) {
      if (value >= count_) last_use[value - count_] = never;
      if (is_constant(value))
        return fail("the output is a constant, expected a value computed from an input");
      if (value == form_.output) return fail("the output does not change");
    }
    bool computes = false;
    for (std::size_t i = 0; i < kernel_.region.size(); ++i) {
      const RegionStep& step = kernel_.region[i];
      if (step.kind != RegionStep::Kind::operation) continue;
      computes = true;
      read_operation(step);
      Int alive = 0;
      for (std::size_t j = 0; j <= i; ++j)
        alive += static_cast<Int>(kernel_.region[j].kind == RegionStep::Kind::operation &&
                                  (last_use[j] > i || j == i));
      form_.alive = std::max(form_.alive, alive);
    }
    if (!computes) form_.runs = {0};
  }

  void read_operation(const RegionStep& step) {
    const bool relu = step.op == Op::max && std::any_of(step.arguments.begin(), step.arguments.end(),
                                                        [&](std::size_t a) { return is_zero(a); });
    if (step.op != Op::add && step.op != Op::sub && step.op != Op::mul && !relu)
      return fail(fmt::format("no operation {}, expected add, sub, mul or max with 0", step.text));
    bool named = false, zero_taken = false;
    for (const std::size_t argument : step.arguments) {
      if (argument == form_.output) return fail("a pointwise kernel cannot read its output");
      if (is_input(argument)) {
        form_.runs.push_back(argument);
        named = true;
      } else if (is_constant(argument)) {
        const bool implied = relu && !zero_taken && is_zero(argument);
        zero_taken |= implied;
        form_.has_constants |= !implied;
      }
    }
    if (!named) form_.runs.push_back(0);  // the operation is triggered by a read of input 0
  }

  // Determines the inputs of a reduction. The single output must sum either a product of two inputs, or one
  // or more inputs.
  void read_sum() {
    std::vector<std::size_t> added;
    if (kernel_.yields.size() == 1) collect_terms(kernel_.yields[0], added);
    std::size_t before = 0;
    std::vector<std::size_t> factors;
    for (const std::size_t value : added) {
      const RegionStep* step = step_of(value);
      if (value == form_.output)
        ++before;
      else if (is_input(value))
        form_.inputs.push_back(value);
      else if (step != nullptr && step->op == Op::mul && step->kind == RegionStep::Kind::operation &&
               factors.empty() && step->arguments.size() == 2)
        factors = step->arguments;
      else
        before = 2;
    }
    if (!factors.empty() && form_.inputs.empty() && added.size() == 2) {
      form_.product = true;
      form_.inputs = factors;
    }
    std::sort(form_.inputs.begin(), form_.inputs.end());
    const bool inputs_alone = std::all_of(form_.inputs.begin(), form_.inputs.end(),
                                          [&](std::size_t value) { return is_input(value); });
    const bool twice = std::adjacent_find(form_.inputs.begin(), form_.inputs.end()) != form_.inputs.end();
    const auto operations =
        std::count_if(kernel_.region.begin(), kernel_.region.end(),
                      [](const RegionStep& s) { return s.kind == RegionStep::Kind::operation; });
    const std::size_t expected = form_.product ? 2 : form_.inputs.size();
    if (before != 1 || !inputs_alone || twice || form_.inputs.empty() ||
        (!factors.empty() && !form_.product) || static_cast<std::size_t>(operations) != expected)
      fail(
          "the reduction has an unsupported form, expected an output to which inputs or a product of two "
          "inputs are added");
  }

  void collect_terms(std::size_t value, std::vector<std::size_t>& terms) const {
    const RegionStep* step = step_of(value);
    if (step != nullptr && step->kind == RegionStep::Kind::operation && step->op == Op::add &&
        terms.size() < kernel_.region.size() + 2) {
      for (const std::size_t argument : step->arguments) collect_terms(argument, terms);
      return;
    }
    terms.push_back(value);
  }

  const Kernel& kernel_;
  const std::size_t count_;
  PimForm form_;
};

}  // namespace

PimForm pim_form_of(const Kernel& kernel) {
  const Kernel typed = with_elements(kernel, Type::f16);
  return FormReader(typed).run();
}

}  // namespace nestor::cnm
