// The state of a search as bytes: how it stood at the end of a round, for a later run to go on from
// (docs/formats.md, "Checkpoint"). Written and read by the same program: values stand as they lie in memory.
// One function, exchange(state), describes both directions, so that what is written is what is read.
//
// Whoever reads trusts nothing: places in arrays are checked before they are used, and a state that is not
// what it should be is refused as a whole.
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

/// What lies in memory as a whole.
template <typename T>
concept Plain = std::is_trivially_copyable_v<T>;

class StateWriter {
 public:
  static constexpr bool reads = false;
  /// Takes so many bytes; false if it cannot take any more.
  using Sink = std::function<bool(const std::byte* bytes, std::size_t count)>;
  explicit StateWriter(Sink sink) : sink_(std::move(sink)) {}

  template <Plain... T>
  bool values(T&... values) {
    return (sink_(reinterpret_cast<const std::byte*>(&values), sizeof values) && ...);
  }
  /// An array of a search (SearchArray) or a vector, of plain items.
  template <typename Array>
  bool array(Array& items) {
    std::uint64_t count = items.size();
    return values(count) && (count == 0 || sink_(reinterpret_cast<const std::byte*>(&*items.begin()),
                                                 count * sizeof *items.begin()));
  }
  /// Items that are not plain, or must be looked at one by one.
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
  /// Fills so many bytes; false if there are not as many.
  using Source = std::function<bool(std::byte* bytes, std::size_t count)>;
  explicit StateReader(Source source) : source_(std::move(source)) {}

  template <Plain... T>
  bool values(T&... values) {
    return (source_(reinterpret_cast<std::byte*>(&values), sizeof values) && ...);
  }
  // In pieces: no more memory is asked for than there are bytes to fill it.
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

  // Arrays of a search say when memory is short.
  template <typename Array, typename Item>
  static bool resize(Array& items, std::size_t size, const Item& fill) {
    if constexpr (std::is_void_v<decltype(items.resize(size, fill))>)
      return items.resize(size, fill), true;
    else
      return items.resize(size, fill);
  }

  Source source_;
};

/// What stands in a state as it lies in memory, and can be told from nonsense: is_whole(value) says whether
/// its parts can be looked at.
template <typename T>
concept KeptValue = Plain<T> && requires(const T& value) {
  { is_whole(value) } -> std::same_as<bool>;
};

/// A run or a space whose state can be kept and taken up.
template <typename Run>
concept KeepsState = requires(Run& run, StateWriter& out, StateReader& in) {
  { run.exchange(out) } -> std::same_as<bool>;
  { run.exchange(in) } -> std::same_as<bool>;
};

/// Where the searches of one task, which follow one another, leave their states. Each search first asks what
/// was kept of it by an earlier run.
class StateKeeper {
 public:
  using Write = std::function<bool(StateWriter&)>;
  using Read = std::function<bool(StateReader&)>;

  StateKeeper() = default;
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;
  virtual ~StateKeeper() = default;
  /// The next search begins. True if something was kept of it and `read` took it; what it does not take is
  /// forgotten, and so is all that was kept of later searches.
  virtual bool begin(const Read& read) = 0;
  /// Asked at the end of a round, whether its state is to be kept.
  virtual bool is_due() const = 0;
  /// How the search stands, or how it ended. A state that cannot be written leaves the one before.
  virtual void keep(const Write& write) = 0;
};

}  // namespace nestor
