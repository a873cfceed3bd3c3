#include "model/cnm/program.h"

#include <algorithm>

namespace nestor::cnm {
namespace {

std::optional<Int> scaled(Int a, Int b) {
  const auto product = checked_multiply(a, b);
  if (!product || *product > max_count) return std::nullopt;
  return product;
}

bool holds_request(const Program& program) {
  return std::any_of(program.begin(), program.end(),
                     [](const Item& item) { return item.kind != ItemKind::slots; });
}

bool append(Program& into, Item item) {
  if (item.kind == ItemKind::slots) {
    if (item.amount == 0) return true;
    if (!into.empty() && into.back().kind == ItemKind::slots) {
      into.back().amount += item.amount;
      return into.back().amount <= max_count;
    }
  }
  into.push_back(std::move(item));
  return true;
}

std::optional<Program> simplify_at(const Program& program, std::size_t depth) {
  if (depth > max_depth) return std::nullopt;
  Program result;
  for (const Item& item : program) {
    if (item.amount < 0 || item.amount > max_count) return std::nullopt;
    if (item.kind != ItemKind::loop) {
      if (!append(result, item)) return std::nullopt;
      continue;
    }
    if (item.amount == 0) continue;
    auto body = simplify_at(item.body, depth + 1);
    if (!body) return std::nullopt;
    if (body->empty()) continue;
    if (holds_request(*body)) {
      result.push_back(loop(item.amount, std::move(*body)));
    } else {
      const auto total = scaled(body->front().amount, item.amount);
      if (!total || !append(result, slots(*total))) return std::nullopt;
    }
  }
  return result;
}

void flatten_into(const Program& program, FlatProgram& flat, std::uint32_t depth) {
  for (const Item& item : program) {
    if (item.kind != ItemKind::loop) {
      flat.steps.push_back({item.kind, item.amount, 0, 0, depth});
      continue;
    }
    const auto number = static_cast<std::uint32_t>(flat.trips.size());
    flat.trips.push_back(item.amount);
    const auto start = static_cast<std::uint32_t>(flat.steps.size());
    flatten_into(item.body, flat, depth + 1);
    flat.steps.push_back({ItemKind::loop, item.amount, start, number, depth});
  }
}

bool add(Int& sum, Int times, Int amount) {
  const auto product = scaled(times, amount);
  if (!product) return false;
  sum += *product;
  return sum <= max_count;
}

bool count_into(const Program& program, Int times, Totals& totals) {
  for (const Item& item : program) {
    bool fits = true;
    switch (item.kind) {
      case ItemKind::slots:
        fits = add(totals.slots, times, item.amount);
        break;
      case ItemKind::read:
        fits = add(totals.transfers, times, 1) && add(totals.bytes_read, times, item.amount);
        break;
      case ItemKind::write:
        fits = add(totals.transfers, times, 1) && add(totals.bytes_written, times, item.amount);
        break;
      case ItemKind::barrier:
        fits = add(totals.barriers, times, 1);
        break;
      case ItemKind::loop: {
        const auto inner = scaled(times, item.amount);
        fits = inner && (*inner == 0 || count_into(item.body, *inner, totals));
        break;
      }
      case ItemKind::leave:
        break;
    }
    if (!fits) return false;
  }
  return true;
}

}  // namespace

std::optional<Program> simplify(const Program& program) { return simplify_at(program, 0); }

FlatProgram flatten(const Program& simplified) {
  FlatProgram flat;
  flatten_into(simplified, flat, 0);
  return flat;
}

std::optional<Totals> count(const Program& program) {
  Totals totals;
  if (!count_into(program, 1, totals)) return std::nullopt;
  return totals;
}

}  // namespace nestor::cnm
