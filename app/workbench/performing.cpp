// performing.cpp — what longer actions do; table.cpp lists them.
#include "app/workbench/caption.hpp"
#include "app/workbench/copying.hpp"
#include "app/workbench/workbench.hpp"
#include "core/recognise/numbers.hpp"
#include "core/scene/words.hpp"

namespace posiscope::workbench {

void Workbench::move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair) {
    Scene next = session.shown();
    figures::set_position(next, next.position + positions);
    figures::set_offset(next, next.offset + offset);
    next.pair = std::max<std::int64_t>(0, next.pair + pair);
    const std::int64_t pairs = encoding_of(next).pairs(next);
    if (pair > 0 && pairs > 0) next.pair = std::min(next.pair, pairs - 1);
    session.edit(std::move(next));
}

// Changes the comparison, if there is one.
void Workbench::compare(void (*change)(Scene&)) {
    if (session.scene().compare.is_null())
        return notices.say(std::string(appearance.strings().text("toast.no_b")));
    Scene next = session.scene();
    change(next);
    session.edit_a(std::move(next));
}

void Workbench::keep_b() {
    Scene next = session.scene();
    keep_as_b(next);
    const ui::Look look = appearance.look();
    notices.say(fmt::format("{}  {}", look.text("toast.kept_as_b"), caption(look, *compared_scene(next))),
                Tone::good);
    session.edit_a(std::move(next));
}

void Workbench::turn_to_bench(std::size_t forward) {
    const auto at = static_cast<std::size_t>(&bench_of(session.scene().bench) - benches().data());
    turn_to(benches()[(at + forward) % benches().size()].id);
}

// Attention is first seen with words in both directions: as they are typed, and then, one step on, with two of them
// swapped, since without a visible change there is nothing to see.
void Workbench::turn_to(std::string_view bench) {
    layout.show_bench();
    Scene next = session.scene();
    next.bench = bench;
    const bool untouched = next.content == Scene().content && next.compare.is_null();
    if (bench != "attention" || std::exchange(controls.attention_seen, true) || !untouched)
        return session.edit_a(std::move(next));
    auto words = split_words(appearance.strings().text("attention.example"));
    auto laid = overlay(next, {{"causal", false}, {"content", {{"kind", "tokens"}, {"text", words}}}});
    if (!laid) return session.edit_a(std::move(next));
    session.step(laid->scene);
    laid->scene.content.parameters["order"] = {1, 0, 2};
    session.step(std::move(laid->scene));
}

// The next mode of the hovered figure, or of the first figure that has modes.
void Workbench::turn_mode() {
    const figures::Figure* figure = figures::find_figure(hand.hovered());
    for (const Tile& tile : layout.tiles()) {
        if (figure != nullptr) break;
        const figures::Figure* one = figures::find_figure(tile.figure);
        if (one != nullptr && one->modes != nullptr) figure = one;
    }
    if (figure == nullptr || figure->modes == nullptr) return;
    Scene next = session.shown();
    const auto offered = figure->modes(next);
    const auto now = std::find(offered.begin(), offered.end(), figures::mode(*figure, next));
    const auto after = static_cast<std::size_t>(now - offered.begin() + 1) % offered.size();
    figures::set_view_value(next, figure->id, "mode", std::string(offered[after]));
    session.edit(std::move(next));
}

std::string Workbench::pointed_at() const { return std::string(alone().empty() ? hand.hovered() : alone()); }

void Workbench::paste_scene() {
    const auto text = clipboard.text();
    if (!text) return notices.say(text.error());
    // A scene begins with a brace; numbers never do.
    if (const auto first = text->find_first_not_of(" \t\r\n");
        first != std::string::npos && (*text)[first] != '{')
        if (const auto rows = typed_numbers(*text)) {
            const auto found = compare_numbers(session.scene(), *rows);
            if (!found) return notices.say(found.error());
            for (const Problem& answer : found->answers)
                notices.say(answer, found->matches ? Tone::good : Tone::bad);
            return;
        }
    const auto json = parse_json(*text);
    auto laid = json ? overlay(session.scene(), *json) : Result<Overlaid>(tl::unexpected(json.error()));
    if (!laid) return notices.say(laid.error());
    session.step(std::move(laid->scene), std::move(laid->adjusted));
}

void Workbench::copy(const Result<std::string>& text, std::string_view toast) {
    if (!text) return notices.say(text.error());
    if (const auto put = clipboard.put(*text); !put) return notices.say(put.error());
    notices.say(std::string(appearance.strings().text(toast)), Tone::good);
}

void Workbench::copy_numbers(const figures::Figure& figure, bool line_only) {
    if (!line_only) return copy(numbers_text(figure, session.shown()), "toast.copied_numbers");
    if (const auto line = line_text(figure, session.shown(), stage_.menu_link))
        copy(*line, "toast.copied_line");
}

}  // namespace posiscope::workbench
