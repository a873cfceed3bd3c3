#include "model/cnm/second_reading/read_channel_region.h"

#include <algorithm>
#include <cstdlib>

namespace nestor::cnm::second {
namespace {

class RegionFollower {
 public:
  RegionFollower(const Kernel& kernel, std::size_t out, const std::vector<bool>& used)
      : kernel_(kernel), out_(out), used_(used) {}

  ReadRegion run() {
    follow_region();
    return std::move(result_);
  }

 private:
  void fail(std::string why) {
    if (result_.fault.empty()) result_.fault = std::move(why);
  }

  // Returns the value behind conversions. A value is an operand (below the number of operands) or a step.
  std::size_t through(std::size_t value) const {
    const std::size_t count = kernel_.operands.size();
    while (value >= count && kernel_.region[value - count].kind == RegionStep::Kind::convert)
      value = kernel_.region[value - count].arguments[0];
    return value;
  }
  const RegionStep* step(std::size_t value) const {
    return value < kernel_.operands.size() ? nullptr : &kernel_.region[value - kernel_.operands.size()];
  }
  bool is_number(std::size_t value) const {
    return step(value) != nullptr && step(value)->kind == RegionStep::Kind::constant;
  }
  void follow_region() {
    if (kernel_.yields.size() != 1 || !kernel_.library_call.empty())
      return fail("HBM-PIM cannot compute this kernel");
    std::vector<std::size_t> operations;
    for (std::size_t i = 0; i < kernel_.region.size(); ++i)
      if (kernel_.region[i].kind == RegionStep::Kind::operation) operations.push_back(i);
    const std::size_t last = through(kernel_.yields[0]);
    const bool sums = std::find(used_.begin(), used_.end(), false) != used_.end();
    if (sums) return follow_sum(operations.size(), last);
    if (last == out_ || is_number(last)) return fail("the output does not depend on an input");
    for (const std::size_t i : operations) {
      bool names = false, clamps = false;
      for (std::size_t value : kernel_.region[i].arguments) {
        value = through(value);
        if (value == out_) return fail("a pointwise kernel cannot read its output");
        const bool input = value < kernel_.operands.size();
        if (input) result_.reads.push_back(value);
        names = names || input;
        if (!is_number(value)) continue;
        if (kernel_.region[i].op == Op::max && !clamps &&
            std::strtod(step(value)->text.c_str(), nullptr) == 0)
          clamps = true;
        else
          result_.has_constants = true;
      }
      if (!names) result_.reads.push_back(0);
      const Op op = kernel_.region[i].op;
      if (op != Op::add && op != Op::sub && op != Op::mul && !(op == Op::max && clamps))
        return fail("HBM-PIM does not have this operation");
    }
    if (operations.empty()) result_.reads.push_back(0);
    // A result is in a register from its operation to the last operation that reads it.
    for (const std::size_t at : operations) {
      Int held = 0;
      for (const std::size_t made : operations) {
        if (made > at) continue;
        std::size_t until = made;
        const std::size_t value = kernel_.operands.size() + made;
        for (const std::size_t reader : operations)
          for (const std::size_t argument : kernel_.region[reader].arguments)
            if (through(argument) == value) until = std::max(until, reader);
        held += static_cast<Int>(made == at || until > at || last == value);
      }
      result_.held = std::max(result_.held, held);
    }
  }
  void follow_sum(std::size_t operations, std::size_t last) {
    std::vector<std::size_t> pending = {last};
    Int outputs = 0;
    std::size_t adds = 0;
    while (!pending.empty() && adds <= operations) {
      const std::size_t value = through(pending.back());
      pending.pop_back();
      const RegionStep* at = step(value);
      if (value == out_) {
        ++outputs;
      } else if (at == nullptr) {
        result_.terms.push_back(value);
      } else if (at->kind == RegionStep::Kind::operation && at->op == Op::add) {
        ++adds;
        for (const std::size_t argument : at->arguments) pending.push_back(argument);
      } else if (at->kind == RegionStep::Kind::operation && at->op == Op::mul && !result_.is_product) {
        result_.is_product = true;
        for (const std::size_t argument : at->arguments) result_.terms.push_back(through(argument));
      } else {
        return fail("HBM-PIM does not have this reduction");
      }
    }
    std::sort(result_.terms.begin(), result_.terms.end());
    const bool inputs =
        std::all_of(result_.terms.begin(), result_.terms.end(), [&](std::size_t v) { return v < out_; });
    const bool twice = std::adjacent_find(result_.terms.begin(), result_.terms.end()) != result_.terms.end();
    if (outputs != 1 || !inputs || twice || operations != adds + (result_.is_product ? 1 : 0) ||
        (result_.is_product && (result_.terms.size() != 2 || adds != 1)) || result_.terms.empty())
      fail("HBM-PIM does not have this reduction");
  }

  const Kernel& kernel_;
  const std::size_t out_;
  const std::vector<bool>& used_;
  ReadRegion result_;
};

}  // namespace

ReadRegion read_region(const Kernel& kernel, std::size_t out, const std::vector<bool>& used) {
  return RegionFollower(kernel, out, used).run();
}

}  // namespace nestor::cnm::second
