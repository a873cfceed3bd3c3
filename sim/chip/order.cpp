#include "sim/chip/order.h"

#include <algorithm>
#include <deque>
#include <map>

#include "sim/chip/access.h"
#include "sim/chip/check.h"

namespace nestor::sim::chip {
namespace {

using chip_program::Segment;
using chip_program::Thread;

struct Row {
  Int number = 0;
  Accesses accesses;
  std::map<std::size_t, Int> waits;  ///< for each operator, the last of its rows for which this row waits
};

struct ThreadRows {
  std::size_t op = 0;
  Row before;  ///< accesses outside of rows
  std::vector<Row> rows;
};

struct Access {
  Range range;
  std::size_t who = 0;  ///< owner: an operation of the group, a row, or a thread
  std::size_t row = 0;
  bool writes = false;
};

bool begins_before(const Access& a, const Access& b) { return a.range.begin < b.range.begin; }

std::string place_text(Int at) {
  return at >= first_crossbar ? fmt::format("crossbar {}", at - first_crossbar)
                              : fmt::format("byte {} of L0", at);
}

// Returns the place where accesses of two owners overlap and one of them writes, if any.
std::optional<Int> conflict(std::vector<Access>& accesses) {
  std::sort(accesses.begin(), accesses.end(), begins_before);
  // Furthest end of the earlier accesses (or writes) with its owner, and furthest end of all other owners.
  struct Reach {
    Int end = 0;
    std::size_t who = 0;
    Int other_end = 0;  ///< furthest end of all owners except `who`
    void add(const Access& a) {
      if (a.who == who) {
        end = std::max(end, a.range.end);
      } else if (a.range.end > end) {
        other_end = std::max(other_end, end);
        end = a.range.end;
        who = a.who;
      } else {
        other_end = std::max(other_end, a.range.end);
      }
    }
    Int end_of_others(std::size_t me) const { return who == me ? other_end : end; }
  };
  Reach any;
  Reach written;
  for (const Access& access : accesses) {
    const Reach& against = access.writes ? any : written;
    if (access.range.begin < access.range.end && access.range.begin < against.end_of_others(access.who))
      return access.range.begin;
    any.add(access);
    if (access.writes) written.add(access);
  }
  return std::nullopt;
}

void add(const Accesses& from, std::size_t who, std::size_t row, std::vector<Access>& to) {
  for (const Range& range : from.reads) to.push_back({range, who, row, false});
  for (const Range& range : from.writes) to.push_back({range, who, row, true});
}

class Prover {
 public:
  Prover(const Program& program, const nestor::chip::ChipMachine& machine, const WalkLimits& limits)
      : program_(program), machine_(machine), limits_(limits), map_(program, machine) {}

  MaybeFault run();

  // In a stream, a row waits for the `run` of another row. The timing simulation checks that the pixels
  // arrive in time.
  MaybeFault run_begins() { return std::nullopt; }
  MaybeFault wait(std::size_t op, Int row, std::optional<Int>) {
    Int& last = now().waits.try_emplace(op, row).first->second;
    last = std::max(last, row);
    return std::nullopt;
  }
  MaybeFault row_begins(Int row) {
    thread_.rows.push_back({row, {}, thread_.before.waits});
    in_row_ = true;
    return std::nullopt;
  }
  MaybeFault row_ends(Int) {
    join(now().accesses.reads);
    join(now().accesses.writes);
    in_row_ = false;
    return std::nullopt;
  }
  MaybeFault group(std::span<const Op> ops);

 private:
  Row& now() { return in_row_ ? thread_.rows.back() : thread_.before; }
  const std::string& name(std::size_t thread) const { return program_.operators[threads_[thread].op].name; }
  MaybeFault open_rows(const Thread& thread) const;
  MaybeFault between_threads() const;
  MaybeFault written_once(const std::vector<Access>& writes) const;
  MaybeFault reads_wait(const std::vector<Access>& writes, std::size_t thread, const Row& row) const;

