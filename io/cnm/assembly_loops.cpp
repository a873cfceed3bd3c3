#include "io/cnm/assembly_loops.h"

namespace nestor::io {

AsmFlow::AsmFlow(const AsmText& text) : text_(text), seen_(text.code.size(), 0) {
  find_loops(0);
  for (const auto& [label, at] : text.labels)
    if (at < text.code.size() && label == "main") find_loops(at);
  for (const AsmInstruction& instruction : text.code) {
    if (instruction.kind != AsmKind::call) continue;
    const auto at = text.labels.find(instruction.operands[1].text);
    if (at != text.labels.end() && at->second < text.code.size()) find_loops(at->second);
  }
  for (AsmLoop& loop : loops_) {
    loop.size = loop.inside.count();
    for (const auto& [label, at] : text.labels)
      if (at == loop.head) loop.label = label;
  }
}

bool AsmFlow::branches(std::size_t i) const {
  const AsmInstruction& instruction = text_.code[i];
  return !instruction.target.empty() && instruction.kind != AsmKind::jump;
}

std::array<std::size_t, 2> AsmFlow::next(std::size_t i) const {
  const AsmInstruction& instruction = text_.code[i];
  std::size_t branch = outside;
  if (!instruction.target.empty())
    if (const auto at = text_.labels.find(instruction.target);
        at != text_.labels.end() && at->second < text_.code.size())
      branch = at->second;
  const bool ends =
      instruction.kind == AsmKind::jump || instruction.word == "stop" || instruction.condition == "true";
  const std::size_t through = ends || i + 1 >= text_.code.size() ? outside : i + 1;
  return {branch, through};
}

// Finds loops by depth-first search: an edge to an instruction on the current path is the back edge of a
// loop.
void AsmFlow::find_loops(std::size_t root) {
  if (seen_[root] != 0) return;
  const std::size_t count = text_.code.size();
  std::vector<std::vector<std::size_t>> before(count);
  std::vector<std::pair<std::size_t, std::size_t>> back;
  std::vector<std::pair<std::size_t, std::size_t>> path = {{root, 0}};
  seen_[root] = 1;
  while (!path.empty()) {
    auto& [at, edge] = path.back();
    const auto successors = next(at);
    if (edge == successors.size()) {
      seen_[at] = 2;
      path.pop_back();
      continue;
    }
    const std::size_t to = successors[edge++];
    if (to == outside) continue;
    before[to].push_back(at);
    if (seen_[to] == 1) back.emplace_back(at, to);
    if (seen_[to] != 0) continue;
    seen_[to] = 1;
    path.emplace_back(to, 0);
  }
  for (const auto& [from, head] : back) {
    AsmLoop* loop = nullptr;
    for (AsmLoop& known : loops_)
      if (known.head == head) loop = &known;
    if (loop == nullptr) {
      loops_.push_back({head, boost::dynamic_bitset<>(count), 0, {}});
      loop = &loops_.back();
      loop->inside[head] = true;
    }
    std::vector<std::size_t> open = {from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (loop->inside[at]) continue;
      loop->inside[at] = true;
      if (at == root && irreducible_ == outside) irreducible_ = head;
      for (const std::size_t earlier : before[at]) open.push_back(earlier);
    }
  }
}

const AsmLoop* AsmFlow::loop_at(std::size_t i) const {
  for (const AsmLoop& loop : loops_)
    if (loop.head == i) return &loop;
  return nullptr;
}

const AsmLoop* AsmFlow::innermost(std::size_t i) const {
  const AsmLoop* best = nullptr;
  for (const AsmLoop& loop : loops_)
    if (loop.inside[i] && (best == nullptr || loop.size < best->size)) best = &loop;
  return best;
}

}  // namespace nestor::io
