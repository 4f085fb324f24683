#include "app/workbench/workbench.hpp"

#include "app/ui/known.hpp"
#include "app/workbench/document/store.hpp"
#include "core/encodings/encodings.hpp"

#include <algorithm>
#include <utility>

namespace posiscope::workbench {
namespace {

std::string_view example_of(std::string_view bench) {
    if (bench == "context") return "llama";
    if (bench == "positions") return "ids_padding";
    return {};
}

// But for what people move while they look: position, offset, pair, view and bench.
bool same_settings(const Scene& a, Scene b) {
    b.position = a.position, b.offset = a.offset, b.pair = a.pair;
    b.view = a.view, b.bench = a.bench;
    return a == b;
}

// Width and length of the opening, or those of the paper, and of an encoding with frequencies its defaults; nothing that a file
// or a model brought.
bool as_begun(Scene scene) {
    if (scene.view.contains("ids") || scene.view.contains("model")) return false;
    const Scene paper, opening = opening_scene();
    const auto usual = overlay(paper, {{"encoding", scene.encoding.kind}});
    if (usual && usual->scene.encoding == scene.encoding && encoding_of(scene).pairs(scene) > 0)
        scene.encoding = paper.encoding;
    Scene wide = opening;
    wide.d_model = paper.d_model;
    return same_settings(paper, scene) || same_settings(opening, scene) || same_settings(wide, scene);
}

}  // namespace

void Navigation::move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair) {
    Scene next = session_.shown();
    figures::set_position(next, next.position + positions);
    figures::set_offset(next, next.offset + offset);
    next.pair = std::max<std::int64_t>(0, next.pair + pair);
    const std::int64_t pairs = encoding_of(next).pairs(next);
    if (pair > 0 && pairs > 0) next.pair = std::min(next.pair, pairs - 1);
    session_.edit(std::move(next));
}

void Navigation::turn_width() {
    const Scene& now = session_.shown();
    auto laid = overlay(now, {{"d_model", now.d_model == 512 ? 16 : 512}});
    if (!laid) return session_.edit(now, {laid.error()});
    const auto before = spectrum_of(now), after = spectrum_of(laid->scene);
    if (before && after && static_cast<std::size_t>(now.pair) < before->pairs())
        laid->scene.pair = static_cast<std::int64_t>(
            linked_pair(before->frequency[static_cast<std::size_t>(now.pair)], *after).pair);
    session_.edit(std::move(laid->scene), std::move(laid->adjusted));
}

void Navigation::turn_to_bench(std::size_t forward) {
    const auto at = static_cast<std::size_t>(&bench_of(session_.scene().bench) - benches().data());
    turn_to(benches()[(at + forward) % benches().size()].id);
}

void Navigation::turn_to(std::string_view bench) {
    layout_.show_bench();
    Scene next = session_.scene();
    if (next.bench == bench) return;
    if (const auto lent = std::exchange(lent_, std::nullopt); lent && same_settings(lent->shown, next))
        next = lent->before;
    std::vector<Problem> said;
    if (const ui::Example* example = ui::find_example(example_of(bench));
        example != nullptr && as_begun(next)) {
        lent_ = {next, example->scene};
        next = example->scene;
        said.push_back({bench == "context" ? "bench.context" : "bench.positions", {}});
    }
    next.bench = bench;
    session_.edit_a(std::move(next), std::move(said));
}

// The next mode of the hovered figure, or of the first figure that has modes.
void Navigation::turn_mode() {
    const figures::Figure* figure = figures::find_figure(hand_.hovered());
    for (const Tile& tile : layout_.tiles()) {
        if (figure != nullptr) break;
        const figures::Figure* one = figures::find_figure(tile.figure);
        if (one != nullptr && one->modes != nullptr) figure = one;
    }
    if (figure == nullptr || figure->modes == nullptr) return;
    Scene next = session_.shown();
    const auto offered = figure->modes(next);
    const auto now = std::find(offered.begin(), offered.end(), figures::mode(*figure, next));
    const auto after = static_cast<std::size_t>(now - offered.begin() + 1) % offered.size();
    figures::set_view_value(next, figure->id, "mode", std::string(offered[after]));
    session_.edit(std::move(next));
}

std::string Navigation::pointed_at() const {
    return std::string(sizing_.alone().empty() ? hand_.hovered() : sizing_.alone());
}

void Navigation::show_figure(std::size_t index) {
    const auto ids = figures_of(bench_of(session_.scene().bench));
    if (!sizing_.alone().empty() && index < ids.size()) {
        layout_.show_alone(layout_.alone() == ids[index] ? std::string_view() : ids[index]);
    } else if (index < layout_.tiles().size()) {
        layout_.show_alone(layout_.tiles()[index].figure);
    }
}

}  // namespace posiscope::workbench
