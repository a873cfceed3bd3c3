// Hash tables of the desktop rooms: `HashMap` and `HashSet`, Abseil's flat tables, which keep their entries
// side by side where the standard ones allocate each. Names are looked up by std::string_view whatever a
// table stores.
//
// Two rules come with them. Entries move when a table grows: who keeps an address keeps the entry elsewhere
// and its place in the table. And their order differs from run to run: nothing that a user sees may depend on
// it.
//
// What they are worth: with them bench/read_speed reads BLIF, Verilog and LP files in 0.6 to 0.65 of the
// time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"

namespace nestor {

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const {
    return absl::Hash<absl::string_view>{}(absl::string_view(name.data(), name.size()));
  }
};

template <typename Key>
inline constexpr bool is_name_v = std::is_same_v<Key, std::string> || std::is_same_v<Key, std::string_view>;
template <typename Key>
using HashOf = std::conditional_t<is_name_v<Key>, NameHash, absl::Hash<Key>>;
template <typename Key>
using EqualTo = std::conditional_t<is_name_v<Key>, std::equal_to<>, std::equal_to<Key>>;

template <typename Key, typename Value>
using HashMap = absl::flat_hash_map<Key, Value, HashOf<Key>, EqualTo<Key>>;
template <typename Key>
using HashSet = absl::flat_hash_set<Key, HashOf<Key>, EqualTo<Key>>;

}  // namespace nestor
