/* What the firmware asks of a board: text output, the end of the program, stack use, a count of instructions.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

void put_text(const char* text);
_Noreturn void leave(int status);
size_t stack_bytes_used(void);
void start_count(void);
/* Since start_count(): exact to 40 under qemu -icount shift=0, where an instruction takes a nanosecond. */
uint64_t instructions_since_start(void);

#endif
