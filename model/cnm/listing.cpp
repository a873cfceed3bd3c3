#include "model/cnm/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/tables/hash_table.h"

namespace nestor::cnm {
namespace {

// Maximum number of passes after which branches with shares repeat.
constexpr Int longest_pattern = 1000;
constexpr Int longest_unrolled = 64;  // maximum number of such passes for loops with requests
// Limit on the size of the tree, since nested patterns multiply their numbers of passes.
constexpr std::size_t most_items = 200'000;

// Converter of a listing to a program, which follows the branches of the listing. All branches go forward,
// except that the last branch to a label with trips closes its loop.
class Walker {
 public:
  Walker(const Listing& listing, const System& system) : listing_(listing), system_(system) {}

  ListingProgram run() {
    find_labels();
    ListingProgram result;
    if (error_.empty()) result.program = straight(0, listing_.lines.size(), Counters{});
    result.error = std::move(error_);
    result.line = error_line_;
    result.column = error_column_;
    return result;
  }

 private:
  using Counters = HashMap<std::size_t, Int>;  // number of arrivals at each branch with a share

  void fail(std::string message, const Line& line) {
    if (!error_.empty()) return;
    error_ = std::move(message);
    error_line_ = line.source_line;
    error_column_ = line.source_column;
  }

  void find_labels() {
    const auto& lines = listing_.lines;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].kind == LineKind::label && !labels_.emplace(lines[i].name, i).second)
        fail(fmt::format("label '{}' is given twice", lines[i].name), lines[i]);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].kind != LineKind::share && !lines[i].branches()) continue;
      const auto at = labels_.find(lines[i].target);
      if (at == labels_.end()) {
        fail(fmt::format("no label '{}'", lines[i].target), lines[i]);
      } else if (lines[i].kind != LineKind::share && at->second < i) {
        if (!lines[at->second].amount)
          fail(fmt::format("the backward branch to '{}' has no trip count", lines[i].target), lines[i]);
        closing_[at->second] = i;
      }
    }
    for (const Line& line : lines)
      if (line.kind == LineKind::label && line.amount && !closing_.contains(labels_[line.name]))
        fail(fmt::format("the loop of '{}' has no backward branch", line.name), line);
  }

  // Makes one pass over [begin, end), following the branches.
  Program straight(std::size_t begin, std::size_t end, const Counters& counters) {
    Program program;
    HashMap<std::string, Int> shares;
    for (std::size_t i = begin; i < end && error_.empty();) {
      const Line& line = listing_.lines[i];
      if (line.kind == LineKind::label && line.amount) {
        const std::size_t close = closing_[i];
        if (close >= end) {
          fail(fmt::format("the loop of '{}' ends outside the enclosing loop", line.name), line);
          break;
        }
        add_loop(program, i, close);
        i = close + 1;
        continue;
      }
      if (line.kind == LineKind::ret) break;
      if (line.kind == LineKind::share) shares[line.target] = line.share_thousandths;
      add_line(program, line);
      if (!line.branches()) {
        ++i;
        continue;
      }
      const bool taken = line.kind == LineKind::jump || is_taken(line, i, shares, counters);
      if (!taken) {
        ++i;
        continue;
      }
      const std::size_t target = labels_[line.target];
      if (target <= i || target > end)
        fail(fmt::format("the branch to '{}' leaves its loop", line.target), line);
      i = std::max(target, i + 1);
    }
    ++passes_;
    items_ += program.size();
    if (passes_ > most_items || items_ > most_items)
      fail("branches make the program too long", listing_.lines[begin]);
    return program;
  }

  // True if the branch is taken in this pass. With share p, the passes in which it is taken are spread
  // evenly, starting with the first pass.
  bool is_taken(const Line& line, std::size_t at, HashMap<std::string, Int>& shares,
                const Counters& counters) {
    const auto share = shares.find(line.target);
    if (share == shares.end()) {
      fail(fmt::format("expected a share for the branch to '{}', found none", line.target), line);
      return false;
    }
    const Int p = share->second;
    shares.erase(share);
    const auto known = counters.find(at);
    const Int pass = known == counters.end() ? 0 : known->second;
    shared_.insert_or_assign(at, p);
    return (p * (pass + 1) + 999) / 1000 > (p * pass + 999) / 1000;
  }

  void add_loop(Program& program, std::size_t label, std::size_t close) {
    const Int trips = *listing_.lines[label].amount;
    for (std::size_t i = label; i < close; ++i)
      if (listing_.lines[i].kind == LineKind::leave)
        return fail("'leave' cannot be used in a loop", listing_.lines[i]);
    if (trips == 0) return;
    const auto body_end = close;  // the closing branch itself falls through
    const auto outer_shared = std::move(shared_);
    shared_.clear();
    std::vector<Program> passes;
    Int period = 1;
    bool requests = false;
    Counters counters;
    for (Int pass = 0; pass < period && pass < trips && error_.empty(); ++pass) {
      Program body = straight(label + 1, body_end, counters);
      add_line(body, listing_.lines[close]);
      for (const auto& [at, p] : shared_) {
        ++counters[at];
        period = std::lcm(period, p == 0 ? 1 : 1000 / std::gcd(p, Int{1000}));
      }
      requests |= std::any_of(body.begin(), body.end(),
                              [](const Item& item) { return item.kind != ItemKind::slots; });
      if (period > longest_pattern || (requests && period > longest_unrolled)) {
        fail(fmt::format("the shares of the branches in loop '{}' have too long a period",
                         listing_.lines[label].name),
             listing_.lines[label]);
        break;
      }
      passes.push_back(std::move(body));
    }
    shared_ = outer_shared;
    if (!error_.empty()) return;
    const auto joined = [&](std::size_t count) {
      Program all;
      for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), passes[i].begin(), passes[i].end());
      return all;
    };
    if (trips / period > 0) program.push_back(loop(trips / period, joined(passes.size())));
    for (Item& item : joined(static_cast<std::size_t>(trips % period))) program.push_back(std::move(item));
  }

  void add_line(Program& program, const Line& line) {
    switch (line.kind) {
      case LineKind::op:
        return add_slots(program, system_.cost(line.op, line.type), line);
      case LineKind::load:
        return add_slots(program, system_.cost(Op::load, line.type), line);
      case LineKind::store:
        return add_slots(program, system_.cost(Op::store, line.type), line);
      case LineKind::jump:
      case LineKind::branch:
        return program.push_back(slots(1));
      case LineKind::call: {
        const auto cost = system_.calls.find(line.name);
        if (cost == system_.calls.end())
          return fail(fmt::format("no slots for a call of '{}'", line.name), line);
        if (cost->second.is_barrier) {
          if (left_) return fail("a barrier follows 'leave'", line);
          return program.push_back(barrier());
        }
        return program.push_back(slots(cost->second.slots(listing_.multiply_k, line.amount.value_or(0))));
      }
      case LineKind::dma_read:
        return program.push_back(read(*line.amount));
      case LineKind::dma_write:
        return program.push_back(write(*line.amount));
      case LineKind::barrier:
        if (left_) return fail("a barrier follows 'leave'", line);
        return program.push_back(barrier());
      case LineKind::leave:
        left_ = true;
        return program.push_back({ItemKind::leave});
      case LineKind::label:
      case LineKind::ret:
      case LineKind::share:
        return;
    }
  }

  void add_slots(Program& program, const SlotCost& cost, const Line& line) {
    const Op op = line.kind == LineKind::load ? Op::load : line.kind == LineKind::store ? Op::store : line.op;
    if (!cost.known())
      return fail(fmt::format("no slots for {}.{} in system '{}'", operations.word(op),
                              element_types.word(line.type), system_.name),
                  line);
    program.push_back(slots(cost.slots(listing_.multiply_k)));
  }

  const Listing& listing_;
  const System& system_;
  HashMap<std::string, std::size_t> labels_;
  HashMap<std::size_t, std::size_t> closing_;  // label of a loop -> its last backward branch
  HashMap<std::size_t, Int> shared_;           // branch in the current loop -> its share
  std::size_t items_ = 0;
  std::size_t passes_ = 0;
  bool left_ = false;  // true after 'leave'

  std::string error_;
  int error_line_ = 0, error_column_ = 0;
};

