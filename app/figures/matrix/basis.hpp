// basis.hpp — the table as a basis: products and spectra of its columns, rank and least gap of its rows, over n positions.
// A file a mode computes them (below), basis.cpp draws the products, basis_curves.cpp the rest. Of a
// sinusoidal table they are closed forms of any length; of a table of numbers, a learned one, sums over its first rows.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/enlarged.hpp"
#include "core/basis/columns.hpp"
#include "core/numeric/svd.hpp"

namespace posiscope::figures::matrix {

// True for a mode of the basis; and true if the encoding has them, because it adds a table to the input.
bool is_basis(std::string_view mode);
bool has_basis(const Scene& scene);

std::string_view basis_headline(Frame& f);
void draw_basis(Frame& f, Rect area);

namespace basis {

// Products of every `stride`-th pair: (2/n) PEᵀ PE, or for numbers the same with a mean diagonal of 1.
struct Products {
    std::vector<float> gram;  // [side, side]
    std::size_t side = 0;
    std::int64_t stride = 1, rows = 0;
    double worst = 0.0;          // largest |entry| beside the diagonal
    double least = 0.0;          // smallest entry on it
    std::size_t at[2] = {0, 0};  // the worst, as columns of the gram
    std::optional<Problem> problem;
};

// The power of one pair's columns by bin.
struct Transform {
    std::vector<double> power[2];  // first component, second
    Leakage leakage[2];
    std::int64_t rows = 0;
    std::optional<Problem> problem;
};
// For pairs 0, stride, 2·stride, …: the fraction of the power in the strongest bin of each column.
struct Strongest {
    std::vector<double> fraction[2];
    std::int64_t stride = 1;
};

struct RankPoint {
    std::int64_t rows, rank;
};
struct Ranks {
    std::int64_t exact = 0, width = 0, nodes = 0;  // of the Scene's length
    std::int64_t rows = 0;                         // of the singular values: the first ones
    std::vector<double> singular;                  // over the largest
    std::int64_t numeric = 0;                      // those above rounding
    std::vector<RankPoint> curve;                  // numeric rank of fewer and of more rows
    std::vector<double> null;  // α with Σ α_p p_p = 0, of a handful of rows that are not independent
    double null_residual = 0.0;
    std::optional<Problem> problem;
};

struct Gaps {
    std::vector<double> gap;  // by distance 1, 2, …: the least ‖p_i − p_j‖
    std::int64_t rows = 0;
    double least = 0.0, most = 0.0;
    std::int64_t distance = 1;
    std::optional<Problem> problem;
};

// Null while they are computed.
const Products* products(Frame& f, const Scene& scene, Derived& derived);
// The products asked for last, enlarged.
const Enlarged& enlarged(Derived& derived, int factor);
const Transform* transform(Frame& f, const Scene& scene, Derived& derived);
const Strongest* strongest(Frame& f, const Scene& scene, Derived& derived);
const Ranks* ranks(Frame& f, const Scene& scene, Derived& derived);
const Gaps* gaps(Frame& f, const Scene& scene, Derived& derived);

void draw_transform(Frame& f, Rect area);
void draw_ranks(Frame& f, Rect area);
void draw_gaps(Frame& f, Rect area);

// The length as a slider at the foot of a figure, on a logarithmic scale.
void draw_length(Frame& f, Rect row);

}  // namespace basis

}  // namespace posiscope::figures::matrix

// The numbers that all modes of Basis are computed from; each mode has a file.
namespace posiscope::figures::matrix::basis {

inline constexpr std::int64_t kMostRows = 1024;  // of a table of numbers

// The input of all modes: the spectrum and the length for a closed form, else the encoding's numbers.
struct Key {
    Kept<ActionInput> input;
    bool numbers = false;
    std::int64_t pair = 0;  // of the transform
    bool operator==(const Key&) const = default;
};

inline std::int64_t columns_of(const Key& key) { return key.input->d_model / 2 * 2; }
Key key_of(const Scene& scene, Derived& derived);

// The first rows of a table of numbers, column after column; every `stride`-th pair of them.
Result<Table2d> numbers(const ActionInput& scene, std::int64_t most_rows, std::int64_t stride);

}  // namespace posiscope::figures::matrix::basis
