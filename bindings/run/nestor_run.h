/* SPDX-License-Identifier: Apache-2.0
 *
 * The verbs of the command line as a C library. A run has the inputs and options of the command line, and its
 * files are on disk or in memory. It reports progress, can be stopped, and returns its result as JSON.
 * nestor_run.hpp is the C++ interface.
 *
 *     nestor_run* run = NULL;
 *     nestor_run_open(&run, "map");
 *     nestor_run_add_input(run, "resnet18");
 *     nestor_run_set_option(run, "arch", "miredo-table4");
 *     if (nestor_run_execute(run, NULL, NULL) == NESTOR_RUNNING)
 *       printf("%s %g\n", nestor_run_whole(run)->status, nestor_run_whole(run)->objective);
 *     nestor_run_close(run);
 *
 * A run prints nothing and does not handle signals. Only one thread may use it, but any thread may stop it,
 * and several runs may execute concurrently. Texts and structures live as long as the run. docs/library.md is
 * the guide, and docs/options.md lists the options. */
#ifndef NESTOR_RUN_H
#define NESTOR_RUN_H

#include "nestor.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN(modernize-*,performance-enum-size): C as well */

typedef struct nestor_run nestor_run;

/* Opens a run of a verb of the command line, such as "map", "compile", "schedule", "estimate", "evaluate",
 * "simulate", "verify", "sweep" or "show". For an unknown name, returns NESTOR_BAD_ARGUMENT and no run. */
#define nestor_run_open(run, verb) nestor_run_open_for(NESTOR_ABI, run, verb)
NESTOR_API nestor_status nestor_run_open_for(uint32_t abi, nestor_run** run, const char* verb);
NESTOR_API void nestor_run_close(nestor_run* run);

/* Adds an input, in command-line order: a built-in name, a path, or the name of a file in memory. */
NESTOR_API nestor_status nestor_run_add_input(nestor_run* run, const char* name);
/* Sets an option with the spelling of the command line, without "--". A switch has the value "true". An
 * option that may be repeated is set once for each value. nestor_run_execute reports invalid options. */
NESTOR_API nestor_status nestor_run_set_option(nestor_run* run, const char* name, const char* value);
/* Adds a file in memory, and copies its content. Inputs, options and messages use its name. A name in
 * brackets, such as "<arch>.yaml", cannot hide a file on disk by accident. */
NESTOR_API nestor_status nestor_run_add_file(nestor_run* run, const char* name, const void* content,
                                             size_t bytes);

/* Progress of a run. Missing numbers are NaN. */
typedef struct nestor_run_progress {
  const char* text; /* the line that the command line shows */
  const char* part; /* the current layer, kernel, netlist or network */
  size_t finished;  /* number of finished parts */
  size_t all;       /* total number of parts; 0 if unknown */
  double objective; /* of the current search */
  double bound;
  uint64_t work; /* nodes of the current search */
} nestor_run_progress;

/* Called about ten times a second in the thread that executes the run. A nonzero result stops the run. The
 * function must not throw. */
typedef int nestor_run_report(void* user, const nestor_run_progress* progress);

/* Runs the verb until the end, a limit or a stop. Returns NESTOR_RUNNING if the run ended without an
 * error; nestor_run_exit returns its status. Returns NESTOR_CANCELLED if it was stopped; the result is then
 * the best one so far, and may be missing. Returns NESTOR_BAD_FILE on an error, which nestor_run_failure
 * describes, NESTOR_MEMORY_LIMIT if the system has no more memory, and NESTOR_BAD_ARGUMENT if the run was
 * executed before. */
NESTOR_API nestor_status nestor_run_execute(nestor_run* run, nestor_run_report* report, void* user);
/* Stops the current execution, or the next one, within about 0.1 s. Any thread may call it. */
NESTOR_API void nestor_run_stop(nestor_run* run);

/* Returns the exit status of the command line: 0, 1 if a limit stopped the run, 7 if a claim was not
 * confirmed, or the status for the kind of error. Returns -1 if the run has not ended. */
NESTOR_API int nestor_run_exit(const nestor_run* run);

typedef struct nestor_run_error {
  const char* kind; /* "usage", "input", "infeasible", "limit", "output" or "internal" */
  const char* file; /* "" if there is none; line and column are 0 if unknown */
  int line;
  int column;
  const char* message;
} nestor_run_error;

/* Returns the error that ended the run, or NULL. */
NESTOR_API const nestor_run_error* nestor_run_failure(const nestor_run* run);
/* Returns a message that the command line prints on standard error; NULL beyond the last. */
NESTOR_API const char* nestor_run_remark(const nestor_run* run, size_t index);

/* Returns the JSON of the result, as --json writes it (docs/formats.md); "" if there is none. */
NESTOR_API const char* nestor_run_json(const nestor_run* run);
/* Returns the JSON of one value of the result by its JSON Pointer (RFC 6901), such as "/totals/energy_pj";
 * NULL if there is none. The text remains valid until the next call of this function for the run. */
NESTOR_API const char* nestor_run_value(nestor_run* run, const char* pointer);

/* A named share of a latency or an energy, such as "transfers" or "gbuf/W". */
typedef struct nestor_run_share {
  const char* name;
  double value; /* cycles or pJ */
} nestor_run_share;

/* Figures of a whole result, or of a layer, kernel or operator. Missing numbers are NaN. */
typedef struct nestor_run_figures {
  const char* name;
  const char* status;  /* "optimal", or the reason why there is no proof; "" without a search */
  int64_t repeat;      /* runs of the nest in the network: one per group and occurrence */
  double objective;    /* minimised value, in its unit */
  double bound;        /* proved lower bound, in the same unit */
  double gap;          /* (objective - bound) / objective */
  const char* mapping; /* JSON that is valid as an input; "" if there is none */
  size_t latency_count;
  const nestor_run_share* latency_by; /* cycles by cause */
  size_t energy_count;
  const nestor_run_share* energy_by; /* pJ by memory and operand; only after an evaluation */
} nestor_run_figures;

/* Returns the figures of the whole result: the worst status of its layers, and sums that include repeats.
 * NULL without a result. */
NESTOR_API const nestor_run_figures* nestor_run_whole(const nestor_run* run);
NESTOR_API size_t nestor_run_layer_count(const nestor_run* run);
/* Returns the figures of a layer; NULL beyond the last. */
NESTOR_API const nestor_run_figures* nestor_run_layer(const nestor_run* run, size_t index);

/* Returns the HTML report of several results, given as JSON, side by side. Returns NULL and a `message` if a
 * result cannot be shown. nestor_run_free frees the text. */
NESTOR_API char* nestor_run_page(const char* const* results, size_t count, char* message,
                                 size_t message_bytes);
NESTOR_API void nestor_run_free(char* text);

/* NOLINTEND(modernize-*,performance-enum-size) */
#ifdef __cplusplus
}
#endif

#endif /* NESTOR_RUN_H */
