#include "io/onnx/execution_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <functional>
#include <queue>

namespace nestor::io::onnx_import {
namespace {

Error cycle_error(const Graph& graph, const std::vector<std::size_t>& waiting) {
  // Follows waiting producers from any waiting node; this path always leads to a cycle.
  boost::dynamic_bitset<> seen(graph.nodes.size());
  std::size_t at = 0;
  while (waiting[at] == 0) ++at;
  while (!seen[at]) {
    seen[at] = true;
    for (const TensorId id : graph.nodes[at].inputs) {
      const int producer = id == no_tensor ? -1 : graph.tensors[id].producer;
      if (producer < 0 || waiting[static_cast<std::size_t>(producer)] == 0) continue;
      at = static_cast<std::size_t>(producer);
      break;
    }
  }
  return input_error({graph.file},
                     fmt::format("the graph has a cycle through {}", describe(graph.nodes[at])));
}

}  // namespace

MaybeError sort_nodes(Graph& graph) {
  auto& nodes = graph.nodes;
  graph.users.resize(graph.tensors.size());
  std::vector<std::size_t> waiting(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const TensorId id : nodes[i].inputs) {
      if (id == no_tensor) continue;
      graph.users[id].push_back(i);
      if (graph.tensors[id].producer >= 0) ++waiting[i];
    }
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  std::vector<std::size_t> place(nodes.size());
  while (!ready.empty()) {
    const std::size_t at = ready.top();
    ready.pop();
    place[at] = order.size();
    order.push_back(at);
    for (const TensorId id : nodes[at].outputs) {
      if (id == no_tensor) continue;
      for (const std::size_t user : graph.users[id]) {
        if (--waiting[user] == 0) ready.push(user);
      }
    }
  }
  if (order.size() < nodes.size()) return cycle_error(graph, waiting);

  std::vector<Node> sorted;
  sorted.reserve(nodes.size());
  for (const std::size_t i : order) sorted.push_back(std::move(nodes[i]));
  nodes = std::move(sorted);
  for (Tensor& tensor : graph.tensors) {
    if (tensor.producer >= 0)
      tensor.producer = static_cast<int>(place[static_cast<std::size_t>(tensor.producer)]);
  }
  for (auto& users : graph.users) {
    for (std::size_t& user : users) user = place[user];
    std::sort(users.begin(), users.end());
  }
  return std::nullopt;
}

}  // namespace nestor::io::onnx_import
