#include "app/canvas/screen/screen.hpp"

#include <cstring>
#include <imgui.h>
#include <imgui_internal.h>
#include <limits>

namespace posiscope::canvas {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }

const ImVec2* vecs(std::span<const Point> points) {
    static_assert(sizeof(Point) == sizeof(ImVec2));
    return reinterpret_cast<const ImVec2*>(points.data());
}

constexpr float kLargeFill = 128.0F * 128.0F;  // pixels

const char* end(std::string_view text) { return text.data() + text.size(); }

// A draw callback runs after the frame was recorded: what it needs is copied into the draw list.
struct ClockCall {
    ClockLayer* layer;
    const Clock* clocks;
    std::size_t count;
    ClockStyle style;
    gl::Projection projection;
};

struct FillCall {
    Colour colour;
    gl::Projection projection;
};

void clip(gl::Projection& projection, const ImDrawCmd& command) {
    projection.clip_x0 = std::max(projection.clip_x0, command.ClipRect.x);
    projection.clip_y0 = std::max(projection.clip_y0, command.ClipRect.y);
    projection.clip_x1 = std::min(projection.clip_x1, command.ClipRect.z);
    projection.clip_y1 = std::min(projection.clip_y1, command.ClipRect.w);
}

template <class Call>
Call call_of(const ImDrawCmd* command) {
    Call call;
    std::memcpy(&call, command->UserCallbackData, sizeof call);
    clip(call.projection, *command);
    return call;
}

void draw_fill(const ImDrawList*, const ImDrawCmd* command) {
    const auto call = call_of<FillCall>(command);
    gl::fill(call.projection, call.colour);
}

// An opaque image costs less without blending.
void without_blending(const ImDrawList*, const ImDrawCmd*) { glDisable(GL_BLEND); }
void with_blending(const ImDrawList*, const ImDrawCmd*) { glEnable(GL_BLEND); }

