// An SVG picture put together from rectangles, lines, circles and text. Colours are classes of the page's
// style sheet, so that a picture follows light and dark. Lengths are SVG lengths: numbers are pixels, and
// shares of the width keep text undistorted where a picture is stretched.
#pragma once

#include <string>
#include <string_view>

namespace nestor::report::html {

/// A length in pixels.
std::string pixels(double length);
/// A share of the picture's width or height, as "12.5%".
std::string share(double part);

struct Box {
  std::string x;
  std::string y;
  std::string width;
  std::string height;
};

class Drawing {
 public:
  /// A picture of a fixed size, which shrinks with a narrow page.
  Drawing(double width, double height);
  /// A picture that is as wide as its place.
  explicit Drawing(double height);

  /// `tip`, if not empty, is shown when the pointer rests on the shape.
  void rectangle(const Box& box, std::string_view style, std::string_view tip = {});
  void line(const std::string& x1, const std::string& y1, const std::string& x2, const std::string& y2,
            std::string_view style);
  void text(const std::string& x, const std::string& y, std::string_view style, std::string_view text);
  /// A point that takes the keyboard's focus, and then shows its tip.
  void point(const std::string& x, const std::string& y, std::string_view style, std::string_view tip);
  /// A line through points whose coordinates are shares of the picture's width and height, in per mille.
  void curve(std::string_view points, std::string_view style, std::string_view tip);

  /// The picture; `label` says what it shows to those who cannot see it.
  std::string finish(std::string_view label) const;

 private:
  std::string size_;
  bool has_points_ = false;
  std::string content_;
};

}  // namespace nestor::report::html
