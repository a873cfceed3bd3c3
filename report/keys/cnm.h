// Keys of estimates, replays and rankings of the cnm space that are not in common.h.
#pragma once

namespace nestor::key {

inline constexpr char alone_ms[] = "alone_ms";
inline constexpr char asked_extents[] = "asked_extents";
inline constexpr char barrier[] = "barrier";
inline constexpr char block[] = "block";
inline constexpr char causes[] = "causes";
inline constexpr char changed[] = "changed";
inline constexpr char column[] = "column";
inline constexpr char counted[] = "counted";
inline constexpr char branches[] = "branches";
inline constexpr char cycles[] = "cycles";
inline constexpr char dma[] = "dma";
inline constexpr char explanation[] = "explanation";
inline constexpr char forms[] = "forms";  // forms of a proof
inline constexpr char estimates[] = "estimates";
inline constexpr char from_gbs[] = "from_gbs";
inline constexpr char host_ms[] = "host_ms";
inline constexpr char id[] = "id";
inline constexpr char iram_bytes[] = "iram_bytes";
inline constexpr char issue[] = "issue";
inline constexpr char k[] = "k";
inline constexpr char kernel[] = "kernel";
inline constexpr char kernels[] = "kernels";
inline constexpr char language[] = "language";
inline constexpr char launch[] = "launch";
inline constexpr char left_open[] = "left_open";
inline constexpr char left_out[] = "left_out";
inline constexpr char linear[] = "linear";
inline constexpr char link[] = "link";
inline constexpr char local[] = "local";
inline constexpr char lower_bound_ms[] = "lower_bound_ms";
inline constexpr char line[] = "line";
inline constexpr char mapped_macs[] = "mapped_macs";
inline constexpr char maps[] = "maps";
inline constexpr char mode[] = "mode";
inline constexpr char mram_bytes[] = "mram_bytes";
inline constexpr char multiply_k[] = "multiply_k";
inline constexpr char note[] = "note";
inline constexpr char offload[] = "offload";
inline constexpr char ops[] = "ops";  // operations of a program
inline constexpr char order[] = "order";
inline constexpr char pad_percent[] = "pad_percent";
inline constexpr char placement[] = "placement";
inline constexpr char reduce[] = "reduce";
inline constexpr char refresh[] = "refresh";
inline constexpr char replay_time_ms[] = "replay_time_ms";
inline constexpr char row[] = "row";
inline constexpr char runs[] = "runs";
inline constexpr char searched[] = "searched";
inline constexpr char simulated[] = "simulated";
inline constexpr char system[] = "system";
inline constexpr char systems[] = "systems";
inline constexpr char target[] = "target";
inline constexpr char tasklet[] = "tasklet";
inline constexpr char tasklets[] = "tasklets";
inline constexpr char text[] = "text";
inline constexpr char time_ms[] = "time_ms";
inline constexpr char timing[] = "timing";
inline constexpr char to_gbs[] = "to_gbs";
inline constexpr char top[] = "top";
inline constexpr char transfer[] = "transfer";
inline constexpr char tuples[] = "tuples";
inline constexpr char units[] = "units";
inline constexpr char us[] = "us";
inline constexpr char why[] = "why";
inline constexpr char wram_bytes[] = "wram_bytes";

}  // namespace nestor::key
