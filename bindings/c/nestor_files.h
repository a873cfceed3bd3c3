/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the desktop's shared library adds to nestor.h. They read machines and networks from files,
 * or built-in ones by name, and write mappings to a file for `nestor evaluate` and `nestor simulate`.
 *
 *     nestor_task* task = NULL;
 *     char message[256];
 *     if (nestor_open(&task, "tiny-embedded", "layers.yaml", message, sizeof message) != NESTOR_RUNNING)
 *       puts(message);
 *     for (size_t i = 0; i < nestor_task_layer_count(task); ++i) {
 *       nestor_problem* problem = NULL;
 *       nestor_create(&problem, arena, sizeof arena, nestor_task_machine(task),
 *                     nestor_task_layer(task, i), NULL);
 *       if (nestor_solve(problem) == NESTOR_OPTIMAL &&
 *           nestor_get_mapping(problem, &mapping) == NESTOR_RUNNING)
 *         nestor_keep_mapping(task, i, &mapping);
 *     }
 *     nestor_write_mappings(task, "mappings.json", message, sizeof message);
 *     nestor_close(task);
 *
 * All functions accept a task that is NULL. docs/library.md is the guide. */
#ifndef NESTOR_FILES_H
#define NESTOR_FILES_H

#include "nestor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nestor_task nestor_task; /* NOLINT(modernize-use-using) */

/* Reads a machine and a network. If one cannot be read, returns NESTOR_BAD_FILE and a message with file, line
 * and column; `message` may be NULL. nestor_close closes a task; its structures and texts live as long as the
 * task. */
#define nestor_open(task, architecture, layers, message, message_bytes) \
  nestor_open_for(NESTOR_ABI, task, architecture, layers, message, message_bytes)
NESTOR_API nestor_status nestor_open_for(uint32_t abi, nestor_task** task, const char* architecture,
                                         const char* layers, char* message, size_t message_bytes);
NESTOR_API void nestor_close(nestor_task* task);

NESTOR_API const nestor_machine* nestor_task_machine(const nestor_task* task);
/* Return the name of a memory or axis by its position in the machine; NULL beyond the last. */
NESTOR_API const char* nestor_task_memory_name(const nestor_task* task, size_t index);
NESTOR_API const char* nestor_task_axis_name(const nestor_task* task, size_t index);
NESTOR_API size_t nestor_task_layer_count(const nestor_task* task);
/* Return NULL beyond the last layer. */
NESTOR_API const nestor_layer* nestor_task_layer(const nestor_task* task, size_t index);
NESTOR_API const char* nestor_task_layer_name(const nestor_task* task, size_t index);
/* Returns the number of times that the network runs the layer's loop nest. */
NESTOR_API int64_t nestor_task_layer_repeat(const nestor_task* task, size_t index);

/* Writes the loop nest of a mapping as text, with one line for each loop, outermost first, and the names of
 * the memories: "  for K in 0..63: I in dram, W in sram, O in dram\n". Returns the length of the whole text,
 * as snprintf does; text beyond `text_bytes` is cut off. Returns 0 if the mapping does not match the task's
 * machine. */
NESTOR_API size_t nestor_nest_text(const nestor_task* task, const nestor_mapping* mapping, char* text,
                                   size_t text_bytes);
/* Stores a copy of a layer's mapping for nestor_write_mappings. Returns NESTOR_BAD_ARGUMENT if the mapping
 * does not match the task's machine. */
NESTOR_API nestor_status nestor_keep_mapping(nestor_task* task, size_t index, const nestor_mapping* mapping);
/* Writes the mappings of all layers; returns NESTOR_NO_MAPPING if a layer has none. */
NESTOR_API nestor_status nestor_write_mappings(const nestor_task* task, const char* path, char* message,
                                               size_t message_bytes);

/* A share of the cycles and its cause, as named in docs/models/cnm.md ("issue", "dma", ...). */
typedef struct nestor_cnm_cause { /* NOLINT(modernize-use-using) */
  char name[16];
  double share; /* share of the cycles */
} nestor_cnm_cause;

typedef struct nestor_cnm_result { /* NOLINT(modernize-use-using) */
  double time_ms;                  /* includes the host's times below */
  double cycles;
  double launch_ms;
  double reduce_ms;
  double transfer_ms;
  uint32_t causes; /* number of entries of `cause` */
  nestor_cnm_cause cause[8];
} nestor_cnm_result;

/* Estimates the time of a kernel on a compute-near-memory system under a mapping, as `nestor estimate` does.
 * The inputs are an MLIR text with one operation, a system (a built-in name, a path, or YAML), and a mapping
 * (YAML or the short form "{(1,1),(64,1),(16,1),(1,64)} block (1,32)"). Returns NESTOR_RUNNING, or
 * NESTOR_BAD_FILE with a message about the unreadable input or the rule that the mapping violates. Keeps no
 * state, so threads may call it concurrently. */
#define nestor_cnm_estimate(mlir, system, mapping, result, message, message_bytes) \
  nestor_cnm_estimate_for(NESTOR_ABI, mlir, system, mapping, result, message, message_bytes)
NESTOR_API nestor_status nestor_cnm_estimate_for(uint32_t abi, const char* mlir, const char* system,
                                                 const char* mapping, nestor_cnm_result* result,
                                                 char* message, size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif /* NESTOR_FILES_H */
