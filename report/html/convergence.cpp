// Convergence of a layer's search in the HTML report: the objective of each incumbent, and the bound proved
// by then, over time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/html/drawing.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"

namespace nestor::report::html {
namespace {

using io::Json;

struct Step {
  double seconds = 0;
  double objective = 0;
  std::optional<double> bound;
  std::string tip;
};

std::vector<Step> steps_of(const Json& incumbents) {
  std::vector<Step> steps;
  for (const auto& incumbent : incumbents) {
    const auto seconds = number_of(at(incumbent, key::seconds));
    const auto objective = number_of(at(incumbent, key::objective));
    if (!seconds || !objective || *seconds < 0) continue;
    auto tip = fmt::format("{} s: objective {}", figure_text(at(incumbent, key::seconds), Style::plain),
                           figure_text(at(incumbent, key::objective), Style::count));
    if (const auto nodes = figure_text(at(incumbent, key::nodes), Style::count); !nodes.empty())
      tip += fmt::format(", {} nodes", nodes);
    steps.push_back({*seconds, *objective, number_of(at(incumbent, key::lower_bound)), std::move(tip)});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
  return steps;
}

// The axes of a plot: seconds, logarithmic if they differ much, and the objective. Places are shares of the
// plot's width and height.
class Axes {
 public:
  Axes(const std::vector<Step>& steps, double end, std::optional<double> bound)
      : begin_(steps.front().seconds), end_(std::max(end, steps.back().seconds)) {
    low_ = high_ = steps.front().objective;
    const auto include = [&](double value) {
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    };
    for (const auto& step : steps) {
      include(step.objective);
      if (step.bound) include(*step.bound);
    }
    if (bound) include(*bound);
    constexpr double much = 20;
    logarithmic_ = begin_ > 0 && end_ / begin_ > much;
    if (!logarithmic_) begin_ = 0;
  }
  double x(double seconds) const {
    if (end_ <= begin_) return 0;
    return logarithmic_ ? std::log(seconds / begin_) / std::log(end_ / begin_)
                        : (seconds - begin_) / (end_ - begin_);
  }
  double y(double value) const { return high_ > low_ ? (high_ - value) / (high_ - low_) : 0.5; }
  double begin() const { return begin_; }
  double end() const { return end_; }
  double low() const { return low_; }
  double high() const { return high_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  double begin_;
  double end_;
  double low_ = 0;
  double high_ = 0;
  bool logarithmic_ = false;
};

std::string at_corner(double x, double y) { return fmt::format("{:.1f},{:.1f} ", 1000 * x, 1000 * y); }

// Returns the corners of a step curve that keeps each value until the next one.
template <typename ValueOf>
std::string stairs(const std::vector<Step>& steps, const Axes& axes, ValueOf value_of) {
  std::string points;
  std::optional<double> before;
  for (const auto& step : steps) {
    const auto value = value_of(step);
    if (!value) continue;
    if (before) points += at_corner(axes.x(step.seconds), axes.y(*before));
    points += at_corner(axes.x(step.seconds), axes.y(*value));
    before = value;
  }
  return before ? points + at_corner(1, axes.y(*before)) : "";
}

constexpr std::size_t most_steps = 500;

std::string plot(const std::vector<Step>& steps, double end, std::optional<double> bound) {
  constexpr double width = 600;
  constexpr double height = 150;
  constexpr double top = 22;
  constexpr double left = 8;
  constexpr double right = width - 8;
  const Axes axes(steps, end, bound);
  Drawing drawing(width, height + top + 24);
  const auto bottom = pixels(top + height + 3);
  const Box place{pixels(left), pixels(top), pixels(right - left), pixels(height)};
  drawing.line(pixels(left), bottom, pixels(right), bottom, "axis-line");
  if (bound) {
    const double y = top + height * axes.y(*bound);
    drawing.line(pixels(left), pixels(y), pixels(right), pixels(y), "limit dashed");
  }
  const auto bounds = stairs(steps, axes, [](const Step& step) { return step.bound; });
  if (!bounds.empty()) drawing.curve(bounds, "curve s2", "lower bound proved by then", place);
  drawing.curve(stairs(steps, axes, [](const Step& step) { return std::optional(step.objective); }),
                "curve s0", "objective of the best mapping", place);
  for (const auto& step : steps)
    drawing.point(pixels(left + (right - left) * axes.x(step.seconds)),
                  pixels(top + height * axes.y(step.objective)), "front", step.tip);
  const auto text = [](double value) { return figure_text(Json(value), Style::count); };
  drawing.text("0", "12", "note",
               fmt::format("objective and bounds: {} to {}", text(axes.low()), text(axes.high())));
  const auto under = pixels(top + height + 19);
  drawing.text(pixels(left), under, "note", figure_text(Json(axes.begin()), Style::plain) + " s");
  drawing.text(pixels(right), under, "note end",
               fmt::format("{}{} s", axes.logarithmic() ? "logarithmic, to " : "",
                           figure_text(Json(axes.end()), Style::plain)));
  return drawing.finish("Objective of the incumbents over seconds; the table contains the figures");
}

}  // namespace

std::string convergence_part(const Json& layer) {
  const auto& search = at(layer, key::search);
  const auto& incumbents = at(search, key::incumbents);
  if (!incumbents.is_array() || incumbents.empty()) return "";
  HtmlTable table("Incumbents", {{"found", false}, {"seconds"}, {"objective"}, {"nodes"}, {"lower bound"}});
  std::size_t number = 0;
  for (const auto& incumbent : incumbents)
    table.add_row({fmt::format("{}", ++number), figure(at(incumbent, key::seconds), Style::plain),
                   figure(at(incumbent, key::objective), Style::count),
                   figure(at(incumbent, key::nodes), Style::count),
                   figure(at(incumbent, key::lower_bound), Style::count)});
  auto steps = steps_of(incumbents);
  if (steps.empty()) return table.to_string();
  if (steps.size() > most_steps) steps.erase(steps.begin(), steps.end() - most_steps);
  const auto bound = number_of(at(layer, key::lower_bound));
  const bool has_bounds =
      std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.bound.has_value(); });
  return with_caption(plot(steps, number_of(at(search, key::seconds)).value_or(0), bound),
                      fmt::format("Blue: objective of the best mapping over seconds{}{}",
                                  has_bounds ? "; green: lower bound proved by then" : "",
                                  bound ? "; dashed: final lower bound" : "")) +
         table.to_string();
}

}  // namespace nestor::report::html