std::optional<Int> bytes_of_elements(Type type, const std::vector<Int>& dims) {
  std::optional<Int> bytes = bytes_of(type);
  for (const Int dim : dims)
    if (bytes) bytes = checked_multiply(*bytes, dim);
  return bytes;
}

}  // namespace

ListingProgram program_of(const Listing& listing, const System& system) {
  return Walker(listing, system).run();
}

Int instruction_count(const Listing& listing) {
  Int count = 0;
  bool in_start = false;
  for (const Line& line : listing.lines) {
    if (line.kind == LineKind::label) {
      in_start = line.name == start_label;
      continue;
    }
    if (line.kind != LineKind::share && line.kind != LineKind::barrier && line.kind != LineKind::leave &&
        !in_start)
      ++count;
    if (in_start && line.branches() && line.target == start_label) in_start = false;
  }
  return count;
}

std::optional<Int> scratchpad_bytes(const Listing& listing, const System& system) {
  std::optional<Int> sum = system.wram.stack;
  for (const Buffer& buffer : listing.buffers) {
    const auto bytes = bytes_of_elements(buffer.type, {buffer.count});
    if (!bytes || *bytes > max_count) return std::nullopt;
    sum = checked_add(*sum, (*bytes + 7) / 8 * 8);
    if (!sum) return std::nullopt;
  }
  return sum;
}

namespace {

// Returns the bytes of all operands except those of direction `left_out`, or nothing if the number is too
// large.
std::optional<Int> bytes_without(const Listing& listing, Int tasklets, std::optional<Direction> left_out) {
  std::optional<Int> sum = 0;
  for (const ListingOperand& operand : listing.operands) {
    if (operand.direction == left_out) continue;
    auto bytes = bytes_of_elements(operand.type, operand.dims);
    if (bytes && !operand.shared) bytes = checked_multiply(*bytes, tasklets);
    if (!bytes) return std::nullopt;
    sum = checked_add(*sum, *bytes);
    if (!sum) return std::nullopt;
  }
  return sum;
}

}  // namespace

std::optional<Int> operand_bytes(const Listing& listing, Int tasklets) {
  return bytes_without(listing, tasklets, std::nullopt);
}

std::optional<MovedBytes> moved_bytes(const Listing& listing, Int tasklets) {
  const auto in = bytes_without(listing, tasklets, Direction::out);
  const auto out = bytes_without(listing, tasklets, Direction::in);
  return in && out ? std::optional(MovedBytes{*in, *out}) : std::nullopt;
}

}  // namespace nestor::cnm
