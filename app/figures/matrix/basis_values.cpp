#include "app/figures/matrix/basis.hpp"
#include "app/figures/matrix/matrix.hpp"

#include "core/attention/identities.hpp"
#include "core/basis/independence.hpp"
#include "core/numeric/svd.hpp"

#include <complex>
#include <numbers>

namespace posiscope::figures::matrix::basis {
namespace {

constexpr std::int64_t kMostColumns = 512;  // of a picture of products
constexpr std::int64_t kMostRows = 1024;    // of a table of numbers
constexpr std::int64_t kMostOfTransform = 8192;
constexpr double kMostSteps = 0x1p27;  // of one decomposition
constexpr double kTransformBudget = 2e8;

// What all of them are computed from: of a closed form the spectrum and the length, else the encoding's numbers.
struct Key {
    Kept<ActionInput> input;
    bool numbers = false;
    std::int64_t pair = 0;  // of the transform
    bool operator==(const Key&) const = default;
};

std::int64_t columns_of(const Key& key) { return key.input->d_model / 2 * 2; }

// The first rows of a table of numbers, column after column; every `stride`-th pair of them.
Result<Table2d> numbers(const ActionInput& scene, std::int64_t most_rows, std::int64_t stride) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    const std::int64_t rows =
        std::max<std::int64_t>(1, std::min({scene.length, action->positions, most_rows}));
    const std::int64_t pairs = (scene.d_model / 2 + stride - 1) / stride;
    Table2d table(static_cast<std::size_t>(rows), static_cast<std::size_t>(2 * pairs));
    std::vector<double> row(static_cast<std::size_t>(scene.d_model));
    for (std::int64_t p = 0; p < rows; ++p) {
        std::fill(row.begin(), row.end(), 0.0);
        action->add(p, row);
        for (std::int64_t i = 0; i < pairs; ++i)
            for (std::int64_t c = 0; c < 2; ++c)
                table(static_cast<std::size_t>(p), static_cast<std::size_t>(2 * i + c)) =
                    row[static_cast<std::size_t>(2 * i * stride + c)];
    }
    return table;
}

Spectrum every(const Spectrum& spectrum, std::int64_t stride) {
    Spectrum made;
    for (std::size_t i = 0; i < spectrum.pairs(); i += static_cast<std::size_t>(stride)) {
        made.frequency.push_back(spectrum.frequency[i]);
        made.step.push_back(spectrum.step[i]);
    }
    return made;
}

Products products_of(const Key& key) {
    Products made;
    made.stride = std::max<std::int64_t>(1, (columns_of(key) + kMostColumns - 1) / kMostColumns);
    std::vector<double> gram;
    if (key.numbers) {
        auto table = numbers(*key.input, kMostRows, made.stride);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.side = table->columns;
        gram.assign(made.side * made.side, 0.0);
        double trace = 0.0;
        for (std::size_t a = 0; a < made.side; ++a) {
            for (std::size_t b = 0; b <= a; ++b) {
                const auto x = table->column(a), y = table->column(b);
                double sum = 0.0;
                for (std::size_t p = 0; p < x.size(); ++p) sum += x[p] * y[p];
                gram[a * made.side + b] = gram[b * made.side + a] = sum;
            }
            trace += gram[a * made.side + a];
        }
        const double mean = trace / static_cast<double>(made.side);
        if (mean > 0.0)
            for (double& value : gram) value /= mean;
    } else {
        const auto spectrum = spectrum_of(*key.input);
        if (!spectrum) {
            made.problem = spectrum.error();
            return made;
        }
        made.rows = key.input->length;
        const Spectrum taken = every(*spectrum, made.stride);
        made.side = 2 * taken.pairs();
        gram = column_gram(taken, encoding_of(*key.input).layout(*key.input), made.rows);
    }
    made.least = gram.empty() ? 0.0 : gram[0];
    for (std::size_t a = 0; a < made.side; ++a)
        for (std::size_t b = 0; b < made.side; ++b) {
            const double value = gram[a * made.side + b];
            if (a == b) made.least = std::min(made.least, value);
            else if (std::abs(value) > made.worst)
                made.worst = std::abs(value), made.at[0] = a, made.at[1] = b;
        }
    made.gram.assign(gram.begin(), gram.end());
    return made;
}

// Power by bin of a column of numbers.
std::vector<double> power_of(std::span<const double> column) {
    const std::size_t n = column.size();
    std::vector<std::complex<double>> unit(n);
    for (std::size_t i = 0; i < n; ++i)
        unit[i] = std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    std::vector<double> power(n / 2 + 1);
    double total = 0.0;
    for (std::size_t q = 0; q < power.size(); ++q) {
        std::complex<double> sum = 0.0;
        std::size_t turn = 0;
        for (std::size_t p = 0; p < n; ++p) {
            sum += column[p] * unit[turn];
            turn += q;
            if (turn >= n) turn -= n;
        }
        power[q] = (q == 0 || 2 * q == n ? 1.0 : 2.0) * std::norm(sum);
        total += power[q];
    }
    for (double& value : power) value = total > 0.0 ? value / total : 0.0;
    return power;
}

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
        if (table_) return power_of((*table_)->column(static_cast<std::size_t>(2 * pair + component)));
        return column_power(spectrum_->step[static_cast<std::size_t>(pair)], component == 1, rows_);
    }

