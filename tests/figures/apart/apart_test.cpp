// Every figure and mode, for every encoding and in both languages, at eight sizes: no text lies on another one, on a handle or
// on a heatmap, and none is cut off, as measured with the faces of files; and from 640 × 400 on there is a picture with its
// headline and at least three numbers on each of its axes. Every kEvery-th case is drawn, so that each figure,
// mode, encoding, language and size meets many of the others.
#include "app/figures/parts/headline.hpp"
#include "app/workbench/tiles.hpp"
#include "core/measure/reference.hpp"
#include "core/positions/positions.hpp"

#include "tests/figures/hand.hpp"
#include "tests/sanitized.hpp"

#include <map>

namespace posiscope::test::apart_test {
namespace {

// The first is a tile of a window of 1000 × 760, the fourth the largest of the opening window.
constexpr std::array<Point, 8> kSizes = {Point{312, 330}, {320, 240},  {640, 400},   {424, 676},
                                         {800, 1280},     {1280, 800}, {2560, 1440}, {3840, 2160}};
const std::size_t kEvery = kSanitized ? 61 : one_in(3);

// The worked example, made narrow; few pairs far out, where numbers are long; words; all that can be switched on, of seeded
// rows.
const std::array<Json, 4>& partial_scenes() {
    static const std::array<Json, 4> scenes = {
        Json{{"d_model", 64}, {"num_heads", 2}, {"pair", 3}},
        Json{{"d_model", 8},
             {"num_heads", 1},
             {"pair", 1},
             {"length", 100000},
             {"position", 77777},
             {"offset", -4321}},
        Json{{"d_model", 32},
             {"num_heads", 2},
             {"pair", 0},
             {"content", {{"kind", "tokens"}, {"text", "the dog bites the old man"}}}},
        Json{{"d_model", 128},
             {"num_heads", 8},
             {"pair", 7},
             {"length", 4096},
             {"position", 0},
             {"offset", 1},
             {"content", "seeded"},
             {"trained", {{"length", 2048}}}}};
    return scenes;
}

constexpr float kTouch = 1.5F;  // digits beside each other in a formula may touch

// The two texts that lie on each other; empty where none do.
std::string collision(const Recorder& canvas) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < canvas.boxes.size(); ++i)
        if (canvas.boxes[i].width() > 2.0F * kTouch && canvas.boxes[i].height() > 2.0F * kTouch)
            order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return canvas.boxes[i].x0; });
    for (std::size_t a = 0; a < order.size(); ++a)
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            const Rect &one = canvas.boxes[order[a]], &other = canvas.boxes[order[b]];
            if (other.x0 > one.x1 - 2.0F * kTouch) break;
            if (!one.grown(-kTouch).meets(other.grown(-kTouch))) continue;
            const std::string &first = canvas.texts[order[a]], &second = canvas.texts[order[b]];
            if (first == second && one.x0 == other.x0 && one.y0 == other.y0) continue;
            return fmt::format("\"{}\" at {:.0f}, {:.0f} and \"{}\" at {:.0f}, {:.0f}", first, one.x0, one.y1,
                               second, other.x0, other.y1);
        }
    return {};
}

// A text on a knob; empty where there is none. Larger discs are nodes with their names inside.
std::string on_a_handle(const Recorder& canvas) {
    for (const Rect& knob : canvas.knobs) {
        if (knob.width() > 16.0F) continue;
        for (std::size_t i = 0; i < canvas.boxes.size(); ++i)
            if (const Rect& box = canvas.boxes[i]; box.width() > 2.0F * kTouch &&
                                                   box.height() > 2.0F * kTouch &&
                                                   box.grown(-kTouch).meets(knob.grown(-kTouch)))
                return fmt::format("\"{}\" on the handle at {:.0f}, {:.0f}", canvas.texts[i], knob.centre().x,
                                   knob.centre().y);
    }
    return {};
}

// A text that the tile cuts off.
std::string cut(const Recorder& canvas, Rect tile) {
    for (std::size_t i = 0; i < canvas.boxes.size(); ++i) {
        const Rect& box = canvas.boxes[i];
        if (box.width() > 0.0F && (box.x0 < tile.x0 || box.x1 > tile.x1))
            return fmt::format("\"{}\" from {:.0f} to {:.0f} in a tile from {:.0f} to {:.0f}",
                               canvas.texts[i], box.x0, box.x1, tile.x0, tile.x1);
    }
    return {};
}

