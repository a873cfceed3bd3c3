/* SPDX-License-Identifier: Apache-2.0 */
/* Machines and networks that the firmware maps, and the arena that it may use. tests/firmware/make_tables.cpp
 * generates the tables. */
#ifndef TABLES_H
#define TABLES_H

#include "nestor.h"

#ifndef STATE_BYTES
#define STATE_BYTES (64 * 1024) /* for the solver's state, in addition to its workspace */
#endif

typedef struct named_layer {
  const char* name;
  nestor_layer layer;
} named_layer;

typedef struct network {
  const char* name;
  const nestor_machine* machine;
  const named_layer* layers;
  unsigned layer_count;
  nestor_options options;
} network;

extern const network networks[];
extern const unsigned network_count;
extern unsigned char* const arena;
extern const size_t arena_bytes;

#endif
