// An SVG picture made of rectangles, lines, circles and text. Colours are classes of the page's style sheet,
// so that a picture adapts to light and dark themes. Lengths are SVG lengths: numbers are pixels, and shares
// of the width keep text undistorted when a picture is stretched.
#pragma once

#include <string>
#include <string_view>

namespace nestor::report::html {

/// Returns a length in pixels.
std::string pixels(double length);
/// Returns a share of the picture's width or height, as "12.5%".
std::string share(double part);

struct Box {
  std::string x;
  std::string y;
  std::string width;
  std::string height;
};

class Drawing {
 public:
  /// A picture of a fixed size that shrinks on a narrow page.
  Drawing(double width, double height);
  /// A picture with the full width of its container.
  explicit Drawing(double height);

  /// Adds a shape. `tip`, if not empty, is shown when the pointer is over the shape.
  void rectangle(const Box& box, std::string_view style, std::string_view tip = {});
  void line(const std::string& x1, const std::string& y1, const std::string& x2, const std::string& y2,
            std::string_view style);
  void text(const std::string& x, const std::string& y, std::string_view style, std::string_view text);
  /// Adds a point that can receive the keyboard focus and then shows its tip.
  void point(const std::string& x, const std::string& y, std::string_view style, std::string_view tip);
  /// Adds a line through points. Their coordinates are shares of the width and height of `place` in per
  /// mille.
  void curve(std::string_view points, std::string_view style, std::string_view tip,
             const Box& place = {"0", "0", "100%", "100%"});

  /// Returns the picture. `label` describes its content for people who cannot see it. Without a label, the
  /// picture is decoration beside a text, and screen readers skip it.
  std::string finish(std::string_view label) const;

 private:
  std::string size_;
  bool has_points_ = false;
  std::string content_;
};

}  // namespace nestor::report::html
