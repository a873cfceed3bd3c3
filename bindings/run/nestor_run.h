/* SPDX-License-Identifier: Apache-2.0
 *
 * The verbs of the command line in process, for C: a run takes the words of the command line and files that
 * are on disk or in memory, reports progress, can be stopped, and has the JSON of its result. nestor_run.hpp
 * puts C++ on top.
 *
 *     nestor_run* run = NULL;
 *     nestor_run_open(&run, "map");
 *     nestor_run_add_input(run, "resnet18");
 *     nestor_run_set_option(run, "arch", "miredo-table4");
 *     if (nestor_run_execute(run, NULL, NULL) == NESTOR_RUNNING)
 *       printf("%s %g\n", nestor_run_whole(run)->status, nestor_run_whole(run)->objective);
 *     nestor_run_close(run);
 *
 * A run prints nothing and leaves signals alone. It is used by one thread, but any thread may stop it, and
 * several runs may be executed at once. Texts and structures live as long as the run. docs/library.md is the
 * guide, docs/options.md lists the options. */
#ifndef NESTOR_RUN_H
#define NESTOR_RUN_H

#include "nestor.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NOLINTBEGIN(modernize-*,performance-enum-size): C as well */

typedef struct nestor_run nestor_run;

/* Opens a run of a verb: "map", "compile", "schedule", "estimate", "evaluate", "simulate", "verify", "sweep",
 * "show". NESTOR_BAD_ARGUMENT and no run if there is none of this name. */
#define nestor_run_open(run, verb) nestor_run_open_for(NESTOR_ABI, run, verb)
NESTOR_API nestor_status nestor_run_open_for(uint32_t abi, nestor_run** run, const char* verb);
NESTOR_API void nestor_run_close(nestor_run* run);

/* Adds an input, in the order of the command line: the name of one that ships, a path, or the name of a file
 * in memory. */
NESTOR_API nestor_status nestor_run_add_input(nestor_run* run, const char* name);
/* Gives an option as the command line spells it, without "--". A switch has the value "true"; an option that
 * may be repeated is given once for each value. A bad one is reported by nestor_run_execute. */
NESTOR_API nestor_status nestor_run_set_option(nestor_run* run, const char* name, const char* value);
/* Holds a copy of a file in memory: inputs and options name it, and so do messages. A name in brackets, such
 * as
 * "<arch>.yaml", cannot hide a file on disk by chance. */
NESTOR_API nestor_status nestor_run_add_file(nestor_run* run, const char* name, const void* content,
                                             size_t bytes);

/* How far a run is. Numbers are NaN where there is none. */
typedef struct nestor_run_progress {
  const char* text; /* the line that the command line shows */
  const char* part; /* the layer, kernel, netlist or network that is searched */
  size_t finished;  /* parts */
  size_t all;       /* parts; 0 if they are not counted */
  double objective; /* of the search of the part */
  double bound;
  uint64_t work; /* nodes of that search */
} nestor_run_progress;

/* Called about ten times a second in the thread that executes the run; not 0 stops it. No exception may leave
 * it. */
typedef int nestor_run_report(void* user, const nestor_run_progress* progress);

/* Runs the verb to its end, a limit or a stop. NESTOR_RUNNING if it ended as it should; nestor_run_exit tells
 * more. NESTOR_CANCELLED if it was stopped: the result is the best found so far, and may be absent.
 * NESTOR_BAD_FILE on an error, which nestor_run_failure describes. NESTOR_BAD_ARGUMENT if the run was
 * executed before. */
NESTOR_API nestor_status nestor_run_execute(nestor_run* run, nestor_run_report* report, void* user);
/* Stops a run that is executed, or is yet to be, within about 0.1 s. For any thread. */
NESTOR_API void nestor_run_stop(nestor_run* run);

/* The exit status that the command line would have: 0, 1 if a limit stopped the run, 7 if a claim was not
 * confirmed; of an error its kind. -1 before the end. */
NESTOR_API int nestor_run_exit(const nestor_run* run);

typedef struct nestor_run_error {
  const char* kind; /* "usage", "input", "infeasible", "limit", "output" or "internal" */
  const char* file; /* "" if the error has no place; line and column are 0 where they are not known */
  int line;
  int column;
  const char* message;
} nestor_run_error;

/* The error that ended the run; NULL if none did. */
NESTOR_API const nestor_run_error* nestor_run_failure(const nestor_run* run);
/* What the command line says on standard error; NULL beyond the last. */
NESTOR_API const char* nestor_run_remark(const nestor_run* run, size_t index);

/* The JSON of the result, as --json writes it (docs/formats.md); "" if there is none. */
NESTOR_API const char* nestor_run_json(const nestor_run* run);
/* The JSON of one value of the result, by its JSON Pointer (RFC 6901): "/totals/energy_pj". NULL if there is
 * none. The text lives until the next call. */
NESTOR_API const char* nestor_run_value(nestor_run* run, const char* pointer);

/* A part of a latency or an energy by its name, such as "transfers" or "gbuf/W". */
typedef struct nestor_run_share {
  const char* name;
  double value; /* cycles or pJ */
} nestor_run_share;

/* Figures of a whole result or of a layer, kernel or operator. Numbers are NaN where there is none. */
typedef struct nestor_run_figures {
  const char* name;
  const char* status;  /* "optimal", or why it is not proved; "" where nothing was searched */
  int64_t repeat;      /* how often the network has it */
  double objective;    /* the value of what was minimised, in its unit */
  double bound;        /* the proved lower bound, in the same unit */
  double gap;          /* (objective - bound) / objective */
  const char* mapping; /* JSON, in the form in which it can be given back; "" without one */
  size_t latency_count;
  const nestor_run_share* latency_by; /* cycles by cause */
  size_t energy_count;
  const nestor_run_share* energy_by; /* pJ by memory and operand; only of results with an evaluation */
} nestor_run_figures;

/* Of the whole: the worst status of its layers, and sums with their repeats. NULL without a result. */
NESTOR_API const nestor_run_figures* nestor_run_whole(const nestor_run* run);
NESTOR_API size_t nestor_run_layer_count(const nestor_run* run);
/* NULL beyond the last. */
NESTOR_API const nestor_run_figures* nestor_run_layer(const nestor_run* run, size_t index);

/* The HTML report of results side by side, by their JSON; NULL if one is no result that can be shown, which
 * `message` then explains. Freed by nestor_run_free. */
NESTOR_API char* nestor_run_page(const char* const* results, size_t count, char* message,
                                 size_t message_bytes);
NESTOR_API void nestor_run_free(char* text);

/* NOLINTEND(modernize-*,performance-enum-size) */
#ifdef __cplusplus
}
#endif

#endif /* NESTOR_RUN_H */