private:
    std::int64_t rows_;
    std::optional<Result<Table2d>> table_;
    Result<Spectrum> spectrum_ = Spectrum{};
};

// Units of having the numbers of a table: a seeded one is made of as many normal numbers.
double table_cost(const Key& key) {
    if (!key.numbers) return 0.0;
    return 20.0 * static_cast<double>(std::min(key.input->length, kMostRows)) *
           static_cast<double>(columns_of(key));
}

// Nanoseconds of the two columns of a pair.
double transform_cost(const Key& key) {
    const auto rows =
        static_cast<double>(std::min(key.input->length, key.numbers ? kMostRows : kMostOfTransform));
    return key.numbers ? 1.5 * rows * rows : 700.0 * rows;
}

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

double strongest_cost(const Key& key) {
    return std::min(kTransformBudget, transform_cost(key) * static_cast<double>(columns_of(key) / 2));
}

Strongest strongest_of(const Key& key) {
    Strongest made;
    Columns columns(key);
    if (columns.problem()) return made;
    const std::int64_t pairs = columns_of(key) / 2;
    made.stride =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(
                                      transform_cost(key) * static_cast<double>(pairs) / kTransformBudget)));
    for (std::int64_t pair = 0; pair < pairs; pair += made.stride)
        for (int c = 0; c < 2; ++c) made.fraction[c].push_back(leakage(columns.power(pair, c)).fraction);
    return made;
}

// Steps of one decomposition, and how many ranks of fewer rows they leave time for.
double steps_of(std::int64_t rows, std::int64_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(std::min(rows, columns));
}
std::int64_t points_of(double steps) {
    return static_cast<std::int64_t>(std::clamp(0x1p23 / std::max(steps, 1.0), 1.0, 16.0));
}

std::int64_t affordable_rows(std::int64_t rows, std::int64_t columns) {
    while (rows > 1 && steps_of(rows, columns) > kMostSteps) rows = rows * 3 / 4;
    return rows;
}

Table2d first_rows(const Table2d& table, std::size_t rows) {
    Table2d made(rows, table.columns);
    for (std::size_t c = 0; c < table.columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) made(r, c) = table(r, c);
    return made;
}

std::int64_t rank_of(const std::vector<double>& values, std::int64_t rows, std::int64_t columns) {
    const double least = static_cast<double>(std::max(rows, columns)) * 0x1p-52 * values.front();
    return std::count_if(values.begin(), values.end(), [&](double s) { return s > least; });
}

