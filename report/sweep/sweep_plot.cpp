#include "report/sweep/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "io/checked_reader.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

constexpr double width = 720;
constexpr double height = 440;
constexpr double left = 90;
constexpr double right = 220;  // space for the legend
constexpr double top_margin = 40;
constexpr double bottom = 60;
constexpr std::size_t most_series = 40;
// The palette of Okabe and Ito, which people with red-green colour blindness can distinguish.
constexpr std::array<std::string_view, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#000000", "#b8a800"};

std::string markup_of(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20)
      safe += ' ';
    else
      safe += c;
  }
  return safe;
}

std::string short_text(std::string_view text) {
  constexpr std::size_t longest = 34;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

bool is_figure(std::string_view name) {
  return std::find(sweep_figures.begin(), sweep_figures.end(), name) != sweep_figures.end();
}

std::string_view unit_of(std::string_view figure) {
  if (figure == "latency") return "latency (cycles)";
  if (figure == "energy") return "energy (pJ)";
  if (figure == "edp") return "EDP (pJ*cycles)";
  return "area (mm2)";
}

/// Returns the value of a parameter or an option in a row, or its machine or network.
std::string plotted_value(const SweepRow& row, const std::string& name) {
  if (name == "machine") return row.machine;
  if (name == "network") return row.network;
  for (const auto* map : {&row.parameters, &row.run})
    if (const auto found = map->find(name); found != map->end())
      return found->is_string() ? found->get<std::string>() : found->dump();
  return {};
}

/// Returns the number at the start of a value, multiplied by its binary unit.
std::optional<double> number_of(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789+-.eE"), text.size());
  const auto number = io::to_number(text.substr(0, end));
  if (!number) return std::nullopt;
  for (const auto& [unit, factor] :
       {std::pair<std::string_view, double>{"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}})
    if (text.substr(end).ends_with(unit)) return *number * factor;
  return number;
}

/// Returns the values of a parameter, sorted as numbers if all are numbers, or else in order of appearance.
std::vector<std::string> values_of(std::span<const SweepRow> rows, const std::string& name) {
  std::vector<std::string> values;
  bool numbers = true;
  for (const auto& row : rows) {
    const auto value = plotted_value(row, name);
    if (value.empty() || std::find(values.begin(), values.end(), value) != values.end()) continue;
    values.push_back(value);
    numbers = numbers && number_of(value);
  }
  if (numbers)
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return *number_of(a) < *number_of(b); });
  return values;
}

struct Scale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  double at(double value, double from, double to) const {
    const auto f = [&](double x) { return logarithmic ? std::log10(x) : x; };
    const double span = f(high) - f(low);
    return from + (to - from) * (span > 0 ? (f(value) - f(low)) / span : 0.5);
  }
};

Scale scale_of(const std::vector<double>& values) {
  constexpr double wide = 20;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  Scale scale{*low, *high, *low > 0 && *high / *low > wide};
  if (!scale.logarithmic) scale.low = std::min(0.0, scale.low);
  if (scale.high <= scale.low) scale.high = scale.low + 1;
  return scale;
}

class SweepPicture {
 public:
  explicit SweepPicture(std::string_view title) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "class=\"plot\" role=\"img\" aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"11\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height, markup_of(title));
    words(width / 2, 20, title, "middle", "font-size=\"14\"");
  }
  void words(double x, double y, std::string_view words, std::string_view anchor,
             std::string_view style = "") {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor,
                         style, markup_of(words));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double stroke = 1) {
    text_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
        x1, y1, x2, y2, colour, stroke);
  }
  void box(double x, double y, double w, double h, std::string_view fill) {
    text_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                         x, y, w, h, fill);
  }
  void dot(double x, double y, std::string_view fill, std::string_view title, double radius = 3.5) {
    text_ +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n",
                    x, y, radius, fill, markup_of(title));
  }
  void frame(std::string_view x_label, std::string_view y_label) {
    line(left, top_margin, left, height - bottom, "#444");
    line(left, height - bottom, width - right, height - bottom, "#444");
    words((left + width - right) / 2, height - 15, x_label, "middle");
    words(15, (top_margin + height - bottom) / 2, y_label, "middle",
          fmt::format("transform=\"rotate(-90 15 {:.1f})\"", (top_margin + height - bottom) / 2));
  }
  void ticks_on_y_axis(const Scale& scale) {
    constexpr int ticks = 5;
    for (int i = 0; i <= ticks; ++i) {
      const double share = static_cast<double>(i) / ticks;
      const double value =
          scale.logarithmic ? std::pow(10, std::log10(scale.low) + share * std::log10(scale.high / scale.low))
                            : scale.low + share * (scale.high - scale.low);
      const double y = scale.at(value, height - bottom, top_margin);
      line(left - 4, y, left, y, "#444");
      words(left - 7, y + 4, fmt::format("{:.3g}", value), "end");
    }
  }
  void legend(std::size_t place, std::string_view colour, std::string_view name) {
    const double y = top_margin + 16 * static_cast<double>(place);
    box(width - right + 12, y - 8, 10, 10, colour);
    words(width - right + 27, y + 1, short_text(name), "start", "font-size=\"10\"");
  }
  std::string take() { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

bool is_word(std::string_view value) { return std::isalpha(static_cast<unsigned char>(value.front())) != 0; }

std::string base_of(const SweepRow& row) { return row.machine.substr(0, row.machine.find(' ')); }

/// Names for series of rows. A name consists of all values that differ between rows and are not on an axis.
class SeriesNames {
 public:
  SeriesNames(std::span<const SweepRow> rows, std::span<const std::string> drawn) {
    const auto differs = [&](const auto& text_of) {
      return std::any_of(rows.begin(), rows.end(),
                         [&](const SweepRow& row) { return text_of(row) != text_of(rows.front()); });
    };
    const auto is_drawn = [&](const std::string& name) {
      return std::find(drawn.begin(), drawn.end(), name) != drawn.end();
    };
    with_machine_ = !is_drawn("machine") && differs(base_of);
    std::set<std::string> names;
    for (const auto& row : rows)
      for (const auto* map : {&row.parameters, &row.run})
        for (const auto& [name, value] : map->items()) names.insert(name);
    for (const auto& name : names)
      if (!is_drawn(name) && differs([&](const SweepRow& row) { return plotted_value(row, name); }))
        names_.push_back(name);
    with_network_ = !is_drawn("network") && (differs([](const SweepRow& row) { return row.network; }) ||
                                             (!with_machine_ && names_.empty()));
  }
  std::string of(const SweepRow& row) const {
    std::vector<std::string> parts;
    if (with_network_) parts.push_back(row.network);
    if (with_machine_) parts.push_back(base_of(row));
    for (const auto& name : names_)
      if (const auto value = plotted_value(row, name); !value.empty())
        parts.push_back(is_word(value) ? value
                                       : fmt::format("{}={}", name.substr(name.rfind('.') + 1), value));
    if (!row.layer.empty()) parts.push_back(row.layer);
    return fmt::format("{}", fmt::join(parts, " "));
  }

 private:
  bool with_network_ = false, with_machine_ = false;
  std::vector<std::string> names_;
};

using Series = std::map<std::string, std::vector<const SweepRow*>>;

Series all_series(std::span<const SweepRow> rows, std::span<const std::string> drawn,
                  const std::string& figure) {
  const SeriesNames names(rows, drawn);
  Series series;
  for (const auto& row : rows)
    if (row.figure(figure)) series[names.of(row)].push_back(&row);
  return series;
}

io::Error nothing(const std::string& figure) {
  return io::usage_error(fmt::format("--plot: no row of the plan has the figure {}", figure));
}

io::Result<std::string> lines(std::string_view title, std::span<const SweepRow> rows,
                              const std::vector<std::string>& axes) {
  const auto& parameter = axes[0];
  const auto& figure = axes[1];
  const auto values = values_of(rows, parameter);
  const auto series = all_series(rows, std::span(axes).first(1), figure);
  std::vector<double> figures;
  for (const auto& [name, points] : series)
    for (const auto* row : points) figures.push_back(*row->figure(figure));
  if (figures.empty()) return nothing(figure);
  const auto scale = scale_of(figures);
  SweepPicture picture(title);
  picture.frame(parameter, unit_of(figure));
  picture.ticks_on_y_axis(scale);
  const auto x_of = [&](std::size_t place) {
    return left +
           (static_cast<double>(place) + 0.5) * (width - left - right) / static_cast<double>(values.size());
  };
  for (std::size_t i = 0; i < values.size(); ++i)
    picture.words(x_of(i), height - bottom + 16, values[i], "middle");
  std::size_t place = 0;
  for (const auto& [name, points] : series) {
    if (place == most_series) break;
    const auto colour = colours[place % colours.size()];
    std::vector<std::pair<double, double>> line;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const auto* row : points)
        if (plotted_value(*row, parameter) == values[i]) {
          line.emplace_back(x_of(i), scale.at(*row->figure(figure), height - bottom, top_margin));
          picture.dot(line.back().first, line.back().second, colour,
                      fmt::format("{} {}: {:.6g}", row->machine, row->network, *row->figure(figure)));
        }
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      picture.line(line[i].first, line[i].second, line[i + 1].first, line[i + 1].second, colour, 1.5);
    picture.legend(place++, colour, name);
  }
  return picture.take();
}

