// vector.hpp — pages as PDF, or one as SVG, for a canvas to draw on.
// PDF  text stays text, with font subsets embedded.  SVG  letters are outlines, which look alike everywhere; over them lies the
//      same text unseen, to be selected, searched and read aloud.
// The same calls give the same bytes: neither contains a date or a counter.
// No .tex: Cairo writes no PGF. LaTeX's svg package or Inkscape's --export-latex sets the text of an SVG.
#pragma once

#include "app/canvas/vector/vector.hpp"

#include <memory>
#include <string>

namespace posiscope::exporting {

enum class VectorFormat { pdf, svg };

struct VectorHead {
    VectorFormat format = VectorFormat::pdf;
    double width = 0.0, height = 0.0;  // points, 1/96 inch
    double scale = 1.0;                // of the drawing
    double dpi = 300.0;                // of heatmaps
    std::string title;
    std::shared_ptr<const ui::Typeface> typeface{};  // null: ours
};

class VectorPage {
public:
    explicit VectorPage(const VectorHead& head);
    ~VectorPage();
    VectorPage(const VectorPage&) = delete;
    VectorPage& operator=(const VectorPage&) = delete;

    canvas::Canvas& canvas();
    // Begins a new page. PDF only.
    void next_page();
    // Between these, what is drawn has its origin there and is drawn so many times as large.
    void push_origin(Point at, double scale = 1.0);
    void pop_origin();
    std::string finish();  // the file's bytes; nothing can be drawn after it

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace posiscope::exporting
