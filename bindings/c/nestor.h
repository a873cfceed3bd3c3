/* SPDX-License-Identifier: Apache-2.0
 *
 * Nestor's embedded solver for C: the provably best mapping of one neural-network layer onto a
 * compute-in-memory machine, found in memory that the caller provides.
 *
 * A problem uses a single arena. It allocates nothing else and keeps no global state. Several problems may
 * run concurrently, but only one thread at a time may use a problem. The search runs in slices (nestor_step),
 * so it can share a processor with other work. It finds the same mapping for any slice length and on every
 * target.
 *
 *     static unsigned char arena[64 * 1024];
 *     nestor_problem* problem = NULL;
 *     nestor_status status = nestor_create(&problem, arena, sizeof arena, &machine, &layer, NULL);
 *     while (status == NESTOR_RUNNING) status = nestor_step(problem, 1000);
 *     if (nestor_has_mapping(problem)) nestor_get_mapping(problem, &mapping);
 *
 * docs/embedded.md is the guide. */
#ifndef NESTOR_H
#define NESTOR_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN(modernize-*,performance-enum-size): C as well */

#if defined(NESTOR_SHARED) && defined(__GNUC__)
#define NESTOR_API __attribute__((visibility("default")))
#else
#define NESTOR_API
#endif

#define NESTOR_VERSION_MAJOR 0
#define NESTOR_VERSION_MINOR 1
#define NESTOR_VERSION_PATCH 0

/* Size limits of machines and mappings. Lower limits make the solver smaller. The caller and the solver must
 * be compiled with the same limits; nestor_create checks this. */
#ifndef NESTOR_MAX_MEMORIES
#define NESTOR_MAX_MEMORIES 16
#endif
#ifndef NESTOR_MAX_AXES
#define NESTOR_MAX_AXES 8
#endif
#ifndef NESTOR_MAX_LOOPS
#define NESTOR_MAX_LOOPS 64
#endif

/* A solver for latency only (NESTOR_LATENCY_ONLY, for both the caller and the solver) uses only integers and
 * reads no energies. It is smaller, and faster on targets that emulate doubles in software. */
#if defined(NESTOR_LATENCY_ONLY)
typedef int64_t nestor_value;
#define NESTOR_PRIVALUE PRId64 /* printf("%" NESTOR_PRIVALUE " cycles", nestor_cost(problem)) */
#define NESTOR_ABI_OPTION 0x800000U
#else
typedef double nestor_value;
#define NESTOR_PRIVALUE ".0f"
#define NESTOR_ABI_OPTION 0U
#endif

/* Number that identifies the layout of the structures below; it depends on the limits and options above. */
#define NESTOR_ABI_VERSION 4
#define NESTOR_ABI                                                                        \
  (NESTOR_ABI_VERSION * 0x1000000U + NESTOR_ABI_OPTION + NESTOR_MAX_MEMORIES * 0x10000U + \
   NESTOR_MAX_AXES * 0x100U + NESTOR_MAX_LOOPS)

/* Dimensions of a layer's loop nest: batch, output channels, input channels, output height and width, kernel
 * height and width, groups. A matrix product (m, k, n) is P = m, C = k, K = n. For a grouped or depthwise
 * convolution, K and C are those of a single group. Either the bound of G is the number of groups, or the
 * caller solves one group and multiplies its cost by the number of groups. A bound of 0 for G is treated as
 * 1. */
enum { NESTOR_N, NESTOR_K, NESTOR_C, NESTOR_P, NESTOR_Q, NESTOR_R, NESTOR_S, NESTOR_G, NESTOR_DIMS };
/* Operands: input, weight, output. */
enum { NESTOR_INPUT, NESTOR_WEIGHT, NESTOR_OUTPUT, NESTOR_OPERANDS };

/* Sets of dimensions or operands: the bits 1 << NESTOR_K, 1 << NESTOR_INPUT and so on. */
typedef uint8_t nestor_set;

