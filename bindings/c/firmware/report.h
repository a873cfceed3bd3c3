/* One line of text for each layer that was mapped: the same on a device and on a desktop. */
#ifndef REPORT_H
#define REPORT_H

#include "nestor.h"

typedef void (*put_function)(const char* text);

void report_number(put_function put, int64_t number);
void report_layer(put_function put, const char* name, const nestor_problem* problem, nestor_status status);

#endif
