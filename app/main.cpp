#include <cstdio>

int main() {
  std::puts("nestor 0.1.0");
  return 0;
}