/* Memories and axes have no names: results refer to them by their positions in the arrays of the machine. */
typedef struct nestor_memory {
  nestor_set operands;   /* operands that it may store */
  uint8_t axes_above;    /* number of axes before it in the hierarchy */
  uint8_t double_buffer; /* not 0: each operand may be double-buffered */
  int64_t capacity;      /* bits; 0: unlimited */
  int64_t bandwidth;     /* bits per cycle */
  double read_energy;    /* pJ per bit */
  double write_energy;
} nestor_memory;

typedef struct nestor_axis {
  nestor_set dims; /* dimensions that may be unrolled on it */
  int64_t size;
} nestor_axis;

/* Memories and axes from the outermost to the innermost. */
typedef struct nestor_machine {
  const nestor_memory* memories;
  const nestor_axis* axes;
  uint8_t memory_count;
  uint8_t axis_count;
  int64_t mvm_cycles;
  double mac_energy; /* pJ */
  double leakage;    /* pJ per cycle */
} nestor_machine;

typedef struct nestor_layer {
  int64_t bounds[NESTOR_DIMS];
  int64_t stride[2];   /* along P and Q */
  int64_t dilation[2]; /* along R and S */
  int64_t input_bits, weight_bits, output_bits, partial_sum_bits;
} nestor_layer;

typedef enum nestor_objective { NESTOR_LATENCY, NESTOR_ENERGY, NESTOR_EDP } nestor_objective;
typedef enum nestor_latency_model { NESTOR_STALL, NESTOR_MIREDO } nestor_latency_model;

typedef struct nestor_options {
  nestor_objective objective;
  nestor_latency_model latency_model;
  uint64_t node_limit;    /* nodes of the search (nestor_nodes); 0: no limit */
  size_t workspace_bytes; /* part of the arena for the search; 0: all of its free bytes */
} nestor_options;

typedef enum nestor_status {
  NESTOR_RUNNING = 0,      /* call nestor_step again */
  NESTOR_OPTIMAL = 1,      /* the mapping is proved best */
  NESTOR_INFEASIBLE = 2,   /* no mapping fits the machine: the smallest tiles are too large */
  NESTOR_MEMORY_LIMIT = 3, /* the workspace was too small for a proof; the best mapping so far is kept */
  NESTOR_WORK_LIMIT = 4,   /* node_limit was reached; the best mapping so far is kept */
  NESTOR_CANCELLED = 5,    /* nestor_cancel; nestor_step resumes the search */
  NESTOR_BAD_ARGUMENT = -1,
  NESTOR_ARENA_TOO_SMALL = -2,
  NESTOR_TOO_LARGE = -3,    /* a figure may exceed 64 bits or a bound 31 bits, or there are too many loops */
  NESTOR_ABI_MISMATCH = -4, /* header and library do not match */
  NESTOR_NO_MAPPING = -5,   /* no mapping has been found yet */
  NESTOR_BAD_FILE = -6      /* a file cannot be read or written (nestor_files.h, on the desktop) */
} nestor_status;

typedef struct nestor_loop {
  uint8_t dim;
  uint8_t at[NESTOR_OPERANDS]; /* for each operand, the memory whose block contains the loop */
  int64_t factor;
} nestor_loop;

typedef struct nestor_mapping {
  int64_t spatial[NESTOR_MAX_AXES][NESTOR_DIMS]; /* factor per axis and dimension */
  uint32_t loop_count;
  nestor_loop loops[NESTOR_MAX_LOOPS];             /* outermost first */
  nestor_set double_buffered[NESTOR_MAX_MEMORIES]; /* operands double-buffered in each memory */
} nestor_mapping;

typedef struct nestor_problem nestor_problem;

/* Returns the size in bytes of an arena with `workspace_bytes` for the search. The arena may have any
 * address. */
NESTOR_API size_t nestor_arena_bytes(size_t workspace_bytes);

/* Returns a workspace size for which no search ends with NESTOR_MEMORY_LIMIT, or 0 if nestor_create would
 * reject the problem. Usually, far less is enough. */
NESTOR_API size_t nestor_workspace_bytes(const nestor_machine* machine, const nestor_layer* layer);

/* Prepares a problem in the arena, which must outlive it and needs no clean-up. Machine and layer are copied.
 * If `options` is NULL, the objective is latency, without limits. Returns NESTOR_RUNNING if the problem is
 * ready. Otherwise *problem is NULL, which all functions accept. The status is then NESTOR_INFEASIBLE if no
 * mapping fits the machine, regardless of the arena, or an error; nestor_fault names the wrong argument. */
