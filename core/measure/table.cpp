#include "core/measure/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace posiscope::measuring {
namespace {

constexpr std::int64_t kMostLooked = 512;  // rows
constexpr double kMostPairs = 0.75;        // of the pairs, and of their rows: others may be damaged

// A table whose value at (slice, row, column) is dump[index].
template <class IndexOf>
Table gathered(const StoredTensor& dump, std::int64_t slices, std::int64_t rows, std::int64_t columns,
               IndexOf index) {
    Table made;
    made.slices = slices, made.rows = rows, made.columns = columns;
    made.values.reserve(static_cast<std::size_t>(slices * rows * columns));
    for (std::int64_t s = 0; s < slices; ++s)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                made.values.push_back(dump.values[static_cast<std::size_t>(index(s, r, c))]);
    return made;
}

// The same where the values already lie so.
Table as_stored(const StoredTensor& dump, std::int64_t slices, std::int64_t rows, std::int64_t columns) {
    Table made;
    made.slices = slices, made.rows = rows, made.columns = columns;
    made.values = dump.values;
    return made;
}

std::int64_t product(const std::vector<std::int64_t>& shape, std::size_t from, std::size_t to) {
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                           shape.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                           std::multiplies<>());
}

// The part of rows in which test(slice, row) holds.
template <class Test>
double share(const Table& t, Test test) {
    std::int64_t good = 0, all = 0;
    const std::int64_t step = std::max<std::int64_t>(1, t.slices * t.rows / kMostLooked);
    for (std::int64_t n = 0; n < t.slices * t.rows; n += step) {
        if (std::isnan(t.at(n, 0))) continue;  // of a position that overflowed
        ++all;
        good += test(n / t.rows, n % t.rows) ? 1 : 0;
    }
    return all == 0 ? 0.0 : static_cast<double>(good) / static_cast<double>(all);
}

bool equal(const Table& t, std::int64_t a, std::int64_t b, double within) {
    return share(t, [&](auto s, auto r) {
               const double x = t.at(s, r, a), y = t.at(s, r, b);
               return std::abs(x - y) <= within * (std::abs(x) + std::abs(y)) + 1e-6 * within;
           }) >= kMostPairs;
}

// True if a² + b² is one number in most rows, while a² alone is not.
bool circle(const Table& t, std::int64_t a, std::int64_t b) {
    std::vector<double> squares;
    const std::int64_t step = std::max<std::int64_t>(1, t.slices * t.rows / kMostLooked);
    for (std::int64_t n = 0; n < t.slices * t.rows; n += step) {
        const double x = t.at(n, a), y = t.at(n, b);
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        squares.push_back(x * x + y * y);
    }
    if (squares.empty()) return false;
    auto middle = squares;
    std::nth_element(middle.begin(), middle.begin() + static_cast<std::ptrdiff_t>(middle.size() / 2),
                     middle.end());
    const double mean = middle[middle.size() / 2];
    if (!(mean > 0.0)) return false;
    const auto good = std::count_if(squares.begin(), squares.end(),
                                    [&](double q) { return std::abs(q - mean) <= 0.03 * mean; });
    return static_cast<double>(good) >= kMostPairs * static_cast<double>(squares.size());
}

template <class Test>
bool most_pairs(std::int64_t pairs, Test test) {
    std::int64_t good = 0;
    for (std::int64_t i = 0; i < pairs; ++i) good += test(i) ? 1 : 0;
    return static_cast<double>(good) >= kMostPairs * static_cast<double>(pairs);
}

// The shape of the values that are there.
std::vector<std::int64_t> held(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = dump.shape;
    if (dump.cropped && !shape.empty()) shape[0] = static_cast<std::int64_t>(dump.values.size()) / dump.row();
    return shape;
}

}  // namespace

std::vector<std::int64_t> squeezed(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = held(dump);
    std::erase(shape, 1);
    return shape;
}

std::optional<Problem> unknown_axes(std::string_view axes) {
    if (axes.empty()) return std::nullopt;
    const auto count = [&](char letter) { return std::ranges::count(axes, letter); };
    const bool known = axes.find_first_not_of("bhnd2") == std::string_view::npos && count('d') == 1 &&
                       count('n') <= 1 && count('b') <= 1 && count('h') <= 1 && count('2') <= 2;
    return known ? std::nullopt : std::optional(Problem{"check.axes", {{"axes", std::string(axes)}}});
}

