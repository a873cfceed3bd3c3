// SPDX-License-Identifier: Apache-2.0
// Functions that check and copy the arguments of the C API. The arguments are not trusted.
#pragma once

#include <cstring>
#include <type_traits>

#include "bindings/c/nestor.h"
#include "model/cim/search/problem.h"

namespace nestor::c {

// Returns an enumeration of the caller as a number, since it need not be one of the enumerators.
template <typename Enum>
auto raw(const Enum& from) {
  std::underlying_type_t<Enum> value;
  std::memcpy(&value, &from, sizeof value);
  return value;
}

// The first wrong argument of nestor_create, which checks its arguments before it writes anything.
struct Verdict {
  nestor_status status = NESTOR_RUNNING;
  const char* fault = nullptr;  // name of the wrong argument
  unsigned index = 0;           // index of the memory, axis or dimension

  // The overloads are not inlined, because they are called for every argument. They are separate, because
  // each parameter adds code to every call.
  [[gnu::noinline]] void require(bool good, const char* name) { require(good, name, 0); }
  [[gnu::noinline]] void require(bool good, const char* name, std::size_t at) {
    require(good, name, at, NESTOR_BAD_ARGUMENT);
  }
  [[gnu::noinline]] void require(bool good, const char* name, std::size_t at, nestor_status otherwise) {
    if (good || fault != nullptr) return;
    *this = {otherwise, name, static_cast<unsigned>(at)};
  }
};

Verdict judge(const nestor_machine* machine, const nestor_layer* layer, const nestor_options* options);

/// Copy arguments that judge() accepted.
void copy_machine(const nestor_machine& from, Architecture& to);
void copy_layer(const nestor_layer& from, LayerShape& to);
void set_objective(const nestor_options& options, cim::CimObjective& objective);
/// Returns false if the mapping is illegal for a reason other than capacities.
bool read_mapping(const nestor_mapping& from, const cim::CimProblem& of, Mapping& to);

inline bool holds(const nestor_memory& memory, std::size_t operand) {
  return (memory.operands >> operand & 1U) != 0;
}

}  // namespace nestor::c
