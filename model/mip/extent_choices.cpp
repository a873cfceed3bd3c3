// One-hot choices over enumerated extents, which express products of factors in linear form (Eqs. 6 to 8 and
// 10).
#include <fmt/format.h>

#include <algorithm>

#include "model/mip/nest_program.h"

namespace nestor::mip {

Sum NestProgram::in_slot(std::size_t slot, std::size_t dim, std::size_t k) const {
  Sum count;
  for (const LoopChoice& choice : loops_[slot])
    if (choice.dim == dim && lattices_[dim].nodes()[choice.node].count[k] != 0)
      count.add(choice.column, lattices_[dim].nodes()[choice.node].count[k]);
  return count;
}

Sum NestProgram::on_axes(std::size_t axis, std::size_t dim, std::size_t k) const {
  Sum count;
  for (std::size_t a = axis; a < axes_.size(); ++a)
    for (const AxisChoice& choice : axes_[a]) {
      const auto times = lattices_[dim].nodes()[choice.node[dim]].count[k];
      if (times != 0) count.add(choice.column, times);
    }
  return count;
}

// Returns X^M: the number of occurrences of a factor in the content of a memory, as a sum over the slots of
// products of two columns.
Sum NestProgram::in_content(Operand operand, std::size_t memory, std::size_t dim, std::size_t k) {
  const std::array<std::size_t, 4> key = {index_of(operand), memory, dim, k};
  const auto found =
      std::find_if(contents_.begin(), contents_.end(), [&](const auto& c) { return c.first == key; });
  if (found != contents_.end()) return Sum(found->second);
  const auto most = static_cast<double>(lattices_[dim].factors().factors[k].count);
  const auto label = fmt::format("{}_{}_{}{}", letter(operand), memory, letter(static_cast<Dim>(dim)),
                                 lattices_[dim].factors().factors[k].value);
  const auto known = known_ ? known_->content(lattices_, operand, memory, dim)[k] : 0;
  const Meaning meaning{.symbol = "X^M",
                        .dim = static_cast<int>(dim),
                        .operand = static_cast<int>(index_of(operand)),
                        .memory = static_cast<int>(memory),
                        .factor = lattices_[dim].factors().factors[k].value};
  const Index content =
      program_.add({.name = "XM_" + label, .upper = most, .meaning = meaning}, static_cast<double>(known));
  Sum sum;
  for (std::size_t i = 0; i < slots_; ++i) {
    const Sum there = in_slot(i, dim, k);
    const Sum in = inside(i, operand, memory);
    Meaning part = meaning;
    part.slot = static_cast<int>(i);
    const double value = program_.known_value(there) * program_.known_value(in);
    const Index both =
        program_.add({.name = fmt::format("XM_s{}_{}", i, label), .upper = most, .meaning = part}, value);
    program_.row(fmt::format("eq3a_s{}_{}", i, label), Sum(both), Sense::at_most, in * most);
    program_.row(fmt::format("eq3b_s{}_{}", i, label), Sum(both), Sense::at_most, there);
    program_.row(fmt::format("eq3c_s{}_{}", i, label), Sum(both), Sense::at_least, there + (in - 1) * most);
    sum.add(both, 1);
  }
  program_.row("eq6_" + label, Sum(content), Sense::equal, sum);
  contents_.emplace_back(key, content);
  return Sum(content);
}

namespace {

// Returns all combinations of nodes of the given dimensions.
std::vector<std::vector<std::size_t>> combinations(const Lattices& lattices,
                                                   const std::vector<std::size_t>& dims) {
  std::vector<std::vector<std::size_t>> all = {{}};
  for (const std::size_t d : dims) {
    std::vector<std::vector<std::size_t>> longer;
    for (std::size_t n = 0; n < lattices[d].nodes().size(); ++n)
      for (const auto& nodes : all) {
        longer.push_back(nodes);
        longer.back().push_back(n);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::size_t> divisible_dims(const Lattices& lattices, DimSet set) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (set.contains(static_cast<Dim>(d)) && lattices[d].nodes().size() > 1) dims.push_back(d);
  return dims;
}

}  // namespace

void NestProgram::tie(const ExtentQuery& query, const std::vector<std::size_t>& dims,
                      const std::vector<std::vector<std::size_t>>& nodes,
                      const std::vector<ExtentChoice>& choices,
                      const std::function<Sum(std::size_t, std::size_t)>& counts) {
  Sum one;
  for (const ExtentChoice& choice : choices) one.add(choice.column, 1);
  program_.row(query.name + "_one", one, Sense::equal, query.selected);
  const bool always = query.selected.empty();
  for (std::size_t j = 0; j < dims.size(); ++j)
    for (std::size_t k = 0; k < lattices_[dims[j]].factors().factors.size(); ++k) {
      const auto& factor = lattices_[dims[j]].factors().factors[k];
      const auto label = fmt::format("{}_{}{}", query.name, letter(static_cast<Dim>(dims[j])), factor.value);
      Sum chosen;
      for (std::size_t c = 0; c < choices.size(); ++c)
        if (const auto times = lattices_[dims[j]].nodes()[nodes[c][j]].count[k]; times != 0)
          chosen.add(choices[c].column, times);
      const Sum actual = counts(dims[j], k);
      if (always) {
        program_.row(label, chosen, Sense::equal, actual);
        continue;
      }
      program_.row(label + "_a", chosen, Sense::at_most, actual);
      program_.row(label + "_b", chosen, Sense::at_least, actual + (query.selected - 1) * factor.count);
    }
}

std::vector<ExtentChoice> NestProgram::choose_extents(const ExtentQuery& query) {
  const auto dims = divisible_dims(lattices_, query.dims);
  std::vector<std::size_t> known(dims.size());
  if (known_)
    for (std::size_t j = 0; j < dims.size(); ++j) {
      FactorCounts counts = known_->below(lattices_, query.axis, dims[j]);
      const FactorCounts beyond = known_->below(lattices_, query.axis_end, dims[j]);
      for (std::size_t k = 0; k < counts.size(); ++k)
        counts[k] = static_cast<std::uint16_t>(counts[k] - beyond[k]);
      if (query.memory != ExtentQuery::no_memory) {
        const FactorCounts inside = known_->content(lattices_, query.operand, query.memory, dims[j]);
        for (std::size_t k = 0; k < counts.size(); ++k)
          counts[k] = static_cast<std::uint16_t>(counts[k] + inside[k]);
      }
      known[j] = lattices_[dims[j]].find(counts);
    }
  const bool is_made = known_ && program_.known_value(query.selected) > 0.5;
  std::vector<ExtentChoice> choices;
  std::vector<std::vector<std::size_t>> nodes;
  for (const auto& combination : combinations(lattices_, dims)) {
    Extents extents = unit_extents;
    for (std::size_t j = 0; j < dims.size(); ++j)
      extents[dims[j]] = lattices_[dims[j]].nodes()[combination[j]].value;
    for (std::size_t variant = 0; variant < query.variants; ++variant) {
      if (query.allows && !query.allows(extents, variant)) continue;
      Meaning meaning = query.meaning;
      meaning.extents = extents;
      if (query.figure) meaning.figure = query.figure(extents, variant);
      const bool is_known = is_made && combination == known && variant == query.known_variant;
      const auto name = fmt::format("{}_{}", query.name, choices.size());
      const Index column =
          program_.add({.name = name, .upper = 1, .integer = true, .meaning = meaning}, is_known);
      choices.push_back({extents, variant, column});
      nodes.push_back(combination);
    }
  }
  tie(query, dims, nodes, choices, [&](std::size_t d, std::size_t k) {
    Sum count = on_axes(query.axis, d, k) - on_axes(query.axis_end, d, k);
    if (query.memory != ExtentQuery::no_memory) count += in_content(query.operand, query.memory, d, k);
    return count;
  });
  return choices;
}

std::vector<ExtentChoice> NestProgram::choose_outside(const std::string& name, const Meaning& meaning,
                                                      DimSet dims, Operand operand, std::size_t memory) {
  const auto divisible = divisible_dims(lattices_, dims);
  std::vector<std::size_t> known(divisible.size());
  if (known_)
    for (std::size_t j = 0; j < divisible.size(); ++j) {
      FactorCounts counts = lattices_[divisible[j]].nodes().back().count;
      const FactorCounts below = known_->below(lattices_, 0, divisible[j]);
      const FactorCounts inside = known_->content(lattices_, operand, memory, divisible[j]);
      for (std::size_t k = 0; k < counts.size(); ++k)
        counts[k] = static_cast<std::uint16_t>(counts[k] - below[k] - inside[k]);
      known[j] = lattices_[divisible[j]].find(counts);
    }
  ExtentQuery query{.name = name, .meaning = meaning};
  const auto nodes = combinations(lattices_, divisible);
  std::vector<ExtentChoice> choices;
  for (const auto& combination : nodes) {
    Extents extents = unit_extents;
    for (std::size_t j = 0; j < divisible.size(); ++j)
      extents[divisible[j]] = lattices_[divisible[j]].nodes()[combination[j]].value;
    Meaning of_choice = meaning;
    of_choice.extents = extents;
    of_choice.figure = product_of<double>(extents);
    choices.push_back({extents, 0,
                       program_.add({.name = fmt::format("{}_{}", name, choices.size()),
                                     .upper = 1,
                                     .integer = true,
                                     .meaning = of_choice},
                                    known_ && combination == known)});
  }
  tie(query, divisible, nodes, choices, [&](std::size_t d, std::size_t k) {
    return Sum(static_cast<double>(lattices_[d].factors().factors[k].count)) - on_axes(0, d, k) -
           in_content(operand, memory, d, k);
  });
  return choices;
}

Sum total(const Program& program, const std::vector<ExtentChoice>& choices) {
  Sum total;
  for (const ExtentChoice& choice : choices) {
    const double figure = program.columns()[choice.column].meaning.figure;
    if (figure != 0) total.add(choice.column, figure);
  }
  return total;
}

}  // namespace nestor::mip