io::Result<std::string> heat_map(std::string_view title, std::span<const SweepRow> rows,
                                 const std::vector<std::string>& axes) {
  const auto columns = values_of(rows, axes[0]);
  const auto lines = values_of(rows, axes[1]);
  const auto& figure = axes[2];
  const auto series = all_series(rows, std::span(axes).first(2), figure);
  if (series.empty()) return nothing(figure);
  const auto& [name, points] = *series.begin();
  std::vector<double> figures;
  for (const auto* row : points) figures.push_back(*row->figure(figure));
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
  SweepPicture picture(fmt::format("{}: {}{}{}", title, figure, name.empty() ? "" : " of ", name));
  picture.frame(axes[0], axes[1]);
  const double w = (width - left - right) / static_cast<double>(columns.size());
  const double h = (height - top_margin - bottom) / static_cast<double>(lines.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    picture.words(left + (static_cast<double>(c) + 0.5) * w, height - bottom + 16, columns[c], "middle");
  for (std::size_t l = 0; l < lines.size(); ++l)
    picture.words(left - 7, height - bottom - (static_cast<double>(l) + 0.5) * h + 4, lines[l], "end");
  for (const auto* row : points) {
    const auto c = std::find(columns.begin(), columns.end(), plotted_value(*row, axes[0])) - columns.begin();
    const auto l = std::find(lines.begin(), lines.end(), plotted_value(*row, axes[1])) - lines.begin();
    const double value = *row->figure(figure);
    const double share = *most > *least ? (value - *least) / (*most - *least) : 0;
    const int green = static_cast<int>(240 - 170 * share);
    const double x = left + static_cast<double>(c) * w;
    const double y = height - bottom - (static_cast<double>(l) + 1) * h;
    picture.box(x, y, w - 1, h - 1,
                fmt::format("rgb({},{},{})", static_cast<int>(240 - 235 * share), green, 250));
    picture.words(x + w / 2, y + h / 2 + 4, fmt::format("{:.3g}", value), "middle",
                  share > 0.6 ? "fill=\"white\"" : "");
  }
  if (series.size() > 1)
    picture.words(width - right + 12, top_margin, fmt::format("(the first of {} series)", series.size()),
                  "start");
  return picture.take();
}

io::Result<std::string> figures_plot(std::string_view title, std::span<const SweepRow> rows,
                                     const std::vector<std::string>& axes) {
  std::vector<SweepRow> marked(rows.begin(), rows.end());
  mark_pareto(marked, axes);
  std::vector<double> xs;
  std::vector<double> ys;
  for (const auto& row : marked)
    if (row.figure(axes[0]) && row.figure(axes[1])) {
      xs.push_back(*row.figure(axes[0]));
      ys.push_back(*row.figure(axes[1]));
    }
  if (xs.empty()) return nothing(axes[0]);
  const auto across = scale_of(xs);
  const auto up = scale_of(ys);
  SweepPicture picture(title);
  picture.frame(unit_of(axes[0]), unit_of(axes[1]));
  picture.ticks_on_y_axis(up);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double value = across.logarithmic ? across.low * std::pow(across.high / across.low, share)
                                            : across.low + share * (across.high - across.low);
    picture.words(across.at(value, left, width - right), height - bottom + 16, fmt::format("{:.3g}", value),
                  "middle");
  }
  std::map<std::string, std::size_t> networks;
  for (const auto& row : marked) {
    if (!row.figure(axes[0]) || !row.figure(axes[1])) continue;
    const auto place = networks.try_emplace(row.network, networks.size()).first->second;
    const auto colour = colours[place % colours.size()];
    picture.dot(across.at(*row.figure(axes[0]), left, width - right),
                up.at(*row.figure(axes[1]), height - bottom, top_margin), row.is_pareto ? colour : "#bbbbbb",
                fmt::format("{} {}", row.machine, row.network), row.is_pareto ? 5 : 3);
  }
  for (const auto& [name, place] : networks)
    if (place < most_series) picture.legend(place, colours[place % colours.size()], name + ", Pareto front");
  return picture.take();
}

}  // namespace

