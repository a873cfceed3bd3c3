// Concepts of a search: the requirements on a branch, whose labels are partial placements, and on the storage
// of the labels. Their comments state semantic requirements, which tests check for each branch by brute
// force.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/cost.h"

namespace nestor {

/// An array whose push_back() and resize() return false if memory runs out.
template <typename A, typename T>
concept SearchArray = requires(A& array, const A& view, const T& item, std::size_t i) {
  { array.push_back(item) } -> std::same_as<bool>;
  { array.resize(i, item) } -> std::same_as<bool>;
  array.pop_back();
  { view.empty() } -> std::same_as<bool>;
  { view.size() } -> std::same_as<std::size_t>;
  { array[i] } -> std::same_as<T&>;
  { view[i] } -> std::same_as<const T&>;
  { *array.begin() } -> std::same_as<T&>;
  { array.end() - array.begin() } -> std::convertible_to<std::ptrdiff_t>;
};

/// The storage of a search's labels: a handle that is cheap to copy and from which arrays are constructed.
template <typename S>
concept SearchStorage =
    std::copy_constructible<S> && std::constructible_from<typename S::template Array<std::uint64_t>, S> &&
    SearchArray<typename S::template Array<std::uint64_t>, std::uint64_t>;

/// Storage with a known limit, which allows data that can be rebuilt to be freed in time.
template <typename S>
concept BudgetedStorage = SearchStorage<S> && std::constructible_from<typename S::Bytes, S> &&
    requires(const S& storage, typename S::Bytes& bytes, std::size_t size) {
  { bytes.allocate(size) } -> std::same_as<bool>;
  { storage.limit() } -> std::same_as<std::size_t>;  // bytes
  { storage.tight() } -> std::same_as<bool>;
};

/// Stand-in for the function to which expand() passes children.
template <typename Label>
struct EmitProbe {
  void operator()(const Label& /*child*/, Cost /*bound*/) const {}
};

/// One branch of a space: a layered graph of labels. Every step leads to a deeper label; labels at depth
/// max_depth() are complete.
///
/// - root_bound(): a lower bound on the cost of all completions; the exact cost if max_depth() is 0.
/// - key(label): labels with equal keys have the same completions.
/// - expand(label, from, below, cut, emit): calls emit(child, bound), in a fixed order, for each child with a
///   bound in [from, below). A complete child is also emitted if its exact cost, passed as `bound`, is below
///   the cut. Returns the least bound among the other children at or above `below`. A bound never exceeds the
///   cost of a completion.
/// - dominates(a, b, cut), for labels with equal keys: for every completion of b that costs less than the
///   cut, a has a completion that costs no more.
/// - preference(label): among children with equal bounds, a dive follows the one with the least preference.
template <typename B>
concept SearchBranch = std::is_trivially_copyable_v<typename B::Label> &&
    std::default_initializable<typename B::Label> &&
    requires(const B& branch, const typename B::Label& label, Cost cost) {
  { branch.root() } -> std::same_as<typename B::Label>;
  { branch.root_bound() } -> std::same_as<Cost>;
  { branch.max_depth() } -> std::same_as<int>;
  { branch.depth(label) } -> std::same_as<int>;
  { branch.key(label) } -> std::same_as<std::uint64_t>;
  { branch.expand(label, cost, cost, cost, EmitProbe<typename B::Label>{}) } -> std::same_as<Cost>;
  { branch.dominates(label, label, cost) } -> std::same_as<bool>;
  { branch.preference(label) } -> std::convertible_to<Cost>;
};

/// A branch with a filter for dominance checks: if a dominates b, digest(a) contains all bits of digest(b).
template <typename B>
concept HasDigest = requires(const B& branch, const typename B::Label& label) {
  { branch.digest(label) } -> std::same_as<std::uint64_t>;
};

}  // namespace nestor
