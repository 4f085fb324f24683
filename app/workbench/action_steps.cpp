// action_steps.cpp — what longer actions do; action_list.cpp lists them.
#include "app/platform/host.hpp"
#include "app/workbench/share/caption.hpp"
#include "app/workbench/share/copy_numbers.hpp"
#include "app/workbench/workbench.hpp"
#include "core/recognise/numbers.hpp"
#include "core/scene/link.hpp"
#include "core/scene/source.hpp"
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

// Attention is first seen with words in both directions, two of them swapped, since without a visible change there is
// nothing to see: one step, which undo takes back.
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
    if (!text && platform::in_browser()) return;  // the browser asks first, and then it comes as a paste
    if (!text) return notices.say(text.error());
    if (const auto link = link_in(*text)) return open_link(*link);
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

// A link holds a whole Scene: what it does not name is as by default. Whoever wrote it wrote its page too.
void Workbench::open_link(const Link& link) {
    auto json = scene_of(link);
    if (!json) return notices.say(json.error());
    (void)admit(*json, Source::anywhere());
    auto laid = overlay(Scene(), *json);
    if (!laid) return notices.say(laid.error());
    const bool address = link.page.starts_with("https://") || link.page.starts_with("http://");
    asking.page =
        address && link.page.size() < kLongestPage && link.page != page() && platform::page_address().empty()
            ? link.page
            : std::string_view();
    session.step(std::move(laid->scene), std::move(laid->adjusted));
}

std::string Workbench::page() const {
    const std::string own = platform::page_address();
    return own.empty() ? preferences.page : own;
}

void Workbench::copy_link() {
    const std::string address = page();
    copy(address + link_of(session.scene()), address.empty() ? "toast.copied_link_end" : "toast.copied_link");
}

void Workbench::show_room_code() {
    if (controls.room_code.shown()) return controls.room_code.hide();
    if (const auto shown = controls.room_code.show(page(), link_of(session.scene())); !shown)
        notices.say(shown.error());
}

void Workbench::copy(const Result<std::string>& text, std::string_view toast) {
    if (!text) return notices.say(text.error());
    if (const auto put = clipboard.put(*text); !put) return notices.say(put.error());
    notices.say(std::string(appearance.strings().text(toast)), Tone::good);
}

void Workbench::copy_numbers(const figures::Figure& figure, bool line_only) {
    const Scene& scene = session.shown();
    const auto line = line_only ? line_of(figure, scene, stage_.menu_link) : std::nullopt;
    if (line_only && !line) return;
    controls.copying.ask(figure, scene, line);
    finish_copying();
}

void Workbench::finish_copying() {
    if (const auto copied = controls.copying.take(stage_.derived.background()))
        copy(copied->text, copied->line ? "toast.copied_line" : "toast.copied_numbers");
}

}  // namespace posiscope::workbench
