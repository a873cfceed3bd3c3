#include "report/chip/schedule_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/chip/operator_timing.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::count_text;

constexpr int label_width = 170;
constexpr int plot_width = 800;
constexpr int lane_height = 14;
constexpr int usage_height = 120;
constexpr int top_border = 24;
constexpr int gap = 30;  ///< space between the bars and the graph of crossbars
constexpr const char* array_colour = "#1b6ca8";
constexpr const char* alu_colour = "#8fa3ad";
constexpr const char* rewrite_colour = "#c8553d";

std::string label_of(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '&')
      text += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20)
      text += '?';
    else
      text += c;
  }
  return text;
}

class SchedulePicture {
 public:
  SchedulePicture(const chip::ChipProblem& problem, const chip::Decisions& decisions)
      : problem_(problem), decisions_(decisions), evaluation_(chip::evaluate(problem, decisions, times_)) {}

  std::string draw() {
    const int bars = static_cast<int>(problem_.size()) * lane_height;
    const int height = top_border + bars + gap + usage_height + gap;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
        "font-size=\"10\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        label_width + plot_width + 20, height);
    text_ += fmt::format("<text x=\"{}\" y=\"15\" font-size=\"12\">{} on {}: {} cycles</text>\n", label_width,
                         label_of(problem_.network.name), label_of(problem_.machine.name),
                         count_text(evaluation_.latency_cycles));
    used_.assign(plot_width, 0);
    Int begin = 0;
    for (const auto& segment : evaluation_.segments) {
      rewriting(segment, begin);
      for (std::size_t i = segment.decision.first; i <= segment.decision.last; ++i)
        bars_of(i, begin + segment.rewrite_cycles);
      begin += segment.latency_cycles;
    }
    usage(top_border + bars + gap);
    return text_ + "</svg>\n";
  }

 private:
  double x(Int time) const {
    const auto whole = static_cast<double>(std::max<Int>(1, evaluation_.latency_cycles));
    return label_width + static_cast<double>(time) / whole * plot_width;
  }
  int column(Int time) const {
    return std::clamp(static_cast<int>(x(time)) - label_width, 0, plot_width - 1);
  }

  void rect(double left, double right, int y, int height, const char* colour) {
    text_ += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", left,
                         y, std::max(0.4, right - left), height, colour);
  }

  // Weights are written before a segment runs. Data that does not fit L0 leaves the chip, and returns after
  // the segment.
  void rewriting(const chip::SegmentFigures& segment, Int begin) {
    const auto lanes = static_cast<int>(segment.decision.last - segment.decision.first + 1);
    const int y = top_border + static_cast<int>(segment.decision.first) * lane_height;
    const auto stretch = [&](Int from, Int cycles) {
      if (cycles > 0) rect(x(from), x(from + cycles), y, lanes * lane_height, rewrite_colour);
    };
    stretch(begin, segment.rewrite_cycles);
    stretch(begin + segment.latency_cycles - segment.spill_cycles, segment.spill_cycles);
  }

  // Draws rows as one bar if the gaps between them are at most half a pixel.
  void bars_of(std::size_t i, Int begin) {
    const auto pace = chip::timing_of(problem_, i, decisions_.operators[i], decisions_.levels);
    const int y = top_border + static_cast<int>(i) * lane_height;
    text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", label_width - 6,
                         y + lane_height - 4, label_of(problem_.network.operators[i].name));
    const auto& rows = times_[i];
    const char* colour = pace.on_array ? array_colour : alu_colour;
    Int from = begin + rows.front().start;
    Int to = from;
    const auto stretch = [&](Int first, Int last) {
      if (x(begin + first) > x(to) + 0.5) {
        bar(from, to, y, colour, pace.active);
        from = begin + first;
      }
      to = std::max(to, begin + last);
    };
    for (const auto& row : rows) {
      if (row.run == row.start) {
        stretch(row.start, row.end);
        continue;
      }
      // In a stream, a row has two parts: its first step, and the others.
      stretch(row.start, row.start + ceil_divide(pace.row, pace.steps()));
      stretch(row.run + pace.row / pace.steps(), row.end);
    }
    bar(from, to, y, colour, pace.active);
  }

  void bar(Int from, Int to, int y, const char* colour, Int active) {
    rect(x(from), x(to), y + 2, lane_height - 4, colour);
    if (active == 0 || from == to) return;
    for (int at = column(from); at <= column(to - 1); ++at) used_[static_cast<std::size_t>(at)] += active;
  }

  void usage(int y) {
    const Int most = std::max<Int>(1, *std::max_element(used_.begin(), used_.end()));
    const int floor = y + usage_height;
    text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">crossbars in use</text>\n",
                         label_width - 6, y + 10);
    text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", label_width - 6, y + 24,
                         count_text(most));
    text_ += fmt::format("<path fill=\"{}\" d=\"M{} {}", array_colour, label_width, floor);
    for (int at = 0; at < plot_width; ++at) {
      const Int used = used_[static_cast<std::size_t>(at)];
      const double height = static_cast<double>(used) / static_cast<double>(most) * usage_height;
      text_ += fmt::format("V{:.1f}H{}", floor - height, label_width + at + 1);
    }
    text_ += fmt::format("V{}Z\"/>\n<text x=\"{}\" y=\"{}\">0</text>\n", floor, label_width, floor + 14);
    text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} cycles</text>\n",
                         label_width + plot_width, floor + 14, count_text(evaluation_.latency_cycles));
  }

  const chip::ChipProblem& problem_;
  const chip::Decisions& decisions_;
  chip::Timetable times_;
  chip::ChipEvaluation evaluation_;
  std::vector<Int> used_;  ///< crossbars in use per pixel column
  std::string text_;
};

}  // namespace

std::string schedule_picture(const chip::ChipProblem& problem, const chip::Decisions& decisions) {
  return SchedulePicture(problem, decisions).draw();
}

}  // namespace nestor::report
