// panels.hpp — the tables that learned-beside-sinusoidal compares: each with its rows' dot products and where it ends.
#pragma once

#include "core/encodings/encodings.hpp"

#include <array>

namespace posiscope::figures::matrix {

inline constexpr std::size_t kMostPanels = 3;

// A table and the dot products of its rows.
struct Panel {
    std::string_view name;  // "matrix.beside.NAME"
    Result<Action> action = tl::unexpected(Problem{});
    Spectrum spectrum;  // of the sinusoidal one
    PairLayout order = PairLayout::interleaved;
    std::int64_t end = 0;     // positions it has
    double range = 1.0;       // of its numbers in colours
    std::vector<float> dots;  // at evenly spaced positions; 0 past the end
    std::uint64_t dots_key = 0;
    double largest = 1.0;     // of the dot products
    double neighbours = 0.0;  // mean cosine of successive rows

    bool sinusoidal() const { return spectrum.pairs() > 0; }
};

struct Panels {
    std::array<Panel, kMostPanels> list;
    std::size_t count = 0;
    std::int64_t rows = 1, width = 1;  // positions and columns in view
    int side = 1;                      // of the picture of dot products

    // The position that one of its rows or columns is about.
    std::int64_t position(int at) const {
        return static_cast<std::int64_t>((at + 0.5) * static_cast<double>(rows) / side);
    }
    const Panel& learned() const { return list[count - 1]; }
};

// The sinusoidal table, a seeded learned one (the Scene's, if that is one) and, if the Scene has it, one from a file.
Panels make_panels(const ActionInput& scene);

}  // namespace posiscope::figures::matrix