double ranks_cost(const Key& key) {
    const std::int64_t rows =
        affordable_rows(std::min<std::int64_t>(key.input->length, 4 * kMostRows), columns_of(key));
    const double steps = steps_of(rows, columns_of(key));
    return 4.5 * steps * (1.0 + static_cast<double>(points_of(steps) - 1) / 3.0);
}

Ranks ranks_of(const Key& key) {
    Ranks made;
    made.width = columns_of(key);
    std::int64_t rows = std::min(key.input->length, 4 * kMostRows);
    Result<Table2d> table = Table2d(1, 1);
    const auto spectrum = key.numbers ? Result<Spectrum>(Spectrum{}) : spectrum_of(*key.input);
    if (!spectrum) {
        made.problem = spectrum.error();
        return made;
    }
    if (static_cast<double>(made.width) > kMostSteps / 4.0) made.width = 0;
    rows = affordable_rows(rows, made.width);
    if (key.numbers) {
        table = numbers(*key.input, rows, 1);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.nodes = made.width;
    } else {
        made.rows = rows;
        made.nodes = distinct_nodes(*spectrum);
        made.exact = exact_rank(*spectrum, key.input->length);
        Table2d waves(static_cast<std::size_t>(rows), static_cast<std::size_t>(made.width));
        for (std::size_t m = 0; m < spectrum->pairs(); ++m)
            for (std::int64_t p = 0; p < rows; ++p) {
                const Turn turn = phase(spectrum->step[m], p);
                waves(static_cast<std::size_t>(p), 2 * m) = sin(turn);
                waves(static_cast<std::size_t>(p), 2 * m + 1) = cos(turn);
            }
        table = std::move(waves);
    }
    made.singular = singular_values(first_rows(*table, table->rows));
    made.numeric = rank_of(made.singular, made.rows, made.width);
    if (key.numbers) made.exact = made.numeric;
    // Where it is cheap, the rank of fewer rows too.
    const std::int64_t points = points_of(steps_of(made.rows, made.width));
    for (std::int64_t i = 1; i < points; ++i) {
        const std::int64_t n = made.rows * i / points;
        if (n < 1) continue;
        made.curve.push_back(
            {n, rank_of(singular_values(first_rows(*table, static_cast<std::size_t>(n))), n, made.width)});
    }
    made.curve.push_back({made.rows, made.numeric});
    const double largest = made.singular.front();
    if (largest > 0.0)
        for (double& value : made.singular) value /= largest;
    return made;
}

constexpr double kMostGaps = 0x1p26;

double gaps_cost(const Key& key) {
    const double n = static_cast<double>(key.input->length), d = static_cast<double>(key.input->d_model);
    return key.numbers ? 0.5 * std::min(n, 384.0) * std::min(n, 384.0) * d
                       : std::min(1.4 * n * 0.5 * d, 1.4 * kMostGaps);
}

Gaps gaps_of(const Key& key) {
    Gaps made;
    made.least = std::numeric_limits<double>::infinity();
    if (key.numbers) {
        const auto table = numbers(*key.input, 384, 1);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.gap.assign(table->rows - 1, std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < table->rows; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                double squares = 0.0;
                for (std::size_t c = 0; c < table->columns; ++c) {
                    const double between = (*table)(i, c) - (*table)(j, c);
                    squares += between * between;
                }
                made.gap[i - j - 1] = std::min(made.gap[i - j - 1], std::sqrt(squares));
            }
    } else {
        const auto spectrum = spectrum_of(*key.input);
        if (!spectrum) {
            made.problem = spectrum.error();
            return made;
        }
        const auto pairs = static_cast<double>(spectrum->pairs());
        made.rows = std::min(key.input->length,
                             std::max<std::int64_t>(2, static_cast<std::int64_t>(kMostGaps / pairs)));
        if (made.rows > 1) {
            ScoreInput scene{*key.input};
            made.gap.resize(static_cast<std::size_t>(made.rows - 1));
            score_curve(score_form(scene, *spectrum, ScoreKind::norm), *spectrum, 1, 1, made.gap);
        }
    }
    for (std::size_t i = 0; i < made.gap.size(); ++i)
        if (made.gap[i] < made.least) {
            made.least = made.gap[i];
            made.distance = static_cast<std::int64_t>(i) + 1;
        }
    if (!key.numbers && !made.gap.empty())  // without the rounding of the curve
        made.least = length_of_distance(*spectrum_of(*key.input), made.distance);
    return made;
}

