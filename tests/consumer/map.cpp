// SPDX-License-Identifier: Apache-2.0
// Maps every layer of a network and prints the loop nests. Usage: map [MACHINE [NETWORK]]
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
    if (search.has_mapping()) std::cout << task.nest(search.mapping());
  }
} catch (const nestor::Error& error) {
  std::cerr << error.what() << "\n";
  return 3;
}