bool is_number(std::string_view text) {
    constexpr std::string_view kAlso = "+.×%\u2212\u2009⁻⁰¹²³⁴⁵⁶⁷⁸⁹";
    bool digit = false;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t bytes = 1;
        while (i + bytes < text.size() && (static_cast<unsigned char>(text[i + bytes]) & 0xC0U) == 0x80U)
            ++bytes;
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (!is_digit && kAlso.find(text.substr(i, bytes)) == std::string_view::npos) return false;
        digit = digit || is_digit;
        i += bytes;
    }
    return digit;
}

// Whether a stretch of a line crosses a rectangle.
bool crosses(Point a, Point b, const Rect& rect) {
    float from = 0.0F, to = 1.0F;
    const auto cut = [&](float start, float along, float low, float high) {
        if (along == 0.0F) return start > low && start < high;
        const float one = (low - start) / along, other = (high - start) / along;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
        return from < to;
    };
    return cut(a.x, b.x - a.x, rect.x0, rect.x1) && cut(a.y, b.y - a.y, rect.y0, rect.y1);
}

// Whether a patch that hides what is below it was drawn between a shape and a text.
bool on_a_patch(const Recorder& canvas, std::size_t text, const Rect& box, std::size_t shape) {
    return std::ranges::any_of(canvas.patches, [&](const Recorder::Placed& patch) {
        return patch.shape > shape && patch.shape <= canvas.under[text] && patch.area.contains(box.min()) &&
               patch.area.contains({box.x1, box.y1});
    });
}

// Words may stand on a curve in one case only: where they name a place of it, and stand on a patch of their own that hides
// the curve below them: the value at its handle, the length at its level, a name at the end of a line, the number of a node.
constexpr std::array<std::string_view, 6> kNamesOnCurves = {"layout",   "precision", "scores",
                                                            "spectrum", "sum",       "turns"};

// The texts that can be seen, without what may be touched.
struct Words {
    std::size_t text;
    Rect box;
};
std::vector<Words> words_of(const Recorder& canvas) {
    std::vector<Words> all;
    for (std::size_t i = 0; i < canvas.boxes.size(); ++i)
        if (const Rect box = canvas.boxes[i].grown(-kTouch); box.width() > 0.0F && box.height() > 0.0F)
            all.push_back({i, box});
    return all;
}

// A text on a curve or a hand, or below a rule; empty where there is none. A row has a million of curves: most are far from
// any text, which is seen at once.
std::string on_a_curve(const Recorder& canvas, std::string_view figure) {
    const bool may = std::ranges::find(kNamesOnCurves, figure) != kNamesOnCurves.end();
    const std::vector<Words> words = words_of(canvas);
    for (const Recorder::Curve& curve : canvas.curves) {
        const Rect near = curve.area.grown(0.1F);
        for (const auto& [i, box] : words) {
            if (near.x1 <= box.x0 || near.x0 >= box.x1 || near.y1 <= box.y0 || near.y0 >= box.y1) continue;
            if (curve.rule && curve.shape <= canvas.under[i]) continue;
            if (!curve.clip.meets(box)) continue;
            const Rect part = {std::max(box.x0, curve.clip.x0), std::max(box.y0, curve.clip.y0),
                               std::min(box.x1, curve.clip.x1), std::min(box.y1, curve.clip.y1)};
            bool crossed = false;
            for (std::size_t n = 1; n < curve.points.size() && !crossed; ++n)
                crossed = crosses(curve.points[n - 1], curve.points[n], part);
            if (crossed && !(may && on_a_patch(canvas, i, box, curve.shape)))
                return fmt::format("\"{}\" at {:.0f}, {:.0f} {} of {} points", canvas.texts[i], box.x0,
                                   box.y1, curve.rule ? "below a rule" : "on a curve", curve.points.size());
        }
    }
    return {};
}

// A text over the edge of a bar or of anything else that is filled; a patch below it is none.
std::string on_an_edge(const Recorder& canvas) {
    const std::vector<Words> words = words_of(canvas);
    for (const Recorder::Placed& bar : canvas.fills) {
        if (bar.area.width() < 3.0F || bar.area.height() < 3.0F) continue;
        for (const auto& [i, box] : words) {
            if (bar.patch && bar.shape <= canvas.under[i]) continue;
            if (!bar.area.meets(box)) continue;
            if (bar.area.contains(box.min()) && bar.area.contains({box.x1, box.y1})) continue;
            if (!on_a_patch(canvas, i, box, bar.shape))
                return fmt::format("\"{}\" at {:.0f}, {:.0f} over the edge of {:.0f} × {:.0f}",
                                   canvas.texts[i], box.x0, box.y1, bar.area.width(), bar.area.height());
        }
    }
    return {};
}

