// basis_transform.cpp — the spectra of the columns, and how much of each is in its strongest bin.
#include "app/figures/matrix/basis.hpp"

#include "core/cost.hpp"

namespace posiscope::figures::matrix::basis {
namespace {

constexpr std::int64_t kMostOfTransform = 8192;
// The power spectra of the columns of one encoding.
class Columns {
public:
    explicit Columns(const Key& key) : rows_(std::min(key.input->length, kMostOfTransform)) {
        if (key.numbers) table_ = numbers(*key.input, kMostRows, 1);
        else spectrum_ = spectrum_of(*key.input);
        if (table_ && *table_) rows_ = static_cast<std::int64_t>((*table_)->rows);
    }

    std::optional<Problem> problem() const {
        if (table_ && !*table_) return table_->error();
        return spectrum_ ? std::nullopt : std::optional(spectrum_.error());
    }
    std::int64_t rows() const { return rows_; }
    std::vector<double> power(std::int64_t pair, int component) {
        if (table_) return column_power((*table_)->column(static_cast<std::size_t>(2 * pair + component)));
        return column_power(spectrum_->step[static_cast<std::size_t>(pair)], component == 1, rows_);
    }

private:
    std::int64_t rows_;
    std::optional<Result<Table2d>> table_;
    Result<Spectrum> spectrum_ = Spectrum{};
};

Transform transform_of(const Key& key) {
    Transform made;
    Columns columns(key);
    made.problem = columns.problem();
    if (made.problem) return made;
    made.rows = columns.rows();
    for (int c = 0; c < 2; ++c) {
        made.power[c] = columns.power(std::min(key.pair, columns_of(key) / 2 - 1), c);
        made.leakage[c] = leakage(made.power[c]);
    }
    return made;
}

// Takes all pairs, or as many as `units` of work are enough for.
Strongest strongest_of(const Key& key, double units) {
    Strongest made;
    Columns columns(key);
    if (columns.problem()) return made;
    const std::int64_t pairs = columns_of(key) / 2;
    const auto take = [&](std::int64_t pair) {
        for (int c = 0; c < 2; ++c) made.fraction[c].push_back(leakage(columns.power(pair, c)).fraction);
    };
    const double before = work_done();
    take(0);
    const double all = (work_done() - before) * static_cast<double>(pairs);
    made.stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(all / units)));
    for (std::int64_t pair = made.stride; pair < pairs; pair += made.stride) take(pair);
    return made;
}

struct StrongestKey {
    Key of;
    double units;
    bool operator==(const StrongestKey&) const = default;
};
struct KeptTransform {
    Slow<Key, Transform> transform;
    Kept<Transform> shown;
};
struct KeptStrongest {
    Slow<StrongestKey, Strongest> strongest;
    Kept<Strongest> shown;
};

}  // namespace

const Transform* transform(Frame& f, const Scene& scene, Derived& derived) {
    KeptTransform& kept = derived.part<KeptTransform>();
    Key key = key_of(scene, derived);
    key.pair = scene.pair;
    kept.shown =
        kept.transform.get(f.derived.background(), key, [](const Key& of) { return transform_of(of); });
    return kept.shown.get();
}

const Strongest* strongest(Frame& f, const Scene& scene, Derived& derived) {
    KeptStrongest& kept = derived.part<KeptStrongest>();
    kept.shown = kept.strongest.get(
        f.derived.background(), {key_of(scene, derived), derived.exact_work()},
        [](const StrongestKey& of) { return strongest_of(of.of, of.units); },
        [](const StrongestKey& of) { return strongest_of(of.of, kRoughWork); });
    return kept.shown.get();
}

}  // namespace posiscope::figures::matrix::basis
