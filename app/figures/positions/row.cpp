#include "app/figures/positions/positions.hpp"

#include <algorithm>

namespace posiscope::figures::rows {
namespace {

constexpr float kWidestColumn = 110.0F;  // points

struct RowKey {
    Kept<Json> ids;
    Kept<ScoreInput> input;  // its layer
    bool operator==(const RowKey&) const = default;
};
struct CountKey {
    Kept<Row> row;
    std::int64_t step;
    bool operator==(const CountKey&) const = default;
};
struct Rows {
    Same<Json> ids;
    Memo<RowKey, Row> row;
    Slow<CountKey, RowCount> count;
    Kept<RowCount> shown;
};

}  // namespace

namespace {

const Kept<Json>& ids_of(Derived& derived, const Scene& scene) {
    static const Json none;
    const auto found = scene.view.find("ids");
    return derived.part<Rows>().ids.of(found != scene.view.end() ? *found : none);
}

const Kept<Row>& kept_row(Derived& derived, const Scene& scene) {
    return derived.part<Rows>().row.get({ids_of(derived, scene), derived.input<ScoreInput>(scene)},
                                        [](const RowKey& key) {
                                            return Row::in_layer({{"ids", *key.ids}}, *key.input);
                                        });
}

}  // namespace

const Kept<Json>& ids_of(Frame& f) { return ids_of(f.derived, f.scene); }

void set_step(Frame& f, std::int64_t step) {
    Scene& scene = f.edit();
    set_position(scene, step - std::max<std::int64_t>(scene.offset, 0));
}

void set_key(Frame& f, std::int64_t key) {
    Scene& scene = f.edit();
    const std::int64_t step = step_of(scene);
    if (scene.offset > 0) set_position(scene, std::min(key, step));
    set_offset(scene, scene.offset > 0 ? step - scene.position : std::min(key, step) - step);
}

const Kept<Row>& kept_row(Frame& f) { return kept_row(f.derived, f.scene); }
const Row& row_of(Derived& derived, const Scene& scene) { return *kept_row(derived, scene); }
const Row& row_of(Frame& f) { return row_of(f.derived, f.scene); }

bool layer_rotates(Frame& f) {
    const Spectrum* spectrum = takes_scalings(f.scene) ? f.derived.frequencies(f.scene) : nullptr;
    return spectrum == nullptr ||
           std::ranges::any_of(spectrum->frequency, [](double omega) { return omega != 0.0; });
}

const RowCount* count_of(Frame& f) {
    if (step_of(f.scene) >= kMostTokens) return nullptr;
    Rows& rows = f.derived.part<Rows>();
    rows.shown = rows.count.get(f.derived.background(), {kept_row(f.derived, f.scene), step_of(f.scene)},
                                [](const CountKey& key) { return count_row(*key.row, key.step); });
    return rows.shown.get();
}

bool too_long(Frame& f, Rect area) {
    if (step_of(f.scene) < kMostTokens) return false;
    explain_absence(f, area, "positions.too_long", "maximum", std::to_string(kMostTokens - 1));
    return true;
}

std::string_view errors(Frame& f, const RowCount& count) {
    const std::string_view least = ui::signed_integer(f.scratch, count.least);
    if (count.least == count.most) return least;
    return f.format("positions.range", fmt::arg("least", least),
                    fmt::arg("most", ui::signed_integer(f.scratch, count.most)));
}

std::string_view sentence_key(Frame& f, std::string_view prefix) {
    const Row& row = row_of(f);
    return f.scratch.format("positions.{}.{}.{}", prefix, row.policy().kind, row.slip());
}

std::string_view sentence(Frame& f, std::string_view key, const RowCount& count) {
    ui::Scratch& s = f.scratch;
    const Row& row = row_of(f);
    const std::int64_t step = step_of(f.scene);
    return f.format(
        key, fmt::arg("t", ui::counted(s, step)), fmt::arg("id", ui::integer(s, row.query_used(step)[0])),
        fmt::arg("should", ui::integer(s, row.query_should(step)[0])),
        fmt::arg("slot", ui::integer(s, row.slot(step, step))),
        fmt::arg("far", ui::integer(s, row.pair(step, 0).used[0])),
        fmt::arg("keys", ui::counted(s, count.keys)), fmt::arg("all", ui::counted(s, step + 1)),
        fmt::arg("off", ui::counted(s, count.off)), fmt::arg("by", errors(f, count)),
        fmt::arg("ahead", ui::integer(s, count.ahead)),
        fmt::arg("negative", count.ahead == 0 ? std::string_view()
                                              : f.format("positions.negative",
                                                         fmt::arg("ahead", ui::integer(s, count.ahead)))),
        fmt::arg("leaks", ui::counted(s, count.leaks)), fmt::arg("missing", ui::counted(s, count.missing)),
        fmt::arg("evicted", ui::counted(s, count.evicted)), fmt::arg("rows", ui::counted(s, count.rows_off)));
}

std::string_view mask_sentence(Frame& f, std::string_view key, const RowCount& count) {
    return sentence(f,
                    count.missing == 0 ? f.scratch.format("{}_more", key)
                    : count.leaks == 0 ? f.scratch.format("{}_fewer", key)
                                       : key,
                    count);
}

std::int64_t reserve_for(const Scene& scene, std::int64_t step) {
    std::int64_t reserve = 16;
    while (reserve <= step && reserve < 64) reserve *= 2;
    return std::min(reserve, scene.length);
}

Columns::Columns(float left, float right, std::int64_t step, std::int64_t reserve, float least, float wanted,
                 float zoom)
    : left_(left), last_(step) {
    const float room = std::max(right - left, 0.0F);
    const auto most = static_cast<std::int64_t>(std::max(1.0F, std::floor(room / least)));
    const auto wide = static_cast<std::int64_t>(std::floor(room / std::max(least, wanted)));
    const std::int64_t places =
        std::clamp<std::int64_t>(std::max(std::min(reserve, wide), step + 1), 1, most);
    width_ = std::min(room / static_cast<float>(places), kWidestColumn * zoom);
    count_ = static_cast<int>(std::min(step + 1, places));
    if (step + 1 > places) gap_ = std::max(0, static_cast<int>(places) / 3 - 1);
}

std::optional<int> Columns::column_of(std::int64_t token) const {
    if (token < 0 || token > last_) return std::nullopt;
    if (gap_ < 0 || token < gap_) return static_cast<int>(token);
    const std::int64_t column = count_ - 1 - (last_ - token);
    return column > gap_ ? std::optional(static_cast<int>(column)) : std::nullopt;
}

std::optional<std::int64_t> Columns::token_at(float x) const {
    const float along = width_ > 0.0F ? (x - left_) / width_ : 0.0F;
    if (gap_ < 0) return static_cast<std::int64_t>(std::floor(std::clamp(along, 0.0F, 1e6F)));
    const int column = static_cast<int>(std::clamp(along, 0.0F, static_cast<float>(count_ - 1)));
    return is_gap(column) ? std::nullopt : std::optional(token(column));
}

void hatch(Frame& f, Rect area) {
    const canvas::Clip clip(f.canvas, area);
    const float height = area.height();
    for (float x = area.x0 - height + 3.0F; x < area.x1; x += 6.0F)
        f.canvas.line({x, area.y1}, {x + height, area.y0}, {f.theme.grid, 1.0F});
}

}  // namespace posiscope::figures::rows
