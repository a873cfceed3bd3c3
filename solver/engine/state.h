// State of a search as bytes, stored at the end of a round so that a later run can resume from it
// (docs/formats.md, "Checkpoint"). The same program writes and reads it, so values are stored as they are in
// memory. A single function, exchange(state), handles both directions, which keeps them consistent.
//
// The reader trusts nothing: it checks array indices before use and rejects an invalid state as a whole.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace nestor {

/// A type that is stored as its bytes in memory.
template <typename T>
concept Plain = std::is_trivially_copyable_v<T>;

class StateWriter {
 public:
  static constexpr bool reads = false;
  /// Consumes `count` bytes; returns false if it cannot.
  using Sink = std::function<bool(const std::byte* bytes, std::size_t count)>;
  explicit StateWriter(Sink sink) : sink_(std::move(sink)) {}

  template <Plain... T>
  bool values(T&... values) {
    return (sink_(reinterpret_cast<const std::byte*>(&values), sizeof values) && ...);
  }
  /// Writes a search array (SearchArray) or a vector. The items must be plain.
  template <typename Array>
  bool array(Array& items) {
    std::uint64_t count = items.size();
    return values(count) && (count == 0 || sink_(reinterpret_cast<const std::byte*>(&*items.begin()),
                                                 count * sizeof *items.begin()));
  }
  /// Writes items that are not plain, or that must be checked one by one.
  template <typename T, typename Each>
  bool list(std::vector<T>& items, Each each) {
    std::uint64_t count = items.size();
    return values(count) && std::all_of(items.begin(), items.end(), each);
  }

 private:
  Sink sink_;
};

class StateReader {
 public:
  static constexpr bool reads = true;
  /// Fills `count` bytes; returns false if fewer are left.
  using Source = std::function<bool(std::byte* bytes, std::size_t count)>;
  explicit StateReader(Source source) : source_(std::move(source)) {}

  template <Plain... T>
  bool values(T&... values) {
    return (source_(reinterpret_cast<std::byte*>(&values), sizeof values) && ...);
  }
  // Reads in pieces, so that a wrong count never causes an allocation much larger than the data.
  template <typename Array>
  bool array(Array& items) {
    using Item = std::remove_cvref_t<decltype(*items.begin())>;
    std::uint64_t count = 0;
    if (!values(count)) return false;
    for (std::uint64_t filled = items.size(); filled < count;) {
      const std::uint64_t next = std::min(count, std::max<std::uint64_t>(2 * filled, first_piece));
      if (!resize(items, static_cast<std::size_t>(next), Item{})) return false;
      if (!source_(reinterpret_cast<std::byte*>(&*items.begin() + filled), (next - filled) * sizeof(Item)))
        return false;
      filled = next;
    }
    return items.size() == count;
  }
  template <typename T, typename Each>
  bool list(std::vector<T>& items, Each each) {
    std::uint64_t count = 0;
    if (!values(count)) return false;
    for (items.clear(); items.size() < count;)
      if (!each(items.emplace_back())) return false;
    return true;
  }

 private:
  static constexpr std::uint64_t first_piece = 1024;

  // The resize() of search arrays returns false if memory runs out.
  template <typename Array, typename Item>
  static bool resize(Array& items, std::size_t size, const Item& fill) {
    if constexpr (std::is_void_v<decltype(items.resize(size, fill))>)
      return items.resize(size, fill), true;
    else
      return items.resize(size, fill);
  }

  Source source_;
};

/// A plain value that can be validated after reading: is_whole(value) returns whether its components are in
/// range.
template <typename T>
concept KeptValue = Plain<T> && requires(const T& value) {
  { is_whole(value) } -> std::same_as<bool>;
};

/// A run or a space whose state can be saved and restored.
template <typename Run>
concept KeepsState = requires(Run& run, StateWriter& out, StateReader& in) {
  { run.exchange(out) } -> std::same_as<bool>;
  { run.exchange(in) } -> std::same_as<bool>;
};

/// Store for the states of the consecutive searches of one task. Each search first requests its state from an
/// earlier run.
class StateKeeper {
 public:
  using Write = std::function<bool(StateWriter&)>;
  using Read = std::function<bool(StateReader&)>;

  StateKeeper() = default;
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;
  virtual ~StateKeeper() = default;
  /// Called when the next search begins. Returns true if a state of this search is stored and `read` accepts
  /// it. A rejected state is dropped, together with all states of later searches.
  virtual bool begin(const Read& read) = 0;
  /// Called at the end of a round. Returns true if its state should be stored.
  virtual bool is_due() const = 0;
  /// Stores the current or final state of the search. If this fails, the previous state remains stored.
  virtual void keep(const Write& write) = 0;
};

}  // namespace nestor
