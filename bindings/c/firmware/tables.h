/* The machine and the networks that the firmware maps; the tables are generated (make_tables.cpp). */
#ifndef TABLES_H
#define TABLES_H

#include "nestor.h"

typedef struct named_layer {
  const char* name;
  nestor_layer layer;
} named_layer;

typedef struct network {
  const char* name;
  const named_layer* layers;
  unsigned layer_count;
} network;

extern const nestor_machine machine;
extern const network networks[];
extern const unsigned network_count;

#endif
