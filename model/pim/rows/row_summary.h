// Effect of a sequence of accesses on the open rows of a DRAM, in a composable form (docs/models/pim.md,
// section 5.2): the first and the last row touched in each bank, and the activations beyond the first access
// to each bank. The activations of two consecutive sequences add up. One more occurs in each bank in which
// the second sequence starts in a row other than the open one. Composition is associative, so equal sequences
// at regular distances are raised to a power by doubling.
#pragma once

#include <array>
#include <limits>

#include "base/checked.h"

namespace nestor::pim {

/// Summary of up to `Capacity` banks. Row numbers are relative to the row of the sequence's address 0.
template <std::size_t Capacity>
struct RowSummary {
  static constexpr Int untouched = std::numeric_limits<Int>::min();
  Int activations = 0;
  std::array<Int, Capacity> first;
  std::array<Int, Capacity> last;
};

/// Composition of summaries for a given number of banks.
template <std::size_t Capacity>
class RowAlgebra {
 public:
  using Summary = RowSummary<Capacity>;
  explicit RowAlgebra(Int banks) : banks_(Capacity == 1 ? 1 : static_cast<std::size_t>(banks)) {}

  Summary nothing() const {
    Summary summary;
    for (std::size_t b = 0; b < banks_; ++b) summary.first[b] = summary.last[b] = Summary::untouched;
    return summary;
  }

  /// Returns the summary of accesses to rows 0 to `last_row`, one after the other.
  Summary ascending(Int last_row) const {
    Summary summary;
    const auto banks = static_cast<Int>(banks_);
    if (last_row < banks) {
      for (std::size_t b = 0; b < banks_; ++b)
        summary.first[b] = summary.last[b] =
            static_cast<Int>(b) <= last_row ? static_cast<Int>(b) : Summary::untouched;
      return summary;
    }
    summary.activations = last_row + 1 - banks;
    std::size_t bank = bank_of(last_row + 1);
    for (Int row = last_row + 1 - banks; row <= last_row; ++row) {
      summary.last[bank] = row;
      if (++bank == banks_) bank = 0;
    }
    for (std::size_t b = 0; b < banks_; ++b) summary.first[b] = static_cast<Int>(b);
    return summary;
  }

  /// Appends `next`, shifted by `shift` >= 0 rows.
  void append(Summary& done, const Summary& next, Int shift) const {
    done.activations += next.activations;
    if constexpr (Capacity == 1) {
      join(done, next, 0, 0, shift);
    } else {
      std::size_t to = bank_of(shift);
      for (std::size_t b = 0; b < banks_; ++b) {
        join(done, next, to, b, shift);
        if (++to == banks_) to = 0;
      }
    }
  }

  /// Appends an access to one row.
  void touch(Summary& done, Int row) const {
    const std::size_t bank = bank_of(row);
    if (done.last[bank] == Summary::untouched)
      done.first[bank] = row;
    else
      done.activations += static_cast<Int>(done.last[bank] != row);
    done.last[bank] = row;
  }

  /// Returns the summary of `count` >= 1 equal sequences, each `shift` rows after the previous one.
  Summary power(const Summary& run, Int count, Int shift) const {
    if (count == 1) return run;
    if (shift == 0 || Capacity == 1) return repeated(run, count, shift);
    Summary total = nothing();
    Summary doubled = run;
    Int done = 0;  // number of sequences in `total`
    for (Int width = 1;; width *= 2) {
      if ((count & width) != 0) {
        append(total, doubled, done * shift);
        done += width;
      }
      if (done == count) return total;
      const Summary half = doubled;
      append(doubled, half, width * shift);
    }
  }

  /// Returns the additional activations if a sequence is repeated in the same rows.
  Int repeated_in_place(const Summary& run) const {
    Int total = run.activations;
    for (std::size_t b = 0; b < banks_; ++b) total += static_cast<Int>(run.last[b] != run.first[b]);
    return total;
  }

  /// Returns the activations of a sequence if no row is open at its start.
  Int from_closed(const Summary& summary) const {
    Int total = summary.activations;
    for (std::size_t b = 0; b < banks_; ++b)
      total += static_cast<Int>(summary.first[b] != Summary::untouched);
    return total;
  }

 private:
  std::size_t bank_of(Int row) const {
    const auto place = static_cast<std::size_t>(row);
    return (banks_ & (banks_ - 1)) == 0 ? place & (banks_ - 1) : place % banks_;
  }
  static void join(Summary& done, const Summary& next, std::size_t to, std::size_t from, Int shift) {
    if (next.first[from] == Summary::untouched) return;
    const Int first = next.first[from] + shift;
    if (done.last[to] == Summary::untouched)
      done.first[to] = first;
    else
      done.activations += static_cast<Int>(done.last[to] != first);
    done.last[to] = next.last[from] + shift;
  }

  // Valid only if all sequences map to the same banks: without a shift, or with a single bank.
  Summary repeated(const Summary& run, Int count, Int shift) const {
    Summary total = run;
    Int between = 0;
    for (std::size_t b = 0; b < banks_; ++b)
      if (run.first[b] != Summary::untouched) {
        between += static_cast<Int>(run.last[b] != run.first[b] + shift);
        total.last[b] += (count - 1) * shift;
      }
    total.activations = count * run.activations + (count - 1) * between;
    return total;
  }

  std::size_t banks_;
};

}  // namespace nestor::pim
