// Every figure and mode, for every encoding and in both languages, at six sizes: no text lies on another one, as measured
// with the faces of files. Of the further scenes every kEvery-th case is drawn,
// so that each figure, mode, encoding, language and size meets many of the others; under a sanitizer of all.
#include "tests/figures/hand.hpp"
#include "tests/sanitized.hpp"

namespace posiscope::test {
namespace {

constexpr std::array<Point, 6> kSizes = {Point{320, 240}, {640, 400},   {800, 1280},
                                         {1280, 800},     {2560, 1440}, {3840, 2160}};
constexpr std::size_t kEvery = kSanitized ? 61 : 3;

// The worked example, made narrow; few pairs far out, where numbers are long; words; all that can be switched on.
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
             {"trained", {{"length", 2048}}}}};
    return scenes;
}

const Strings& strings(bool chinese) {
    static const Strings english(Language::english), other(Language::chinese);
    return chinese ? other : english;
}

// The two texts that lie on each other; empty where none do. Digits beside each other in a formula may touch.
std::string collision(const Recorder& canvas) {
    constexpr float kTouch = 1.5F;
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

struct Drawn {
    Recorder canvas;
    std::string headline;
};

struct Sheet {
    canvas::Typefaces faces;
    std::unique_ptr<ui::Scratch> scratch = std::make_unique<ui::Scratch>();

    Drawn draw(const figures::Figure& figure, const Scene& scene, figures::Derived& derived, Point size,
               bool chinese) {
        scratch->reset();
        const figures::Link link;
        Drawn drawn;
        drawn.canvas.faces = &faces;
        figures::Frame frame{.canvas = drawn.canvas,
                             .theme = ui::theme("light"),
                             .strings = strings(chinese),
                             .scratch = *scratch,
                             .derived = derived,
                             .scene = scene,
                             .link = link,
                             .next = {},
                             .hovered = {},
                             .tip = {},
                             .cursor = {},
                             .marks = nullptr,
                             .figure = figure.id,
                             .mode = figures::mode(figure, scene)};
        drawn.headline = figure.headline(frame);
        figure.draw(frame, {12.0F, 64.0F, size.x - 12.0F, size.y - 12.0F});
        return drawn;
    }
};

std::vector<Scene> modes_of(const figures::Figure& figure, const Scene& scene) {
    if (figure.modes == nullptr) return {scene};
    std::vector<Scene> all;
    for (const std::string_view mode : figure.modes(scene))
        figures::set_view_value(all.emplace_back(scene), figure.id, "mode", std::string(mode));
    return all;
}

TEST(TextsApart, NoTextLiesOnAnother) {
    Sheet sheet;
    std::size_t n = 0, drawn = 0;
    for (const Json& partial : partial_scenes())
        for (const Encoding* encoding : encodings()) {
            Json with = partial;
            with["encoding"] = std::string(encoding->kind);
            const auto laid = overlay(Scene(), with);
            if (!laid) continue;  // an encoding that needs another width
            figures::Derived derived;
            derived.work_at_most(1e7);
            const bool further = &partial != &partial_scenes().front();
            for (const figures::Figure* figure : figures::figures())
                for (const Scene& scene : modes_of(*figure, laid->scene))
                    for (const Point size : kSizes)
                        for (const bool chinese : {false, true}) {
                            if (n++ % (further || kSanitized ? kEvery : 1) != 0) continue;
                            ++drawn;
                            const Drawn made = sheet.draw(*figure, scene, derived, size, chinese);
                            SCOPED_TRACE(fmt::format("{} {} {} {}×{} of {}", figure->id,
                                                     figures::mode(*figure, scene), chinese ? "zh" : "en",
                                                     size.x, size.y, with.dump()));
                            EXPECT_EQ(collision(made.canvas), "");
                        }
        }
    EXPECT_GT(drawn, kSanitized ? 100U : 5000U);
}

}  // namespace
}  // namespace posiscope::test
