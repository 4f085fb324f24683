// A headline takes one line at 1280 × 800, in a tall tile two: in every bench, language and encoding, and in every example.
#include "app/figures/parts/headline.hpp"
#include "app/ui/known.hpp"
#include "core/encodings/encodings.hpp"
#include "tests/app/desk.hpp"

#include <algorithm>
#include <array>

namespace posiscope::test::headlines_test {
namespace {

std::vector<Scene> scenes() {
    std::vector<Scene> all;
    for (const workbench::Bench& bench : workbench::benches()) {
        for (const Encoding* encoding : encodings())
            if (auto laid = overlay(
                    Scene(), {{"bench", std::string(bench.id)}, {"encoding", std::string(encoding->kind)}}))
                all.push_back(std::move(laid->scene));
        // The other modes, of narrower vectors that take less time.
        for (const std::string_view id : workbench::figures_of(bench)) {
            const Scene scene = overlay(Scene(), {{"bench", std::string(bench.id)}, {"d_model", 64}})->scene;
            if (const auto* figure = figures::find_figure(id); figure->modes != nullptr)
                for (const std::string_view mode : figure->modes(scene))
                    figures::set_view_value(all.emplace_back(scene), id, "mode", std::string(mode));
        }
    }
    for (const ui::Example& example : ui::known_examples()) all.push_back(example.scene);
    return all;
}

float width_of(std::string_view text) {
    if (text.empty()) return 0.0F;
    return ImGui::GetFont()
        ->CalcTextSizeA(figures::kHeadlineSize, 1e9F, 0.0F, text.data(), text.data() + text.size())
        .x;
}

TEST(Headlines, FitInEveryBenchAndLanguage) {
    constexpr float kMargins = 32.0F;  // of a tile, both
    Desk desk;
    // What is computed of a scene serves both languages, and every other one is read twice in a row.
    std::array<const char*, 2> languages{"en", "zh"};
    for (const Scene& scene : scenes()) {
        std::ranges::reverse(languages);
        desk.bench.session.step(Scene(scene));
        for (const char* language : languages) {
            desk.bench.preferences.language = language;
            desk.frame(2);
            const auto tiles = desk.bench.layout.tiles();
            const auto& headlines = desk.bench.stage.seen.headlines;
            ASSERT_EQ(headlines.size(), tiles.size());
            for (std::size_t i = 0; i < tiles.size(); ++i)
                EXPECT_LE(width_of(headlines[i]), (workbench::two_lines(tiles[i].area) ? 1.8F : 1.0F) *
                                                      (tiles[i].area.width() - kMargins))
                    << language << " " << scene.bench << " " << scene.encoding.kind << " " << tiles[i].figure
                    << ": " << headlines[i];
        }
    }
}

}  // namespace
}  // namespace posiscope::test::headlines_test
