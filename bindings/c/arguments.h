// SPDX-License-Identifier: Apache-2.0
// The arguments of the C API: which are refused, and how the others are copied. Nothing from outside is
// trusted.
#pragma once

#include <cstring>
#include <type_traits>

#include "bindings/c/nestor.h"
#include "model/cim/search/problem.h"

namespace nestor::c {

// An enumeration from outside as a number: it may hold any.
template <typename Enum>
auto raw(const Enum& from) {
  std::underlying_type_t<Enum> value;
  std::memcpy(&value, &from, sizeof value);
  return value;
}

// What nestor_create says of its arguments, before it writes anything: the first that is wrong.
struct Verdict {
  nestor_status status = NESTOR_RUNNING;
  const char* fault = nullptr;  // its name
  unsigned index = 0;           // of the memory, axis or dimension

  // Not inlined: they are called for every argument. Apart, since each parameter costs code at every call.
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

/// Of what judge() lets through.
void copy_machine(const nestor_machine& from, Architecture& to);
void copy_layer(const nestor_layer& from, LayerShape& to);
void set_objective(const nestor_options& options, cim::CimObjective& objective);
/// False if the mapping is not legal in all but the capacities.
bool read_mapping(const nestor_mapping& from, const cim::CimProblem& of, Mapping& to);

inline bool holds(const nestor_memory& memory, std::size_t operand) {
  return (memory.operands >> operand & 1U) != 0;
}

}  // namespace nestor::c
