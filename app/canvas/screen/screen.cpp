#include "app/canvas/screen/screen.hpp"

#include "app/ui/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <imgui.h>
#include <limits>

namespace posiscope::canvas {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }

const ImVec2* vecs(std::span<const Point> points) {
    static_assert(sizeof(Point) == sizeof(ImVec2));
    return reinterpret_cast<const ImVec2*>(points.data());
}

constexpr float kLargeFill = 128.0F * 128.0F;  // pixels

// On whole pixels. What is thinner than one could fall between two: it is one.
Rect on_pixels(Rect rect, float scale) {
    const auto whole = [&](float v) { return std::round(v * scale); };
    const float x0 = whole(rect.x0), y0 = whole(rect.y0), x1 = whole(rect.x1), y1 = whole(rect.y1);
    return {x0 / scale, y0 / scale, (rect.x1 > rect.x0 ? std::max(x1, x0 + 1.0F) : x1) / scale,
            (rect.y1 > rect.y0 ? std::max(y1, y0 + 1.0F) : y1) / scale};
}

// A draw callback runs after the frame was recorded: all that it draws from is copied into the draw list, so that two
// lists with the same bytes draw the same picture.
struct ClockCall {
    ClockLayer* layer;
    ClockStyle style;
    gl::Projection projection;
};

struct FillCall {
    gl::PlainColours* plain;
    gl::Projection projection;
    Colour colour;
};

struct HeatmapCall {
    const HeatmapLayer* layer;
    std::uint64_t key;
    std::uint64_t version;  // of the picture
    gl::Projection projection;
    int x, y;  // its upper left corner, px from that of the framebuffer
    int first_width, second,
        last_width;  // the columns that show it; of blocks, those before and after the gap
    int height;
};

struct LensCall {
    LensLayer* layer;
    int x, y, width, height;
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
    call.plain->fill(call.projection, call.colour);
}

// Copied, part by part, and cut to the clip rectangle by hand: under a scissor a software renderer draws instead, which
// takes fifty times as long.
void draw_heatmap(const ImDrawList*, const ImDrawCmd* command) {
    const auto call = call_of<HeatmapCall>(command);
    const gl::Framebuffer& picture = call.layer->picture(static_cast<std::size_t>(call.key));
    const bool window = call.layer->target() == Target::window;
    const gl::PixelRect clip = gl::clip_of(call.projection);
    const int top =
        static_cast<int>(std::lround(call.projection.height * call.projection.pixels_per_point)) - call.y;
    glDisable(GL_SCISSOR_TEST);
    const auto copy = [&](int from, int width) {
        const int left = call.x + from;
        const int x0 = std::max(left, clip.x0), x1 = std::min(left + width, clip.x1),
                  y0 = std::max(top - call.height, clip.y0), y1 = std::min(top, clip.y1);
        if (x1 <= x0 || y1 <= y0) return;
        picture.copy({x0 - call.x, window ? top - y1 : y0 - (top - call.height), x1 - x0, y1 - y0}, x0, y0,
                     window);
    };
    copy(0, call.first_width);
    copy(call.second, call.last_width);
    glEnable(GL_SCISSOR_TEST);
}

// Draws nothing: its data tells one list from another.
void note(const ImDrawList*, const ImDrawCmd*) {}

void copy_for_lens(const ImDrawList*, const ImDrawCmd* command) {
    LensCall call{};
    std::memcpy(&call, command->UserCallbackData, sizeof call);
    call.layer->copy(call.x, call.y, call.width, call.height);
}

void draw_clocks(const ImDrawList*, const ImDrawCmd* command) {
    const auto call = call_of<ClockCall>(command);
    const auto* bytes = static_cast<const std::byte*>(command->UserCallbackData) + sizeof call;
    const std::size_t count =
        (static_cast<std::size_t>(command->UserCallbackDataSize) - sizeof call) / sizeof(Clock);
    static_assert(sizeof(ClockCall) % alignof(Clock) == 0);
    call.layer->draw({reinterpret_cast<const Clock*>(bytes), count}, call.style, call.projection);
}

}  // namespace