// A text on a heatmap that is neither the number of a cell nor on a patch of its own.
std::string on_data(const Recorder& canvas) {
    for (const Recorder::Placed& data : canvas.data)
        for (const auto& [i, box] : words_of(canvas)) {
            if (!box.meets(data.area)) continue;
            if (is_number(canvas.texts[i]) && data.area.contains(box.min()) &&
                data.area.contains({box.x1, box.y1}))
                continue;
            if (!on_a_patch(canvas, i, box, data.shape))
                return fmt::format("\"{}\" at {:.0f}, {:.0f} on a heatmap", canvas.texts[i], box.x0, box.y1);
        }
    return {};
}

// The most numbers that stand in a row, and in a column that ends at the same place.
struct Numbers {
    std::ptrdiff_t across = 0, down = 0;
};
Numbers numbers_of(const Recorder& canvas) {
    std::map<int, std::ptrdiff_t> rows, columns;
    for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
        const Rect& box = canvas.boxes[i];
        if (box.width() <= 0.0F || !is_number(canvas.texts[i])) continue;
        ++rows[static_cast<int>(std::lround(box.y1))];
        ++columns[static_cast<int>(std::lround(box.x1))];
    }
    Numbers most;
    for (const auto& [at, count] : rows) most.across = std::max(most.across, count);
    for (const auto& [at, count] : columns) most.down = std::max(most.down, count);
    return most;
}

// How many each axis has at least; of a mode that is not here nothing is asked.
struct Axes {
    std::string_view figure, modes;  // modes: all whose names occur in it; empty: all
    Numbers least;
    bool (*of)(const Scene&) = nullptr;  // null: every Scene
};
// Chords belong to the plane of a table, and words are numbered by themselves.
bool has_chords(const Scene& scene) { return encoding_of(scene).acts == Acts::input; }
bool has_rows(const Scene& scene) { return scene.content.kind == "seeded"; }
constexpr std::array kAxes = {
    Axes{"scores", "dot norm logit weight shares envelope seeds all biases", {3, 3}},  // kinds are a table
    Axes{"sum", "", {3, 3}},
    Axes{"spectrum", "wavelength models density", {3, 3}},
    Axes{"turns", "bars", {3, 3}},
    Axes{"precision", "", {3, 3}},
    Axes{"waves", "", {3, 3}},
    Axes{"layout", "", {3, 3}},
    Axes{"loss", "", {3, 3}},
    Axes{"test", "", {3, 3}},
    Axes{"heads", "distance", {3, 3}},
    Axes{"matrix", "", {3, 3}},
    Axes{"shift", "", {3, 3}},
    Axes{"rotations", "plane", {3, 3}, has_chords},
    Axes{"terms", "added concatenated", {3, 3}, has_rows},
};
std::string missing_numbers(const figures::Figure& figure, const Scene& scene, std::string_view mode,
                            const Recorder& canvas) {
    const Numbers of = numbers_of(canvas);
    for (const Axes& axes : kAxes)
        if (axes.figure == figure.id &&
            (axes.modes.empty() || axes.modes.find(mode) != std::string_view::npos) &&
            (axes.of == nullptr || axes.of(scene)) &&
            (of.across < axes.least.across || of.down < axes.least.down))
            return fmt::format("{} numbers across and {} down", of.across, of.down);
    return {};
}

// Whether a table ends before the Scene's length: then figures say so instead.
bool past_its_table(const Scene& scene) {
    const auto action = action_of(scene);
    return action && action->positions < std::max(scene.length, scene.position + 1);
}

// Figures of a dump have one that is made of the Scene.
constexpr std::array<std::string_view, 5> kOfDumps = {"measured", "residual", "rows", "partners", "findings"};
bool of_dump(const figures::Figure& figure) {
    return std::ranges::find(kOfDumps, figure.id) != kOfDumps.end();
}
bool lacks_dump(const figures::Figure& figure, const Scene& scene) {
    if (!of_dump(figure)) return false;
    const auto reference = measuring::reference_of(scene, "");
    return !reference || (figure.id == "partners" && (!reference->rotary || !reference->axis.empty()));
}

std::vector<Scene> modes_of(const figures::Figure& figure, const Scene& scene) {
    if (of_dump(figure)) {
        Scene with = scene;
        figures::set_view_value(with, "dump", "example", figure.id == "partners" ? "heads" : "stuck");
        return {std::move(with)};
    }
    if (figure.modes == nullptr) return {scene};
    std::vector<Scene> all;
    for (const std::string_view mode : figure.modes(scene))
        figures::set_view_value(all.emplace_back(scene), figure.id, "mode", std::string(mode));
    return all;
}