#define nestor_create(problem, arena, arena_bytes, machine, layer, options) \
  nestor_create_for(NESTOR_ABI, problem, arena, arena_bytes, machine, layer, options)
/* Returns the argument for which nestor_create would return an error or NESTOR_INFEASIBLE, e.g.
 * "machine.memories[].bandwidth", or NULL. `index`, which may be NULL, receives the position of the memory,
 * axis or dimension. The main conditions are:
 * - Bounds, strides, dilations, bits, bandwidths, sizes and mvm_cycles are positive, except that the bound of
 *   G may be 0; energies are 0 to 1e30.
 * - axes_above does not decrease from one memory to the next.
 * - Every operand has at least two memories ("machine.memories", index: the operand).
 * - The innermost memories are large enough for one element of each operand
 *   ("machine.memories[].capacity"). */
NESTOR_API const char* nestor_fault(const nestor_machine* machine, const nestor_layer* layer,
                                    const nestor_options* options, unsigned* index);
NESTOR_API nestor_status nestor_create_for(uint32_t abi, nestor_problem** problem, void* arena,
                                           size_t arena_bytes, const nestor_machine* machine,
                                           const nestor_layer* layer, const nestor_options* options);

/* Continues the search for about `work` units. docs/embedded.md specifies the maximum number of instructions
 * per call. */
NESTOR_API nestor_status nestor_step(nestor_problem* problem, uint64_t work);
/* Continues the search until it ends, reaches a limit or is cancelled. */
NESTOR_API nestor_status nestor_solve(nestor_problem* problem);
/* Makes the current search, or the next one, return NESTOR_CANCELLED. Interrupt handlers and other threads
 * may call it. */
NESTOR_API void nestor_cancel(nestor_problem* problem);

/* Costs of a mapping on the machine of a problem. */
typedef struct nestor_evaluation {
  nestor_value cost;      /* in the objective's unit */
  int64_t latency_cycles; /* under the latency model of the options */
  double energy_pj;       /* with leakage; 0 under NESTOR_LATENCY_ONLY */
} nestor_evaluation;

NESTOR_API int nestor_has_mapping(const nestor_problem* problem);
/* Copies the best mapping so far to *mapping. Returns NESTOR_NO_MAPPING if there is none. */
NESTOR_API nestor_status nestor_get_mapping(const nestor_problem* problem, nestor_mapping* mapping);
/* Evaluates any mapping of the problem's layer. The mapping is first brought into canonical form
 * (docs/models/cim.md, section 3), which changes no cost. Returns NESTOR_BAD_ARGUMENT if the mapping is not
 * legal, or NESTOR_INFEASIBLE if a memory is too small for it. */
NESTOR_API nestor_status nestor_evaluate(const nestor_problem* problem, const nestor_mapping* mapping,
                                         nestor_evaluation* evaluation);
/* Returns the cost of the best mapping so far in the objective's unit: cycles, pJ, or their product. Without
 * a mapping, returns the largest value. */
NESTOR_API nestor_value nestor_cost(const nestor_problem* problem);
/* Returns a lower bound on the cost of every mapping. It is valid at any time, and equals the cost once the
 * optimum is proved. */
NESTOR_API nestor_value nestor_bound(const nestor_problem* problem);
/* Returns the number of nodes of the search so far: partial mappings expanded and complete ones evaluated. */
NESTOR_API uint64_t nestor_nodes(const nestor_problem* problem);
/* Returns the peak number of arena bytes in use. */
NESTOR_API size_t nestor_peak_bytes(const nestor_problem* problem);

/* Returns a word for a status, e.g. "optimal", or "unknown status" for any other number. */
NESTOR_API const char* nestor_status_text(nestor_status status);
/* Return the library's NESTOR_ABI and version (major << 16 | minor << 8 | patch). */
NESTOR_API uint32_t nestor_abi(void);
NESTOR_API uint32_t nestor_version(void);

/* NOLINTEND(modernize-*,performance-enum-size) */
#ifdef __cplusplus
}
#endif

#endif /* NESTOR_H */