Result<Layers> Layers::create(Target target) {
    auto clocks = ClockLayer::create();
    if (!clocks) return tl::unexpected(std::move(clocks.error()));
    const auto pixels = target == Target::window ? gl::PixelFormat::window : gl::PixelFormat::rgba8;
    return Layers{HeatmapLayer(target), std::move(*clocks), gl::PlainColours(pixels)};
}

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
    Rect r = on_pixels(rect, scale_);
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
    FillCall call{};
    call.plain = &layers_->plain;
    call.projection = projection();
    call.projection.clip_x0 = r.x0, call.projection.clip_y0 = r.y0;
    call.projection.clip_x1 = r.x1, call.projection.clip_y1 = r.y1;
    call.colour = colour;
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

void Screen::lens(Point centre, float radius, float factor) {
    if (layers_ == nullptr) return;
    const float half = radius / factor;
    const Rect all = seen_;
    if (all.width() <= 2.0F * half || all.height() <= 2.0F * half) return;
    const float height = all.height() * scale_;
    const int size = std::max(1, static_cast<int>(std::lround(2.0F * half * scale_)));
    // At an edge it shows what is beside the point rather than what is not there.
    const float x = std::clamp(centre.x - half, all.x0, all.x1 - 2.0F * half),
                y = std::clamp(centre.y - half, all.y0, all.y1 - 2.0F * half);
    LensCall call{&layers_->lens, static_cast<int>(std::lround((x - all.x0) * scale_)),
                  static_cast<int>(std::lround(height - (y - all.y0) * scale_)) - size, size, size};
    list_->AddCallback(copy_for_lens, &call, sizeof call);
    list_->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    list_->AddImageRounded(static_cast<ImTextureID>(layers_->lens.texture()),
                           {centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius},
                           {0.0F, 1.0F}, {1.0F, 0.0F}, ImGui::GetColorU32(ImVec4(1, 1, 1, 1)), radius);
}

void Screen::polygon(std::span<const Point> points, Colour colour) {
    list_->AddConvexPolyFilled(vecs(points), static_cast<int>(points.size()), colour);
}

void Screen::disc(Point centre, float radius, Colour colour) {
    list_->AddCircleFilled(vec(centre), radius, colour);
}

void Screen::circle(Point centre, float radius, Stroke stroke) {
    stroke.width *= line_weight_;
    // Two triangles a piece; ImGui has six.
    std::array<Point, 128> around;
    const auto pieces = std::clamp<std::size_t>(static_cast<std::size_t>(4.0F * std::sqrt(radius * scale_)),
                                                12, around.size());
    for (std::size_t i = 0; i < pieces; ++i)
        around[i] = on_circle(centre, radius - 0.5F, static_cast<double>(i) / static_cast<double>(pieces));
    strip(std::span(around).first(pieces), stroke, true);
}

void Screen::text(Point at, std::string_view text, TextStyle style) {
    // ImGui counts pixels in whole numbers: what a zoom put a million points away cannot be seen anyway.
    if (text.empty() || !(std::abs(at.x) < 1e6F && std::abs(at.y) < 1e6F)) return;
    ImFont* const font = fonts_[static_cast<std::size_t>(style.face)];
    if (style.align != Align::left) {
        const float width = text_width(text, style.face, style.size);
        at.x -= style.align == Align::centre ? 0.5F * width : width;
    }
    ui::draw_text(*list_, *font, {at, style.size, style.colour, scale_}, text);
}

float Screen::text_width(std::string_view text, Face face, float size) const {
    return ui::text_width(*fonts_[static_cast<std::size_t>(face)], size, text);
}

void Screen::push_clip(Rect r) { list_->PushClipRect({r.x0, r.y0}, {r.x1, r.y1}, true); }
void Screen::pop_clip() { list_->PopClipRect(); }