void draw_clocks(const ImDrawList*, const ImDrawCmd* command) {
    const auto call = call_of<ClockCall>(command);
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

gl::Projection Screen::projection() const {
    gl::Projection seen;
    seen.left = seen_.x0;
    seen.top = seen_.y0;
    seen.width = seen_.width();
    seen.height = seen_.height();
    seen.pixels_per_point = scale_;
    return seen;
}

// Blending is the largest cost on a software renderer: a large opaque area is cleared instead, except for the rows of its
// round corners.
void Screen::fill(Rect rect, Colour colour, float rounding) {
    Rect r{snapped(rect.x0), snapped(rect.y0), snapped(rect.x1), snapped(rect.y1)};
    const bool large =
        r.width() * scale_ * r.height() * scale_ >= kLargeFill && r.height() > 2.0F * rounding + 4.0F;
    if (layers_ == nullptr || !large || (colour >> 24) != 0xffU) {
        list_->AddRectFilled(vec(r.min()), {r.x1, r.y1}, colour, rounding);
        return;
    }
    if (rounding > 0.0F) {
        const float end = snapped(rounding + 1.0F);
        const Rect top = r.cut_top(end), bottom = r.cut_bottom(end);
        list_->AddRectFilled(vec(top.min()), {top.x1, top.y1}, colour, rounding, ImDrawFlags_RoundCornersTop);
        list_->AddRectFilled(vec(bottom.min()), {bottom.x1, bottom.y1}, colour, rounding,
                             ImDrawFlags_RoundCornersBottom);
    }
    FillCall call{colour, projection()};
    call.projection.clip_x0 = r.x0, call.projection.clip_y0 = r.y0;
    call.projection.clip_x1 = r.x1, call.projection.clip_y1 = r.y1;
    list_->AddCallback(draw_fill, &call, sizeof call);
}

void Screen::card(Rect r, Colour colour, Colour border, float rounding) {
    // The border is one point wide: nothing is painted twice but its corners.
    const float end = rounding + 1.0F;
    for (const Rect part : {Rect{r.x0, r.y0, r.x1, r.y0 + end}, Rect{r.x0, r.y1 - end, r.x1, r.y1}}) {
        const auto corners = part.y0 == r.y0 ? ImDrawFlags_RoundCornersTop : ImDrawFlags_RoundCornersBottom;
        list_->AddRectFilled({snapped(part.x0), snapped(part.y0)}, {snapped(part.x1), snapped(part.y1)},
                             border, rounding, corners);
    }
    fill({r.x0, r.y0 + end, r.x0 + 1.0F, r.y1 - end}, border, 0.0F);
    fill({r.x1 - 1.0F, r.y0 + end, r.x1, r.y1 - end}, border, 0.0F);
    fill(r.grown(-1.0F), colour, rounding - 1.0F);
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
    // ImGui counts pixels in whole numbers: what a zoom put a million points away cannot be seen anyway.
    if (text.empty() || !(std::abs(at.x) < 1e6F && std::abs(at.y) < 1e6F)) return;
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
bool Screen::cut_to_seen(Rect& r, HeatmapView& view) const {
    if (r.y1 <= seen_.y0 || r.y0 >= seen_.y1) return false;
    if (view.field == Field::toeplitz) return true;
    const int above = std::max(0, static_cast<int>(std::lround((seen_.y0 - r.y0) * scale_))),
              below = std::max(0, static_cast<int>(std::lround((r.y1 - seen_.y1) * scale_)));
    if (above + below <= 0 || above + below >= view.height) return above + below <= 0;
    const Range rows = view.rows;
    const double row = rows.length() / view.height;
    view.rows.first = rows.first + row * above;
    view.rows.last = rows.last - row * below;
    view.height -= above + below;
    r.y0 += static_cast<float>(above) / scale_;
    r.y1 -= static_cast<float>(below) / scale_;
    return true;
}

int Screen::most_samples() const {
    return layers_ != nullptr ? layers_->heatmaps.largest_size() : std::numeric_limits<int>::max();
}

void Screen::heatmap(int key, Rect rect, const Heatmap& asked) {
    if (layers_ == nullptr) return;
    Heatmap heatmap = asked;
    HeatmapView& view = heatmap.view;
    Rect r{snapped(rect.x0), snapped(rect.y0), snapped(rect.x1), snapped(rect.y1)};
    if (view.field != Field::samples) {
        view.width = std::max(1, static_cast<int>(std::lround(r.width() * scale_)));
        view.height = std::max(1, static_cast<int>(std::lround(r.height() * scale_)));
        if (!cut_to_seen(r, view)) return;
    }
    const auto texture =
        static_cast<ImTextureID>(layers_->heatmaps.draw(static_cast<std::size_t>(key), heatmap));
    const auto part = [&](float from, float to) {  // of the width, in parts of it
        list_->AddImage(texture, {r.x0 + from * r.width(), r.y0}, {r.x0 + to * r.width(), r.y1}, {from, 0.0F},
                        {to, 1.0F});
    };
    list_->AddCallback(without_blending, nullptr);
    if (view.blocks && view.field == Field::components) {
        const Blocks blocks = block_layout(view);  // between them there is nothing
        const auto width = static_cast<float>(std::max(view.width, 1));
        part(0.0F, static_cast<float>(blocks.width) / width);
        part(static_cast<float>(blocks.second) / width, static_cast<float>(view.width) / width);
    } else {
        part(0.0F, 1.0F);
    }
    list_->AddCallback(with_blending, nullptr);
}

void Screen::clocks(std::span<const Clock> clocks, const ClockStyle& style) {
    if (layers_ == nullptr || clocks.empty()) return;
    ClockCall call{&layers_->clocks, clocks.data(), clocks.size(), style, projection()};
    list_->AddCallback(draw_clocks, &call, sizeof call);
    list_->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

}  // namespace posiscope::canvas