std::vector<std::string> varying_parameters(std::span<const SweepRow> rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    for (const auto* map : {&row.parameters, &row.run})
      for (const auto& [name, value] : map->items())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::erase_if(names, [&](const auto& name) { return values_of(rows, name).size() < 2; });
  if (names.empty()) names.emplace_back("machine");
  return names;
}

io::Result<std::string> sweep_plot(std::string_view title, std::span<const SweepRow> rows,
                                   std::vector<std::string> axes) {
  if (axes.empty()) {
    axes = varying_parameters(rows);
    if (axes.size() > 2) axes.resize(2);
    axes.emplace_back("edp");
  }
  if (axes.size() < 2 || axes.size() > 3 || !is_figure(axes.back()))
    return io::usage_error(
        "--axes: expected one or two parameters and then a figure (latency, energy, edp or area), or two "
        "figures");
  const bool two_figures = axes.size() == 2 && is_figure(axes[0]);
  for (std::size_t i = 0; i + 1 < axes.size() && !two_figures; ++i)
    if (values_of(rows, axes[i]).empty())
      return io::usage_error(fmt::format("--axes: no row of the plan has {}", io::quote(axes[i])));
  if (two_figures) return figures_plot(title, rows, axes);
  return axes.size() == 2 ? lines(title, rows, axes) : heat_map(title, rows, axes);
}

}  // namespace nestor::report
