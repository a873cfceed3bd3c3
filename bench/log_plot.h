// Log-log plot of lines or dots as SVG, for figures that benchmarks write beside their data.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace nestor::bench {

struct PlotLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// A plot whose axes span whole decades: x from 10^x_low to 10^x_high, and y likewise. In a line plot, points
/// below the y range are drawn on the x axis.
class LogPlot {
 public:
  LogPlot(int x_low, int x_high, int y_low, int y_high)
      : x_low_(x_low), x_high_(x_high), y_low_(y_low), y_high_(y_high) {}

  std::string svg(const std::string& x_title, const std::string& y_title,
                  const std::vector<PlotLine>& lines) const {
    return draw(x_title, y_title, lines, false);
  }

  /// Draws a dot for every point, and the diagonal.
  std::string scatter(const std::string& x_title, const std::string& y_title,
                      const std::vector<PlotLine>& clouds) const {
    return draw(x_title, y_title, clouds, true);
  }

 private:
  std::string draw(const std::string& x_title, const std::string& y_title, const std::vector<PlotLine>& lines,
                   bool dots) const {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"640\" height=\"420\" fill=\"white\"/>\n");
    for (int decade = x_low_; decade <= x_high_; ++decade)
      text += grid(x(decade), y(y_low_), x(decade), y(y_high_), x(decade), y(y_low_) + 18, "middle", decade);
    for (int decade = y_low_; decade <= y_high_; ++decade)
      text += grid(x(x_low_), y(decade), x(x_high_), y(decade), x(x_low_) - 6, y(decade) + 4, "end", decade);
    text += fmt::format("<text x=\"340\" y=\"410\" text-anchor=\"middle\">{}</text>\n", x_title);
    text += fmt::format(
        "<text x=\"16\" y=\"200\" text-anchor=\"middle\" transform=\"rotate(-90 16 200)\">{}</text>\n",
        y_title);
    if (dots)
      text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#999\"/>\n",
                          x(x_low_), y(x_low_), x(x_high_), y(x_high_));
    constexpr std::array<const char*, 4> colours = {"#1b6ca8", "#c8553d", "#3d8361", "#7d5ba6"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const char* colour = colours[i % colours.size()];
      std::string path;
      if (dots)
        for (const auto& [px, py] : lines[i].points)
          text +=
              fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.6\"/>\n",
                          x(std::log10(px)), y(std::log10(py)), colour);
      for (const auto& [px, py] : lines[i].points)
        path += fmt::format("{:.1f},{:.1f} ", x(std::log10(px)),
                            y(std::max(std::log10(py), static_cast<double>(y_low_))));
      if (!dots)
        text += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                            path, colour);
      text +=
          fmt::format("<text x=\"90\" y=\"{}\" fill=\"{}\">{}</text>\n", 40 + 18 * i, colour, lines[i].name);
    }
    return text + "</svg>\n";
  }

  double x(double decade) const { return 70 + 540 * (decade - x_low_) / (x_high_ - x_low_); }
  double y(double decade) const { return 370 - 350 * (decade - y_low_) / (y_high_ - y_low_); }
  static std::string grid(double x1, double y1, double x2, double y2, double text_x, double text_y,
                          const char* anchor, int decade) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">1e{}</text>\n",
        x1, y1, x2, y2, text_x, text_y, anchor, decade);
  }

  int x_low_, x_high_, y_low_, y_high_;
};

}  // namespace nestor::bench
