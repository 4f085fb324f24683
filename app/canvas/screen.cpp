#include "app/canvas/screen.hpp"

#include <cstring>
#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::canvas {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }

const ImVec2* vecs(std::span<const Point> points) {
    static_assert(sizeof(Point) == sizeof(ImVec2));
    return reinterpret_cast<const ImVec2*>(points.data());
}

const char* end(std::string_view text) { return text.data() + text.size(); }

// A draw callback runs after the frame was recorded: what it needs is copied into the draw list.
struct ClockCall {
    gl::ClockLayer* layer;
    const gl::Clock* clocks;
    std::size_t count;
    gl::ClockStyle style;
    gl::Projection projection;
};

void draw_clocks(const ImDrawList*, const ImDrawCmd* command) {
    ClockCall call;
    std::memcpy(&call, command->UserCallbackData, sizeof call);
    const ImVec4 clip = command->ClipRect;
    call.projection.clip_x0 = clip.x, call.projection.clip_y0 = clip.y, call.projection.clip_x1 = clip.z,
    call.projection.clip_y1 = clip.w;
    call.layer->draw({call.clocks, call.count}, call.style, call.projection);
}

}  // namespace

void Screen::begin(ImDrawList& list, float pixels_per_point, Rect seen) {
    list_ = &list;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    seen_ = seen.empty() ? Rect{0.0F, 0.0F, display.x, display.y} : seen;
    scale_ = pixels_per_point;
    list._FringeScale = 1.0F / pixels_per_point;  // anti-aliasing one device pixel wide at every scale
}

float Screen::snapped(float v) const { return std::round(v * scale_) / scale_; }

void Screen::fill(Rect r, Colour colour, float rounding) {
    list_->AddRectFilled({snapped(r.x0), snapped(r.y0)}, {snapped(r.x1), snapped(r.y1)}, colour, rounding);
}

void Screen::polyline(std::span<const Point> points, Stroke stroke, bool closed) {
    if (points.size() < 2) return;
    if (stroke.dash <= 0.0F) {
        // ImGui thins a line where it turns sharply: there one line ends and the next begins.
        std::size_t begin = 0;
        for (std::size_t i = 1; !closed && i + 1 < points.size(); ++i) {
            const Point in = points[i] - points[i - 1], out = points[i + 1] - points[i];
            if (in.x * out.x + in.y * out.y > 0.5F * length(in) * length(out)) continue;
            list_->AddPolyline(vecs(points) + begin, static_cast<int>(i - begin) + 1, stroke.colour,
                               ImDrawFlags_None, stroke.width);
            begin = i;
        }
        list_->AddPolyline(vecs(points) + begin, static_cast<int>(points.size() - begin), stroke.colour,
                           closed ? ImDrawFlags_Closed : ImDrawFlags_None, stroke.width);
        return;
    }
    // Dashes run on around the corners, so that a dashed curve looks like one.
    float left = stroke.dash;
    bool pen = true;
    dashes_.assign(1, points[0]);
    const std::size_t segments = closed ? points.size() : points.size() - 1;
    const auto flush = [&] {
        if (pen && dashes_.size() > 1)
            list_->AddPolyline(vecs(dashes_), static_cast<int>(dashes_.size()), stroke.colour,
                               ImDrawFlags_None, stroke.width);
    };
    for (std::size_t i = 0; i < segments; ++i) {
        Point a = points[i];
        const Point b = points[(i + 1) % points.size()];
        for (float rest = length(b - a); rest > 0.0F;) {
            const float step = std::min(left, rest);
            a = a + (step / rest) * (b - a);
            rest -= step;
            left -= step;
            dashes_.push_back(a);
            if (left > 1e-4F) continue;
            flush();
            pen = !pen;
            left = stroke.dash;
            dashes_.assign(1, a);
        }
    }
    flush();
}

void Screen::polygon(std::span<const Point> points, Colour colour) {
    list_->AddConvexPolyFilled(vecs(points), static_cast<int>(points.size()), colour);
}

void Screen::disc(Point centre, float radius, Colour colour) {
    list_->AddCircleFilled(vec(centre), radius, colour);
}

void Screen::circle(Point centre, float radius, Stroke stroke) {
    list_->AddCircle(vec(centre), radius, stroke.colour, radius > 40.0F ? 128 : 0, stroke.width);
}

void Screen::text(Point at, std::string_view text, TextStyle style) {
    if (text.empty()) return;
    ImFont* const font = fonts_[static_cast<std::size_t>(style.face)];
    if (style.align != Align::left) {
        const float width = text_width(text, style.face, style.size);
        at.x -= style.align == Align::centre ? 0.5F * width : width;
    }
    const float ascent = font->GetFontBaked(style.size)->Ascent;
    list_->AddText(font, style.size, {snapped(at.x), snapped(at.y - ascent)}, style.colour, text.data(),
                   end(text));
}

float Screen::text_width(std::string_view text, Face face, float size) const {
    if (text.empty()) return 0.0F;
    return fonts_[static_cast<std::size_t>(face)]->CalcTextSizeA(size, 1e9F, 0.0F, text.data(), end(text)).x;
}

void Screen::push_clip(Rect r) { list_->PushClipRect({r.x0, r.y0}, {r.x1, r.y1}, true); }
void Screen::pop_clip() { list_->PopClipRect(); }

// Of a picture drawn in bands only the rows in this one: a texture need not be as high as the picture. Diagonals are
// given for the whole heatmap, and then all of it is drawn.
bool Screen::cut_to_seen(Rect& r, gl::MatrixView& view) const {
    if (r.y1 <= seen_.y0 || r.y0 >= seen_.y1) return false;
    if (view.field == gl::Field::toeplitz) return true;
    const int above = std::max(0, static_cast<int>(std::lround((seen_.y0 - r.y0) * scale_))),
              below = std::max(0, static_cast<int>(std::lround((r.y1 - seen_.y1) * scale_)));
    if (above + below <= 0 || above + below >= view.height) return above + below <= 0;
    const gl::Range rows = view.rows;
    const double row = rows.length() / view.height;
    view.rows.first = rows.first + row * above;
    view.rows.last = rows.last - row * below;
    view.height -= above + below;
    r.y0 += static_cast<float>(above) / scale_;
    r.y1 -= static_cast<float>(below) / scale_;
    return true;
}

void Screen::matrix(int slot, Rect rect, gl::MatrixView view) {
    if (layers_ == nullptr) return;
    Rect r{snapped(rect.x0), snapped(rect.y0), snapped(rect.x1), snapped(rect.y1)};
    if (view.field != gl::Field::samples) {
        view.width = std::max(1, static_cast<int>(std::lround(r.width() * scale_)));
        view.height = std::max(1, static_cast<int>(std::lround(r.height() * scale_)));
        if (!cut_to_seen(r, view)) return;
    }
    const auto texture = static_cast<ImTextureID>(layers_->matrix.draw(static_cast<std::size_t>(slot), view));
    list_->AddImage(texture, {r.x0, r.y0}, {r.x1, r.y1});
}

void Screen::clocks(std::span<const gl::Clock> clocks, const gl::ClockStyle& style) {
    if (layers_ == nullptr || clocks.empty()) return;
    ClockCall call{&layers_->clocks, clocks.data(), clocks.size(), style, {}};
    call.projection.left = seen_.x0;
    call.projection.top = seen_.y0;
    call.projection.width = seen_.width();
    call.projection.height = seen_.height();
    call.projection.pixels_per_point = scale_;
    list_->AddCallback(draw_clocks, &call, sizeof call);
    list_->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

}  // namespace posiscope::canvas
