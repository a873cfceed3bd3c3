/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

void report_number(put_function put, int64_t number) {
  char digits[24];
  char* at = digits + sizeof digits - 1;
  uint64_t rest = number < 0 ? (uint64_t)-number : (uint64_t)number;
  *at = '\0';
  do {
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (number < 0) *--at = '-';
  put(at);
}

static void put_letter(put_function put, char letter) {
  const char text[2] = {letter, '\0'};
  put(text);
}

static void put_spatial(put_function put, const nestor_mapping* mapping) {
  for (unsigned axis = 0; axis < NESTOR_MAX_AXES; ++axis)
    for (unsigned dim = 0; dim < NESTOR_DIMS; ++dim) {
      if (mapping->spatial[axis][dim] <= 1) continue;
      put(" axis");
      report_number(put, axis);
      put(":");
      put_letter(put, "NKCPQRSG"[dim]);
      report_number(put, mapping->spatial[axis][dim]);
    }
}

static void put_loops(put_function put, const nestor_mapping* mapping) {
  for (uint32_t i = 0; i < mapping->loop_count; ++i) {
    put(" ");
    put_letter(put, "NKCPQRSG"[mapping->loops[i].dim]);
    report_number(put, mapping->loops[i].factor);
    put("@");
    for (unsigned operand = 0; operand < NESTOR_OPERANDS; ++operand) {
      if (operand > 0) put("/");
      report_number(put, mapping->loops[i].at[operand]);
    }
  }
}

static void put_buffers(put_function put, const nestor_mapping* mapping) {
  for (unsigned memory = 0; memory < NESTOR_MAX_MEMORIES; ++memory)
    for (unsigned operand = 0; operand < NESTOR_OPERANDS; ++operand) {
      if ((mapping->double_buffered[memory] >> operand & 1U) == 0) continue;
      put(" double:");
      put_letter(put, "IWO"[operand]);
      report_number(put, memory);
    }
}

void report_layer(put_function put, const char* name, const char* status, const nestor_mapping* mapping,
                  int64_t cost, uint64_t steps) {
  put(name);
  put(" ");
  put(status);
  put(" steps ");
  report_number(put, (int64_t)steps);
  if (mapping != NULL) {
    put(" cost ");
    report_number(put, cost);
    put_spatial(put, mapping);
    put(";");
    put_loops(put, mapping);
    put(";");
    put_buffers(put, mapping);
  }
  put("\n");
}