TEST(TextsApart, NoTextLiesOnAnotherAndEveryPictureIsWhole) {
    canvas::Typefaces faces;
    std::size_t n = 0, drawn = 0;
    std::map<std::string, std::string> faults;  // the first of a kind for each figure and mode
    for (const Json& partial : partial_scenes())
        for (const Encoding* encoding : encodings()) {
            Json with = partial;
            with["encoding"] = std::string(encoding->kind);
            const auto laid = overlay(Scene(), with);
            if (!laid) continue;  // an encoding that needs another width
            Stage stage;
            stage.theme = "light";
            stage.derived.work_at_most(1e7);
            for (const figures::Figure* figure : figures::figures())
                for (const Scene& scene : modes_of(*figure, laid->scene))
                    for (const Point size : kSizes)
                        for (const bool chinese : {false, true}) {
                            if (n++ % kEvery != 0) continue;
                            ++drawn;
                            Recorder canvas;
                            canvas.faces = &faces;
                            stage.language = chinese ? Language::chinese : Language::english;
                            stage.area = {12.0F, 64.0F, size.x - 12.0F, size.y - 12.0F};
                            stage.draw(canvas, *figure, scene);
                            const auto fault = [&](const char* kind, const std::string& what) {
                                if (!what.empty())
                                    faults.try_emplace(fmt::format("{} {} {}", figure->id,
                                                                   figures::mode(*figure, scene), kind),
                                                       fmt::format("{} ({} {}×{} of {})", what,
                                                                   chinese ? "zh" : "en", size.x, size.y,
                                                                   with.dump()));
                            };
                            fault("texts", collision(canvas));
                            fault("handle", on_a_handle(canvas));
                            fault("data", on_data(canvas));
                            fault("cut", cut(canvas, stage.area.grown(12.0F)));
                            fault("curve", on_a_curve(canvas, figure->id));
                            fault("edge", on_an_edge(canvas));
                            if (size.x < 640.0F || !figures::applies(*figure, scene) ||
                                past_its_table(scene) || lacks_dump(*figure, scene))
                                continue;
                            if (canvas.shapes == 0) {
                                fault("sentence", canvas.texts.empty() ? "nothing" : canvas.texts.front());
                                continue;
                            }
                            fault("headline", stage.headline.empty() ? "none" : "");
                            fault("axis",
                                  missing_numbers(*figure, scene, figures::mode(*figure, scene), canvas));
                        }
        }
    EXPECT_GT(drawn, (kSanitized ? 6100U : 20000U) / kEvery);
    for (const auto& [where, what] : faults) ADD_FAILURE() << where << ": " << what;
}

// Every policy of ids, as it should be and with each of its slips, at a step where it shows; and a row too long for all of its
// tokens. Both languages, with and without a mouse, take turns: each figure and size meets all four in any four scenes in a
// row.
TEST(TextsApart, NoTextLiesOnAnotherForAnyPolicyOfIds) {
    canvas::Typefaces faces;
    std::map<std::string, std::string> faults;
    Stage stage;
    stage.theme = "light";
    std::size_t turn = 0;
    const auto draw_all = [&](const Json& partial) {
        ++turn;
        const Scene scene = scene_of(partial);
        for (const char* id : {"positions", "distances", "key_scores", "verdict"})
            for (const Point size : kSizes) {
                const bool chinese = turn % 2 == 1, window = turn / 2 % 2 == 1;
                ++turn;
                const figures::Figure& figure = *figures::find_figure(id);
                Recorder canvas;
                canvas.faces = &faces;
                stage.language = chinese ? Language::chinese : Language::english;
                stage.area = {12.0F, 64.0F, size.x - 12.0F, size.y - 12.0F};
                stage.pointer.reset();
                if (window) stage.point({200.0F, 150.0F});
                stage.draw(canvas, figure, scene);
                const auto fault = [&](const char* kind, const std::string& what) {
                    if (!what.empty())
                        faults.try_emplace(fmt::format("{} {}", id, kind),
                                           fmt::format("{} ({} {}×{} of {})", what, chinese ? "zh" : "en",
                                                       size.x, size.y, partial.dump()));
                };
                fault("texts", collision(canvas));
                fault("handle", on_a_handle(canvas));
                fault("cut", cut(canvas, stage.area.grown(12.0F)));
                fault("curve", on_a_curve(canvas, id));
                fault("edge", on_an_edge(canvas));
                if (size.x < 640.0F) continue;
                fault("headline", stage.headline.empty() ? "none" : "");
                fault("picture", canvas.shapes == 0 ? "nothing" : "");
            }
    };
    for (const Policy& policy : policies()) {
        std::vector<std::string_view> slips = {""};
        for (const Parameter& parameter : policy.parameters)
            if (parameter.key == "slip") slips = parameter.choices;
        for (const std::string_view slip : slips) {
            Json ids{{"kind", std::string(policy.kind)}};
            if (!slip.empty()) ids["slip"] = std::string(slip);
            for (const std::int64_t step : {25, 777})
                draw_all({{"encoding", "rope"},
                          {"d_model", 64},
                          {"length", step + 3},
                          {"position", step},
                          {"offset", -1},
                          {"view", {{"ids", ids}}}});
        }
    }
    draw_all({{"encoding", "alibi"},
              {"d_model", 64},
              {"length", 900000},
              {"position", 888888},
              {"offset", -77},
              {"view", {{"ids", {{"kind", "decode"}, {"slip", "reset"}}}}}});
    for (const auto& [where, what] : faults) ADD_FAILURE() << where << ": " << what;
}

