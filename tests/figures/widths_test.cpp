// Heads that are not a part of d_model: every figure, mode, encoding and quantity with head_dim far from d_model / heads.
// Most of what indexes by one of the two widths and means the other is found here by the checks of containers; the
// sanitizers see the rest.
#include "core/code/code.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/quantities/quantities.hpp"
#include "tests/figures/any_drawing.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::widths_test {
namespace {

struct Widths {
    std::int64_t d_model, heads, head_dim;
};
constexpr Widths kWidths[] = {{2, 1, 64}, {2, 3, 256}, {4, 2, 30},  {8, 5, 6},
                              {64, 4, 2}, {96, 1, 4},  {6, 2, 1024}};

Scene scene_with(const Widths& widths, std::string_view encoding, Json more = Json::object()) {
    Json partial{{"d_model", widths.d_model},
                 {"num_heads", widths.heads},
                 {"head_dim", widths.head_dim},
                 {"encoding", std::string(encoding)},
                 {"length", 5},
                 {"position", 3},
                 {"offset", 1}};
    partial.update(more);
    const auto laid = overlay(Scene(), partial);
    if (laid) return laid->scene;
    // One that needs other widths (2-D RoPE, say) has the nearest: four numbers a head.
    partial["head_dim"] = std::max<std::int64_t>(4, widths.head_dim / 4 * 4);
    partial["d_model"] = std::max<std::int64_t>(4, widths.d_model / 4 * 4);
    const auto again = overlay(Scene(), partial);
    EXPECT_TRUE(again) << encoding << " " << to_string(laid.error());
    return again ? again->scene : Scene();
}

std::string named(const Widths& widths, std::string_view encoding) {
    return fmt::format("{} d_model {} heads {} head_dim {}", encoding, widths.d_model, widths.heads,
                       widths.head_dim);
}

// `draw(scene, figure, mode)` for every figure and mode of a scene.
template <class Draw>
void each_mode(const Scene& scene, Draw draw) {
    for (std::size_t at = 0; at < figures::figures().size(); ++at) {
        const figures::Figure& figure = *figures::figures()[at];
        const std::size_t modes = figure.modes != nullptr ? figure.modes(scene).size() : 1;
        for (std::size_t mode = 0; mode < std::max<std::size_t>(modes, 1); ++mode) draw(figure, at, mode);
    }
}

Drawing drawn(Scene scene, std::size_t figure, std::size_t mode) {
    Drawing drawing;
    drawing.scene = std::move(scene);
    drawing.figure = figure;
    drawing.mode = mode;
    drawing.area = {0.0F, 0.0F, 620.0F, 480.0F};
    drawing.mouse = {300.0F, 240.0F};
    return drawing;
}

TEST(Widths, EveryFigureDrawsHeadsThatAreNoPartOfTheModel) {
    for (const Widths& widths : kWidths)
        for (const std::string_view encoding : encoding_kinds()) {
            const Scene scene = scene_with(widths, encoding);
            each_mode(scene, [&](const figures::Figure& figure, std::size_t at, std::size_t mode) {
                SCOPED_TRACE(fmt::format("{}, {} mode {}", named(widths, encoding), figure.id, mode));
                ASSERT_EQ(complaint_of(drawn(scene, at, mode)), "");
            });
        }
}

// B has the other widths: laid over A, and subtracted from it.
TEST(Widths, EveryFigureComparesHeadsOfOtherWidths) {
    const Widths from{8, 2, 64};
    for (const std::string_view encoding : encoding_kinds())
        for (const Json& b : {Json{{"head_dim", 4}}, Json{{"d_model", 64}, {"head_dim", 4}},
                              Json{{"num_heads", 1}, {"head_dim", 256}}}) {
            const Scene scene = scene_with(from, encoding, {{"compare", b}});
            each_mode(scene, [&](const figures::Figure& figure, std::size_t at, std::size_t mode) {
                for (const bool difference : {false, true}) {
                    SCOPED_TRACE(fmt::format("{} B {}, {} mode {}", encoding, b.dump(), figure.id, mode));
                    Drawing drawing = drawn(scene, at, mode);
                    drawing.difference = difference;
                    ASSERT_EQ(complaint_of(std::move(drawing)), "");
                }
            });
        }
}

TEST(Widths, EveryQuantityAndProgramIsWhatItsShapesSay) {
    constexpr std::uint64_t kMemory = 1 << 24;
    constexpr double kWork = 1e7;
    for (const Widths& widths : kWidths)
        for (const std::string_view encoding : encoding_kinds()) {
            const Scene scene = scene_with(widths, encoding);
            for (const Quantity* quantity : quantities()) {
                SCOPED_TRACE(fmt::format("{}, {}", named(widths, encoding), quantity->name));
                const auto shapes = quantity->shapes(scene);
                try {
                    const Allowance allowance(kWork);
                    const auto arrays = evaluate(*quantity, scene, kMemory);
                    ASSERT_TRUE(arrays || !arrays.error().key.empty());
                    if (arrays) {
                        ASSERT_EQ(arrays->size(), shapes->size());
                    }
                } catch (const Interrupted&) {}
            }
            for (const CodeForm& form : code_forms()) {
                SCOPED_TRACE(fmt::format("{}, code", named(widths, encoding)));
                const auto text = form.write(scene);
                ASSERT_FALSE(text ? text->empty() : text.error().key.empty());
            }
        }
}

}  // namespace
}  // namespace posiscope::test::widths_test
