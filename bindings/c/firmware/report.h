/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that print one line of text for each mapped layer. The line is the same on a device and on a
 * desktop. */
#ifndef REPORT_H
#define REPORT_H

#include "nestor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*put_function)(const char* text); /* NOLINT(modernize-use-using) */

/* Converts a cost to an integer; values that are too large become INT64_MAX. */
static inline int64_t report_cost(nestor_value cost) {
  return cost < (nestor_value)9.2e18 ? (int64_t)cost : INT64_MAX;
}
void report_number(put_function put, int64_t number);
/* Prints the line of a layer. `mapping` is NULL if none was found. */
void report_layer(put_function put, const char* name, const char* status, const nestor_mapping* mapping,
                  int64_t cost, uint64_t steps);

#ifdef __cplusplus
}
#endif

#endif
