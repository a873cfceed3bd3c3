#include "heuristics/simd/spread_machine.h"

#include <algorithm>
#include <limits>

namespace nestor::simd {

namespace {

constexpr std::uint32_t no_array = ~std::uint32_t{0};

/// Expected copies lost by evicting a value. A value that another array also stores is copied back at most
/// once. The only instance of a value must be copied now, and may have to be copied back for its reader.
constexpr double loss_of_duplicate = 0.5, loss_of_only = 1.5;
/// Benefit, in copies, of computing a result in an array that stores another fanin of its next reader.
constexpr double worth_of_company = 0.45;
/// An array with fewer free rows receives new values only if no other array has more free rows and no array
/// can be opened.
constexpr std::size_t least_room = 4;

}  // namespace

SpreadMachine::SpreadMachine(const ScheduleProblem& problem, std::uint32_t array_limit)
    : problem_(&problem),
      array_limit_(array_limit == 0 ? problem.array_limit() : array_limit),
      little_room_(std::min<std::size_t>(least_room, problem.rows())),
      recorder_(problem) {}

const SpreadMachine::Holder* SpreadMachine::holder(Value value, std::uint32_t array) const {
  for (const Holder& holder : holders_[value])
    if (holder.array == array) return &holder;
  return nullptr;
}

void SpreadMachine::set_order(std::span<const std::uint32_t> order) {
  order_.assign(order.begin(), order.end());
  const auto& begin = problem_->reader_begin();
  read_at_.resize(problem_->all_readers().size());
  end_.assign(begin.begin(), begin.end() - 1);
  for (std::uint32_t position = 0; position < order_.size(); ++position)
    for (const Value value : problem_->fanins(order_[position]))
      if (value != no_value) read_at_[end_[value]++] = position;
}

void SpreadMachine::reset() {
  const auto& begin = problem_->reader_begin();
  use_.assign(begin.begin(), begin.end() - 1);
  holders_.assign(problem_->value_count(), {});
  arrays_.clear();
  for (std::uint32_t array = 0; array < problem_->home_arrays(); ++array) open_array();
  for (Value input = 0; input < problem_->input_count(); ++input) {
    const Place place = input_place(input, problem_->rows());
    arrays_[place.array].value_at[place.row] = input;
    holders_[input].push_back({place.array, place.row});
  }
  current_ = problem_->home_arrays();
  if (!open_array()) current_ = problem_->home_arrays() == 0 ? 0 : problem_->home_arrays() - 1;
  position_ = copies_ = 0;
  stuck_ = arrays_.empty();
}

bool SpreadMachine::open_array() {
  const auto number = static_cast<std::uint32_t>(arrays_.size());
  if (array_limit_ != 0 && number >= array_limit_) return false;
  Array array;
  array.first = problem_->rows() - problem_->free_rows(number);
  array.value_at.assign(problem_->rows(), no_value);
  array.free.reserve(problem_->rows() - array.first);
  for (std::uint32_t row = problem_->rows(); row-- > array.first;) array.free.push_back(row);
  arrays_.push_back(std::move(array));
  return true;
}

/// Returns the array for new values, and opens an array if necessary.
std::uint32_t SpreadMachine::roomiest() {
  if (arrays_[current_].free.size() >= little_room_) return current_;
  for (std::uint32_t array = 0; array < arrays_.size(); ++array)
    if (arrays_[array].free.size() > arrays_[current_].free.size()) current_ = array;
  const std::size_t enough = std::max<std::size_t>(little_room_, problem_->rows() / 4);
  if (arrays_[current_].free.size() < enough && open_array())
    current_ = static_cast<std::uint32_t>(arrays_.size() - 1);
  return current_;
}

/// Returns the value, other than those in `pinned`, that the array evicts first, or no_value if there is
/// none. Sets `loss` to its expected loss.
Value SpreadMachine::victim(std::uint32_t array, const Fanins* pinned, double& loss) const {
  const Array& from = arrays_[array];
  Value best = no_value;
  double best_score = -1;
  for (std::uint32_t row = from.first; row < from.value_at.size(); ++row) {
    const Value value = from.value_at[row];
    if (value == no_value || (pinned != nullptr && contains(*pinned, value))) continue;
    const bool only = holders_[value].size() == 1;
    const std::uint32_t next = next_use(value);
    const double mine = only ? loss_of_only : next == never ? 0.01 : loss_of_duplicate;
    const auto until =
        static_cast<double>(std::min<std::uint32_t>(next, problem_->gate_count()) - position_ + 1);
    const double score = until / mine;
    if (score <= best_score) continue;
    best_score = score;
    best = value;
    loss = mine;
  }
  return best;
}

/// Estimates the price of `rows` free rows in the array, as if each victim cost as much as the first.
double SpreadMachine::price_of_room(std::uint32_t array, const Fanins& fanins, std::uint32_t rows) const {
  const std::size_t free = arrays_[array].free.size();
  if (free >= rows) return 0;
  double loss = 0;
  if (victim(array, &fanins, loss) == no_value) return std::numeric_limits<double>::infinity();
  return loss * static_cast<double>(rows - free);
}

void SpreadMachine::offer(std::uint32_t gate, std::uint32_t array, Offer& best, bool& found) {
  ++work_;
  if (problem_->free_rows(array) == 0) return;
  const Fanins& fanins = problem_->fanins(gate);
  std::uint32_t missing = 0;
  bool dies = false;
  for (const Value value : fanins) {
    if (value == no_value) break;
    const bool here = holder(value, array) != nullptr;
    if (!here) ++missing;
    dies |= dies_here(value) && !(here && is_home(value, array));
  }
  double price = missing;
  const std::uint32_t rows = missing + (dies ? 0 : 1);
  if (rows > 0) price += price_of_room(array, fanins, rows);
  if (found && price - worth_of_company >= best.price) return;
  const Value result = problem_->value_of_gate(gate);
  if (end_[result] > problem_->reader_begin()[result]) {
    const std::uint32_t reader = order_[read_at_[problem_->reader_begin()[result]]];
    for (const Value value : problem_->fanins(reader))
      if (value != no_value && value != result &&
          (holder(value, array) != nullptr || contains(fanins, value))) {
        price -= worth_of_company;
        break;
      }
  }
  if (found && price >= best.price) return;
  best = {array, price};
  found = true;
}

bool SpreadMachine::place(std::span<const std::uint32_t> order, std::uint32_t most, const Stop& stop) {
  set_order(order);
  reset();
  choices_.clear();
  for (const std::uint32_t gate : order_) {
    if (stuck_ || copies_ >= most || (position_ % 32 == 31 && should_stop(stop))) return false;
    Offer best;
    bool found = false;
    for (const Value value : problem_->fanins(gate)) {
      if (value == no_value) break;
      for (const Holder& holder : holders_[value]) offer(gate, holder.array, best, found);
    }
    offer(gate, roomiest(), best, found);  // apply() also calls roomiest(), so a replay opens the same arrays
    if (!found) return false;
    choices_.push_back({gate, best.array});
    apply(choices_.back());
  }
  return !stuck_ && copies_ < most;
}

void SpreadMachine::store(Value value, std::uint32_t array) {
  Array& to = arrays_[array];
  const std::uint32_t row = to.free.back();
  to.free.pop_back();
  to.value_at[row] = value;
  holders_[value].push_back({array, row});
}

void SpreadMachine::drop(Value value, std::uint32_t array) {
  auto& holders = holders_[value];
  for (auto at = holders.begin(); at != holders.end(); ++at) {
    if (at->array != array) continue;
    arrays_[array].value_at[at->row] = no_value;
    arrays_[array].free.push_back(at->row);
    holders.erase(at);
    return;
  }
}

void SpreadMachine::copy(Value value, std::uint32_t to, CopyCause cause) {
  const Holder from = holders_[value].front();
  store(value, to);
  ++copies_;
  recorder_.copy({from.array, from.row}, {to, holders_[value].back().row}, value, cause);
}

/// Returns an array that stores another fanin of the next reader, if it has enough free rows, and otherwise
/// the array for new values, any array with a free row, or a new array. Returns no_array if there is none.
std::uint32_t SpreadMachine::place_to_save(Value value, std::uint32_t from) {
  if (const std::uint32_t next = next_use(value); next != never)
    for (const Value other : problem_->fanins(order_[next])) {
      if (other == no_value || other == value) continue;
      for (const Holder& holder : holders_[other])
        if (holder.array != from && arrays_[holder.array].free.size() >= little_room_) return holder.array;
    }
  if (const std::uint32_t array = roomiest(); array != from && !arrays_[array].free.empty()) return array;
  for (std::uint32_t array = 0; array < arrays_.size(); ++array)
    if (array != from && !arrays_[array].free.empty()) return array;
  if (open_array()) return static_cast<std::uint32_t>(arrays_.size() - 1);
  return no_array;
}

/// Frees a row without evicting values in `pinned`, which is null if the row is for a result.
bool SpreadMachine::make_room(std::uint32_t array, const Fanins* pinned) {
  if (!arrays_[array].free.empty()) return true;
  double loss = 0;
  const Value gone = victim(array, pinned, loss);
  if (gone == no_value) return false;
  if (holders_[gone].size() == 1) {
    const std::uint32_t to = place_to_save(gone, array);
    if (to == no_array) return false;
    copy(gone, to, CopyCause::eviction);
  }
  drop(gone, array);
  return true;
}

void SpreadMachine::apply(const Choice& choice) {
  const std::uint32_t array = choice.array;
  roomiest();
  const Fanins& fanins = problem_->fanins(choice.gate);
  for (const Value value : fanins) {
    if (value == no_value) break;
    if (holder(value, array) != nullptr) continue;
    if (!make_room(array, &fanins)) {
      stuck_ = true;
      return;
    }
    copy(value, array, CopyCause::fanin);
  }
  const auto operands =
      recorder_.operands(choice.gate, [&](Value value) { return holder(value, array)->row; });
  for (const Value value : fanins) {
    if (value == no_value) break;
    if (++use_[value] < end_[value] || problem_->must_stay(value)) continue;
    for (std::size_t i = holders_[value].size(); i-- > 0;)
      if (const std::uint32_t at = holders_[value][i].array; !is_home(value, at)) drop(value, at);
  }
  if (!make_room(array, nullptr)) {
    stuck_ = true;
    return;
  }
  const Value result = problem_->value_of_gate(choice.gate);
  store(result, array);
  recorder_.compute(choice.gate, {array, holders_[result].back().row}, operands);
  if (next_use(result) == never && !problem_->must_stay(result)) drop(result, array);
  ++position_;
}

Schedule SpreadMachine::record(const Netlist& netlist) {
  return recorder_.record(*this, netlist, std::span<const Choice>(choices_), [&](Value value) {
    const Holder& holder = holders_[value].front();
    return Place{holder.array, holder.row};
  });
}

}  // namespace nestor::simd