struct EnlargedKey {
    Kept<Products> of;
    int factor;
    bool operator==(const EnlargedKey&) const = default;
};
struct Values {
    Slow<Key, Products> products;
    Slow<Key, Transform> transform;
    Slow<Key, Strongest> strongest;
    Slow<Key, Ranks> ranks;
    Slow<Key, Gaps> gaps;
    Kept<Products> shown_products;
    Kept<Transform> shown_transform;
    Kept<Strongest> shown_strongest;
    Kept<Ranks> shown_ranks;
    Kept<Gaps> shown_gaps;
    Memo<EnlargedKey, Enlarged> enlarged;
};

Key key_of(const Scene& scene, Derived& derived) {
    return {derived.input<ActionInput>(scene), shows_table(scene), 0};
}

}  // namespace

const Products* products(Frame& f, const Scene& scene, Derived& derived) {
    Values& values = derived.part<Values>();
    values.shown_products =
        values.products.get(f.derived.background(), key_of(scene, derived), [](const Key& key) {
            const double side = static_cast<double>(std::min(columns_of(key), kMostColumns));
            const double rows = static_cast<double>(std::min(key.input->length, kMostRows));
            spend(table_cost(key) + side * side * (key.numbers ? 0.5 * rows : 30.0));
            return products_of(key);
        });
    return values.shown_products.get();
}

const Enlarged& enlarged(Derived& derived, int factor) {
    Values& values = derived.part<Values>();
    return *values.enlarged.get({values.shown_products, factor}, [](const EnlargedKey& key) {
        return enlarge(key.of->gram, static_cast<int>(key.of->side), key.factor, key.factor);
    });
}

const Transform* transform(Frame& f, const Scene& scene, Derived& derived) {
    Values& values = derived.part<Values>();
    Key key = key_of(scene, derived);
    key.pair = scene.pair;
    values.shown_transform = values.transform.get(f.derived.background(), key, [](const Key& of) {
        spend(table_cost(of) + transform_cost(of));
        return transform_of(of);
    });
    return values.shown_transform.get();
}

const Strongest* strongest(Frame& f, const Scene& scene, Derived& derived) {
    Values& values = derived.part<Values>();
    values.shown_strongest =
        values.strongest.get(f.derived.background(), key_of(scene, derived), [](const Key& of) {
            spend(table_cost(of) + strongest_cost(of));
            return strongest_of(of);
        });
    return values.shown_strongest.get();
}

const Ranks* ranks(Frame& f, const Scene& scene, Derived& derived) {
    Values& values = derived.part<Values>();
    values.shown_ranks = values.ranks.get(f.derived.background(), key_of(scene, derived), [](const Key& of) {
        spend(table_cost(of) + ranks_cost(of));
        return ranks_of(of);
    });
    return values.shown_ranks.get();
}

const Gaps* gaps(Frame& f, const Scene& scene, Derived& derived) {
    Values& values = derived.part<Values>();
    values.shown_gaps = values.gaps.get(f.derived.background(), key_of(scene, derived), [](const Key& of) {
        spend(table_cost(of) + gaps_cost(of));
        return gaps_of(of);
    });
    return values.shown_gaps.get();
}

}  // namespace posiscope::figures::matrix::basis
