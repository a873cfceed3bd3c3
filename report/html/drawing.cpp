#include "report/html/drawing.h"

#include <fmt/format.h>

#include "report/html/markup.h"

namespace nestor::report::html {
namespace {

std::string tip_element(std::string_view tip) { return tip.empty() ? "" : text_element("title", {}, tip); }

}  // namespace

std::string pixels(double length) { return fmt::format("{:.5g}", length); }

std::string share(double part) { return fmt::format("{:.5g}%", 100 * part); }

Drawing::Drawing(double width, double height)
    : size_(fmt::format(R"(viewBox="0 0 {0} {1}" width="{0}" height="{1}")", width, height)) {}

Drawing::Drawing(double height) : size_(fmt::format(R"(width="100%" height="{}")", height)) {}

void Drawing::rectangle(const Box& box, std::string_view style, std::string_view tip) {
  content_ += element("rect",
                      {{"class", std::string(style)},
                       {"x", box.x},
                       {"y", box.y},
                       {"width", box.width},
                       {"height", box.height}},
                      tip_element(tip));
}

void Drawing::line(const std::string& x1, const std::string& y1, const std::string& x2, const std::string& y2,
                   std::string_view style) {
  content_ +=
      element("line", {{"class", std::string(style)}, {"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}}, "");
}

void Drawing::text(const std::string& x, const std::string& y, std::string_view style,
                   std::string_view text) {
  content_ += text_element("text", {{"class", std::string(style)}, {"x", x}, {"y", y}}, text);
}

void Drawing::point(const std::string& x, const std::string& y, std::string_view style,
                    std::string_view tip) {
  has_points_ = true;
  content_ += element("circle",
                      {{"class", std::string(style)},
                       {"cx", x},
                       {"cy", y},
                       {"r", "5"},
                       {"tabindex", "0"},
                       {"role", "img"},
                       {"aria-label", std::string(tip)}},
                      tip_element(tip));
}

void Drawing::curve(std::string_view points, std::string_view style, std::string_view tip, const Box& place) {
  content_ += element("svg",
                      {{"class", "curves"},
                       {"viewBox", "0 0 1000 1000"},
                       {"x", place.x},
                       {"y", place.y},
                       {"width", place.width},
                       {"height", place.height},
                       {"preserveAspectRatio", "none"}},
                      element("polyline", {{"class", std::string(style)}, {"points", std::string(points)}},
                              tip_element(tip)));
}

std::string Drawing::finish(std::string_view label) const {
  if (label.empty()) return fmt::format(R"(<svg {} aria-hidden="true">{}</svg>)", size_, content_);
  return fmt::format(R"(<svg {} role="{}" aria-label="{}">{}</svg>)", size_, has_points_ ? "group" : "img",
                     escaped(label), content_);
}

}  // namespace nestor::report::html