// In a picture drawn in bands, keeps only the rows in this band: a texture need not be as high as the picture. Diagonals
// are given for the whole heatmap, so all of them is drawn.
bool Screen::cut_to_seen(Rect& r, Heatmap& heatmap) const {
    if (r.y1 <= seen_.y0 || r.y0 >= seen_.y1) return false;
    HeatmapView& view = heatmap.view;
    if (view.field == Field::toeplitz) return true;
    int& height = view.field == Field::samples ? heatmap.high : view.height;
    const int above = std::max(0, static_cast<int>(std::lround((seen_.y0 - r.y0) * scale_))),
              below = std::max(0, static_cast<int>(std::lround((r.y1 - seen_.y1) * scale_)));
    if (above + below <= 0 || above + below >= height) return above + below <= 0;
    if (view.field == Field::samples) {
        heatmap.above = above, heatmap.below = below;
    } else {
        const Range rows = view.rows;
        const double row = rows.length() / height;
        view.rows.first = rows.first + row * above;
        view.rows.last = rows.last - row * below;
    }
    height -= above + below;
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
    const int wide = std::max(1, static_cast<int>(std::lround(r.width() * scale_))),
              high = std::max(1, static_cast<int>(std::lround(r.height() * scale_)));
    if (view.field == Field::samples) heatmap.wide = wide, heatmap.high = high;
    else view.width = wide, view.height = high;
    if (!cut_to_seen(r, heatmap)) return;
    const HeatmapLayer::Picture picture = layers_->heatmaps.draw(static_cast<std::size_t>(key), heatmap);
    const int width = picture.pixels->width(), height = picture.pixels->height();
    const bool blocks = view.blocks && view.field == Field::components;  // between them there is nothing
    const Blocks parts = blocks ? block_layout(view) : Blocks{width, width};
    const auto pixel = [&](float v, float origin) {
        return static_cast<int>(std::lround((v - origin) * scale_));
    };
    if (width == pixel(r.x1, r.x0) && height == pixel(r.y1, r.y0)) {
        HeatmapCall call{};
        call.layer = &layers_->heatmaps;
        call.key = static_cast<std::uint64_t>(key);
        call.version = picture.version;
        call.projection = projection();
        call.x = pixel(r.x0, seen_.x0);
        call.y = pixel(r.y0, seen_.y0);
        call.first_width = parts.width;
        call.second = parts.second;
        call.last_width = width - parts.second;
        call.height = height;
        list_->AddCallback(draw_heatmap, &call, sizeof call);
        return;
    }
    // Only a heatmap larger than a texture is left to a textured rectangle: in tiles of 64 pixels that are inside one, Mesa's
    // llvmpipe shows texture coordinates without blending, and with it, in some, nothing.
    const bool top_first = layers_->heatmaps.target() == Target::window;
    std::uint64_t version =
        picture.version;  // in the list, so that a list with another picture is another list
    list_->AddCallback(note, &version, sizeof version);
    list_->AddImage(static_cast<ImTextureID>(picture.pixels->texture().name()), {r.x0, r.y0}, {r.x1, r.y1},
                    {0.0F, top_first ? 0.0F : 1.0F}, {1.0F, top_first ? 1.0F : 0.0F});
}

void Screen::clocks(std::span<const Clock> clocks, const ClockStyle& style) {
    if (layers_ == nullptr || clocks.empty()) return;
    clock_bytes_.resize(sizeof(ClockCall) + clocks.size_bytes());
    ClockCall call{};
    call.layer = &layers_->clocks;
    call.style = style;
    call.projection = projection();
    std::memcpy(clock_bytes_.data(), &call, sizeof call);
    std::memcpy(clock_bytes_.data() + sizeof call, clocks.data(), clocks.size_bytes());
    list_->AddCallback(draw_clocks, clock_bytes_.data(), clock_bytes_.size());
    list_->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

unsigned LensLayer::texture() {
    if (!texture_) {
        texture_ = gl::Texture::create();
        GLint before = 0;
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
        glBindTexture(GL_TEXTURE_2D, texture_.name());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    }
    return texture_.name();
}

void LensLayer::copy(int x, int y, int width, int height) {
    glBindTexture(GL_TEXTURE_2D, texture());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, x, y, width, height, 0);
}

}  // namespace posiscope::canvas
