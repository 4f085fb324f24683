// basis_products.cpp — the products of the columns with one another.
#include "app/figures/matrix/basis.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::matrix::basis {
namespace {

constexpr std::int64_t kMostColumns = 512;  // of a picture
constexpr double kProduct = 1.3;            // units of a product of two numbers

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
            spend(kProduct * static_cast<double>((a + 1) * table->rows));
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

struct EnlargedKey {
    Kept<Products> of;
    int factor;
    bool operator==(const EnlargedKey&) const = default;
};
struct KeptProducts {
    Slow<Key, Products> products;
    Kept<Products> shown;
    Memo<EnlargedKey, Enlarged> enlarged;
};

}  // namespace

const Products* products(Frame& f, const Scene& scene, Derived& derived) {
    KeptProducts& kept = derived.part<KeptProducts>();
    kept.shown = kept.products.get(f.derived.background(), key_of(scene, derived),
                                   [](const Key& key) { return products_of(key); });
    return kept.shown.get();
}

const Enlarged& enlarged(Derived& derived, int factor) {
    KeptProducts& kept = derived.part<KeptProducts>();
    return *kept.enlarged.get({kept.shown, factor}, [](const EnlargedKey& key) {
        return enlarge(key.of->gram, static_cast<int>(key.of->side), key.factor, key.factor);
    });
}

}  // namespace posiscope::figures::matrix::basis