  const Program& program_;
  const nestor::chip::ChipMachine& machine_;
  const WalkLimits& limits_;
  AccessMap map_;
  std::vector<ThreadRows> threads_;
  ThreadRows thread_;
  bool in_row_ = false;
};

MaybeFault Prover::group(std::span<const Op> ops) {
  std::vector<Access> accesses;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (auto fault = check(program_, machine_, ops[i])) return fault;
    const Accesses made = map_.of(ops[i]);
    if (ops.size() > 1) add(made, i + 1, 0, accesses);
    now().accesses.add(made);
  }
  // The ranges of long rows are joined from time to time to limit their number.
  if (now().accesses.reads.size() + now().accesses.writes.size() > 4096) {
    join(now().accesses.reads);
    join(now().accesses.writes);
  }
  if (const auto place = conflict(accesses)) {
    return Fault{fmt::format("two operations of one `parallel` use {}, and one of them writes it",
                             place_text(*place))};
  }
  return std::nullopt;
}

// Checks that rows of a thread that are open at the same time (`lanes` consecutive rows) do not conflict.
MaybeFault Prover::open_rows(const Thread& thread) const {
  const auto lanes =
      static_cast<std::size_t>(std::min<Int>(thread.lanes, static_cast<Int>(thread_.rows.size())));
  if (lanes < 2) return std::nullopt;
  for (std::size_t first = 0; first + lanes <= thread_.rows.size(); ++first) {
    std::vector<Access> accesses;
    for (std::size_t r = first; r < std::min(first + lanes, thread_.rows.size()); ++r) {
      add(thread_.rows[r].accesses, r + 1, r, accesses);
    }
    if (const auto place = conflict(accesses)) {
      return Fault{
          fmt::format("rows of '{}' that are open at the same time use {}, and one of them writes it",
                      program_.operators[thread_.op].name, place_text(*place))};
    }
  }
  return std::nullopt;
}

MaybeFault Prover::written_once(const std::vector<Access>& writes) const {
  for (std::size_t i = 1; i < writes.size(); ++i) {
    const Access& a = writes[i - 1];
    const Access& b = writes[i];
    if (b.range.begin >= a.range.end) continue;
    const bool own_crossbars = a.who == b.who && b.range.begin >= first_crossbar;
    if (own_crossbars) continue;
    return Fault{fmt::format("'{}' and '{}' both write {} in a pipelined segment", name(a.who), name(b.who),
                             place_text(b.range.begin))};
  }
  return std::nullopt;
}

MaybeFault Prover::reads_wait(const std::vector<Access>& writes, std::size_t thread, const Row& row) const {
  for (const Range& read : row.accesses.reads) {
    if (read.begin >= first_crossbar) continue;
    auto at = std::partition_point(writes.begin(), writes.end(),
                                   [&](const Access& write) { return write.range.end <= read.begin; });
    for (; at != writes.end() && at->range.begin < read.end; ++at) {
      if (at->who == thread)
        return Fault{
            fmt::format("'{}' reads {}, which it writes itself", name(thread), place_text(at->range.begin))};
      const Int needed = threads_[at->who].rows.empty() ? 0 : threads_[at->who].rows[at->row].number;
      const auto waited = row.waits.find(threads_[at->who].op);
      if (waited != row.waits.end() && waited->second >= needed) continue;
      return Fault{fmt::format("row {} of '{}' reads {} without waiting for row {} of '{}', which writes it",
                               row.number, name(thread), place_text(std::max(read.begin, at->range.begin)),
                               needed, name(at->who))};
    }
  }
  return std::nullopt;
}

// Checks that in a pipelined segment every byte is written at most once, and that every reader waits for the
// write. Also checks that each crossbar belongs to one thread.
MaybeFault Prover::between_threads() const {
  std::vector<Access> writes;
  std::vector<Access> crossbars;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    std::vector<Range> own;
    const auto split = [&](const Row& row, std::size_t r) {
      for (const Range& range : row.accesses.writes) {
        if (range.begin >= first_crossbar)
          own.push_back(range);
        else
          writes.push_back({range, t, r, true});
      }
    };
    split(threads_[t].before, 0);
    for (std::size_t r = 0; r < threads_[t].rows.size(); ++r) split(threads_[t].rows[r], r);
    join(own);
    for (const Range& range : own) crossbars.push_back({range, t, 0, true});
  }
  std::sort(writes.begin(), writes.end(), begins_before);
  std::sort(crossbars.begin(), crossbars.end(), begins_before);
  if (auto fault = written_once(writes)) return fault;
  if (auto fault = written_once(crossbars)) return fault;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (auto fault = reads_wait(writes, t, threads_[t].before)) return fault;
    for (const Row& row : threads_[t].rows) {
      if (auto fault = reads_wait(writes, t, row)) return fault;
    }
  }
  return std::nullopt;
}

MaybeFault Prover::run() {
  for (const Segment& segment : program_.segments) {
    threads_.clear();
    thread_ = {};
    in_row_ = false;
    Walker<Prover> weights(*this, limits_);
    if (auto fault = weights.run(segment.writes)) return fault;
    for (const Thread& thread : segment.threads) {
      thread_ = {};
      thread_.op = thread.op;
      in_row_ = false;
      Walker<Prover> walker(*this, limits_);
      if (auto fault = walker.run(thread.body)) return fault;
      join(thread_.before.accesses.reads);
      join(thread_.before.accesses.writes);
      if (auto fault = open_rows(thread)) return fault;
      if (segment.pipeline) threads_.push_back(std::move(thread_));
    }
    if (auto fault = between_threads()) return fault;
  }
  return std::nullopt;
}

}  // namespace

MaybeFault prove_order(const Program& program, const nestor::chip::ChipMachine& machine,
                       const WalkLimits& limits) {
  if (auto fault = check(program, machine)) return fault;
  return Prover(program, machine, limits).run();
}

}  // namespace nestor::sim::chip
