/* SPDX-License-Identifier: Apache-2.0 */
/* What the firmware asks of a board: text output, the end of the program, stack use, a count of instructions.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

void put_text(const char* text);
_Noreturn void leave(int status);
/* Paints what is free of the stack, so that its use from here on can be measured. */
void paint_stack(void);
/* Of the calls since then, below the caller of paint_stack(). */
size_t stack_bytes_used(void);
void start_count(void);
/* Since start_count(): exact to 40 under qemu -icount shift=0, where an instruction takes a nanosecond. */
uint64_t instructions_since_start(void);

#endif