std::optional<Table> table_with(const StoredTensor& dump, const std::vector<std::int64_t>& shape,
                                std::string_view axes) {
    if (axes.size() != shape.size()) return std::nullopt;
    const std::size_t k = shape.size();
    std::vector<std::int64_t> strides(k, 1);
    for (std::size_t i = k - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
    std::int64_t slices = 1, rows = 1, columns = 1, twos = 1, row_stride = 0, column_stride = 0;
    std::vector<std::size_t> of_slices, of_twos;
    std::size_t place_of_columns = 0;
    for (std::size_t i = 0; i < k; ++i) {
        if (axes[i] == '2' && shape[i] != 2) return std::nullopt;
        if (axes[i] == 'n') rows = shape[i], row_stride = strides[i];
        else if (axes[i] == 'd') columns = shape[i], column_stride = strides[i], place_of_columns = i;
        else if (axes[i] == '2') twos *= 2, of_twos.push_back(i);
        else slices *= shape[i], of_slices.push_back(i);
    }
    const bool apart = of_twos.size() == 1 && of_twos[0] < place_of_columns;
    const auto among = [&](const std::vector<std::size_t>& dimensions, std::int64_t n) {
        std::int64_t at = 0;
        for (std::size_t i = dimensions.size(); i-- > 0; n /= shape[dimensions[i]])
            at += n % shape[dimensions[i]] * strides[dimensions[i]];
        return at;
    };
    Table made = gathered(dump, slices, rows, columns * twos, [&](auto s, auto r, auto c) {
        const std::int64_t column = apart ? c % columns : c / twos, two = apart ? c / columns : c % twos;
        return among(of_slices, s) + r * row_stride + column * column_stride + among(of_twos, two);
    });
    for (const std::size_t i : of_slices) made.slice_shape.push_back(shape[i]);
    made.joined = twos == 4   ? Table::Joined::rotations
                  : apart     ? Table::Joined::apart
                  : twos == 2 ? Table::Joined::pairs
                              : Table::Joined::no;
    return made;
}

std::optional<Table> table_with(const StoredTensor& dump, std::string_view axes) {
    return table_with(dump, axes.size() == dump.shape.size() ? held(dump) : squeezed(dump), axes);
}

std::vector<Table> tables_of(const StoredTensor& dump, std::string_view axes) {
    const std::vector<std::int64_t> shape = squeezed(dump);
    const std::size_t k = shape.size();
    std::vector<Table> made;
    if (!axes.empty()) {
        if (auto named = table_with(dump, axes)) made.push_back(std::move(*named));
        return made;
    }
    if (k == 0 || dump.values.empty()) return made;
    const auto add = [&](Table table, std::vector<std::int64_t> slice_shape) {
        table.slice_shape = std::move(slice_shape);
        made.push_back(std::move(table));
    };
    if (k == 1) {
        add(as_stored(dump, 1, 1, shape[0]), {});
        return made;
    }
    const std::int64_t rows = shape[k - 2], columns = shape[k - 1];
    if (k >= 3 && columns == 2 && rows == 2) {  // [n, c, 2, 2]
        const std::int64_t pairs = shape[k - 3], n = product(shape, 0, k - 3);
        Table one = as_stored(dump, 1, n, 4 * pairs);
        one.joined = Table::Joined::rotations;
        add(std::move(one), {});
    }
    if (k >= 3 && columns == 2) {  // [n, c, 2]
        const std::int64_t n = shape[k - 3], slices = product(shape, 0, k - 3);
        Table one = as_stored(dump, slices, n, 2 * rows);
        one.joined = Table::Joined::pairs;
        add(std::move(one), {shape.begin(), shape.end() - 3});
    }
    if (k >= 3 && shape[0] == 2 && columns > 2) {  // [2, …, n, c]
        const std::int64_t slices = product(shape, 1, k - 2), half = slices * rows * columns;
        Table one = gathered(dump, slices, rows, 2 * columns, [&](auto s, auto r, auto c) {
            return (c / columns) * half + (s * rows + r) * columns + c % columns;
        });
        one.joined = Table::Joined::apart;
        add(std::move(one), {shape.begin() + 1, shape.end() - 2});
    }
    const std::int64_t slices = product(shape, 0, k - 2);
    add(as_stored(dump, slices, rows, columns), {shape.begin(), shape.end() - 2});
    return made;
}

std::optional<Table> turned_table(const StoredTensor& dump) {
    constexpr std::int64_t kMostTurned = 4096;
    const std::vector<std::int64_t> shape = squeezed(dump);
    const std::size_t k = shape.size();
    if (k >= 3 && shape.back() > 2) {  // [n, b, c]
        const std::int64_t columns = shape.back(), inner = product(shape, 1, k - 1);
        Table made = gathered(dump, inner, shape[0], columns,
                              [&](auto s, auto r, auto c) { return (r * inner + s) * columns + c; });
        made.rows_first = true;
        made.slice_shape.assign(shape.begin() + 1, shape.end() - 1);
        return made;
    }
    if (k != 2 || shape[0] > kMostTurned) return std::nullopt;  // [c, n]
    Table made =
        gathered(dump, 1, shape[1], shape[0], [&](auto, auto r, auto c) { return c * shape[1] + r; });
    made.transposed = true;
    return made;
}

std::vector<Form> forms_of(const Table& t) {
    using enum PairLayout;
    std::vector<Form> made;
    const std::int64_t d = t.columns, h = d / 2, q = d / 4;
    // Column c is of pair c mod period / run, and its second number in every other run of `turn` columns; 0: one function alone.
    const auto add = [&](std::string_view name, std::int64_t pairs, std::int64_t period, std::int64_t run,
                         std::int64_t turn, std::optional<PairLayout> layout) {
        for (const bool sine_first : {false, true}) {
            Form form{name, {}, pairs, layout, turn > 0, sine_first};
            for (std::int64_t c = 0; c < d; ++c)
                form.cells.push_back({c % period / run, (turn > 0 && c / turn % 2 == 1) != sine_first, 1.0});
            made.push_back(std::move(form));
        }
    };
    const auto same = [&](std::int64_t pairs, std::int64_t step, std::int64_t by, double within) {
        return most_pairs(pairs, [&](auto i) { return equal(t, step * i, step * i + by, within); });
    };
    const auto circles = [&](std::int64_t pairs, std::int64_t step, std::int64_t by) {
        return most_pairs(pairs, [&](auto i) { return circle(t, step * i, step * i + by); });
    };
    if (t.joined == Table::Joined::rotations) {  // c −s s c
        Form form{"rotations", {}, q, std::nullopt, true, false};
        for (std::int64_t c = 0; c < d; ++c)
            form.cells.push_back({c / 4, c % 4 == 1 || c % 4 == 2, c % 4 == 1 ? -1.0 : 1.0});
        return {std::move(form)};
    }
    // Each column twice, exactly; or parted by noise, of which neighbours in a wide table are no sign.
    const auto copies = [&](double within) {
        const bool apart = t.joined == Table::Joined::apart, exact = within < 1e-3;
        const std::int64_t pairs = apart ? q : h;
        if (d % (apart ? 4 : 2) != 0 || d < 4 || (!exact && d > 512)) return;
        if (same(pairs, 1, pairs, within))
            add(apart ? "apart_halves" : "twice_halves", pairs, pairs, 1, apart ? h : 0, halves);
        if (same(pairs, 2, 1, within) && (!apart || made.empty()))
            add(apart ? "apart_pairs" : "twice_pairs", pairs, 2 * pairs, 2, apart ? h : 0, interleaved);
    };
    constexpr double kExact = 2e-6, kParted = 0.05;
    copies(kExact);
    const bool twice = !made.empty();
    if (t.joined == Table::Joined::apart) {
        if (!twice && circles(h, 1, h)) add("apart", h, h, 1, h, std::nullopt);
        if (!twice) copies(kParted);
        return made;
    }
    if (d % 2 == 0 && d >= 2) {
        if (circles(h, 1, h)) add("halves", h, h, 1, h, halves);
        if (circles(h, 2, 1)) add("pairs", h, d, 2, 1, interleaved);
        // sin and cos of the one axis of an image, then of the other.
        if (d % 4 == 0 && q >= 4 &&
            most_pairs(h, [&](auto i) { return circle(t, i + i / q * q, i + i / q * q + q); })) {
            add("blocks", h, q, 1, q, std::nullopt);
            for (Form& form : std::span(made).last(2)) {
                form.blocks = 2;
                for (std::int64_t c = h; c < d; ++c) form.cells[static_cast<std::size_t>(c)].pair += q;
            }
        }
    }
    add("single", d, d, 1, 0, std::nullopt);
    if (!twice) copies(kParted);
    return made;
}

}  // namespace posiscope::measuring