// The tile of a telephone, and those around it: there is just, or just not, room for the last of a row.
TEST(TextsApart, NoTextLiesOnAnotherOnATelephone) {
    canvas::Typefaces faces;
    std::map<std::string, std::string> faults;
    Stage stage;
    for (const figures::Figure* figure : figures::figures())
        for (const Scene& scene : modes_of(*figure, Scene()))
            for (const bool chinese : {false, true})
                for (float width = 340.0F; width <= 420.0F; width += 8.0F) {
                    Recorder canvas;
                    canvas.faces = &faces;
                    stage.language = chinese ? Language::chinese : Language::english;
                    stage.area = {12.0F, 64.0F, width, 720.0F};
                    stage.draw(canvas, *figure, scene);
                    if (const std::string what = collision(canvas); !what.empty())
                        faults.try_emplace(fmt::format("{} {}", figure->id, figures::mode(*figure, scene)),
                                           fmt::format("{} ({} {})", what, chinese ? "zh" : "en", width));
                }
    for (const auto& [where, what] : faults) ADD_FAILURE() << where << ": " << what;
}

// The same with B beside A, and of B − A.
TEST(TextsApart, NoTextLiesOnAnotherWithB) {
    canvas::Typefaces faces;
    std::size_t n = 0;
    std::map<std::string, std::string> faults;
    for (const Encoding* encoding : encodings()) {
        Json with = partial_scenes().front();
        with["encoding"] = std::string(encoding->kind);
        const Scene a = scene_of(with);
        with["base"] = 500.0;
        const Scene b = scene_of(with);
        Stage stage;
        stage.theme = "light";
        figures::Derived of_b;
        for (figures::Derived* derived : {&stage.derived, &of_b}) derived->work_at_most(1e7);
        for (const figures::Figure* figure : figures::figures())
            for (const Scene& scene : modes_of(*figure, a))
                for (const bool difference : {false, true}) {
                    if (!(difference ? figure->subtracts : figure->overlays)) continue;
                    stage.other.emplace(figures::Other{b, of_b, difference});
                    for (const Point size : kSizes)
                        for (const bool chinese : {false, true}) {
                            if (n++ % kEvery != 0) continue;
                            Recorder canvas;
                            canvas.faces = &faces;
                            stage.language = chinese ? Language::chinese : Language::english;
                            stage.area = {12.0F, 64.0F, size.x - 12.0F, size.y - 12.0F};
                            stage.draw(canvas, *figure, scene);
                            const std::string where =
                                fmt::format("{} {} {}", figure->id, figures::mode(*figure, scene),
                                            difference ? "B − A" : "A + B");
                            for (const std::string& what :
                                 {collision(canvas), on_a_handle(canvas), on_a_curve(canvas, figure->id),
                                  on_an_edge(canvas)})
                                if (!what.empty())
                                    faults.try_emplace(where, fmt::format("{} ({} {}×{} {})", what,
                                                                          chinese ? "zh" : "en", size.x,
                                                                          size.y, encoding->kind));
                        }
                }
    }
    EXPECT_GT(n, 4000U);
    for (const auto& [where, what] : faults) ADD_FAILURE() << where << ": " << what;
}

}  // namespace
}  // namespace posiscope::test::apart_test
