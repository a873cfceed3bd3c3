// SPDX-License-Identifier: Apache-2.0
// Maps every layer of a network and prints the nests: map [MACHINE [NETWORK]].
#include <iostream>
#include <nestor.hpp>

int main(int argc, char** argv) try {
  const nestor::Task task(argc > 1 ? argv[1] : "miredo-default", argc > 2 ? argv[2] : "resnet18");
  std::cout << std::fixed;
  std::cout.precision(0);
  for (std::size_t i = 0; i < task.size(); ++i) {
    nestor::Search search(task.machine(), task.layer(i));
    std::cout << task.layer_name(i) << ": " << nestor_status_text(search.solve()) << ", " << search.cost()
              << " cycles\n";
    if (!search.has_mapping()) continue;
    const nestor_mapping mapping = search.mapping();
    for (std::uint32_t l = 0; l < mapping.loop_count; ++l) {
      const nestor_loop& loop = mapping.loops[l];
      std::cout << "  for "
                << "NKCPQRSG"[loop.dim] << " in 0.." << loop.factor - 1;
      for (int x = 0; x < NESTOR_OPERANDS; ++x)
        std::cout << (x == 0 ? ": " : ", ") << "IWO"[x] << " in " << task.memory_name(loop.at[x]);
      std::cout << "\n";
    }
  }
} catch (const nestor::Error& error) {
  std::cerr << error.what() << "\n";
  return 3;
}
