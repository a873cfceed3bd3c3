// Writer of the programs of library calls, from the table of docs/models/cnm.md, "llvcnm". Plain numbers in
// the table are slots.
#include "model/cnm/second_reading/read_listing.h"

namespace nestor::cnm::second {
namespace {

// True if the system's slots are those of the table: one per instruction, and 8 + k per product.
bool holds_on(const System& system, Type type) {
  const auto one = [&](Op op, Type of) {
    const SlotCost& cost = system.cost(op, of);
    return cost.base == 1 && !cost.plus_k;
  };
  for (const Op op : {Op::move, Op::add, Op::lsladd, Op::shr, Op::bit_and})
    if (!one(op, Type::index)) return false;
  for (const Type of : {type, Type::i32})
    if (!one(Op::load, of) || !one(Op::store, of)) return false;
  const auto product = system.calls.find("__mulsi3");
  return product != system.calls.end() && product->second.base == 8 && product->second.plus_k;
}

}  // namespace

std::optional<Program> write_library(std::string_view name, const LibraryDims& dims, const System& system) {
  const Int n = dims.elements, it = dims.iterations, s = bytes_of(dims.type);
  if (!holds_on(system, dims.type) || n < 1 || n > max_count / 64) return std::nullopt;
  Program program = {barrier(), slots(240)};
  const auto put = [&program](Program more) { program.insert(program.end(), more.begin(), more.end()); };
  if (name == "hst") {
    const Int product = 8 + dims.multiply_k;
    put({slots(64 * s), loop(it, {slots(3), read(n * s), slots(2 + n * (10 + product) + 4)}), slots(5),
         write(256 * s)});
  } else if (name == "sel") {
    const Int kept = n / 2, left = n - kept;  // every second element is kept; the first is not
    put({loop(it, {slots(3), read(n * s), slots(3 + 4 * left + 7 * kept + 4), write(n * s), write(4 * s),
                   slots(5)})});
  } else if (name == "scan") {
    put({loop(it, {slots(3), read(n * s), slots(2 + 4 * n + 3)}), barrier(), slots(5 * dims.tasklets),
         loop(it, {slots(3), read(n * s), slots(1 + 6 * n + 3), write(n * s), slots(4)})});
  } else {
    return std::nullopt;
  }
  return program;
}

}  // namespace nestor::cnm::second
