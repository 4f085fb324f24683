#include "core/encodings/sinusoidal_table.hpp"

#include <algorithm>

namespace posiscope {
namespace {

// The frequencies of one source, and whether its table is in halves.
struct Source {
    Spectrum spectrum;
    bool halves = false;
    bool zero_column = false;  // if the width is odd
};

Result<Source> source_of(const SinusoidalForm& form) {
    const auto width = static_cast<std::size_t>(form.width);
    const std::size_t half = width / 2;
    if (form.variant == "paper" || form.variant == "halves")
        return Source{geometric_spectrum(form.base, (width + 1) / 2, width, 2), form.variant == "halves"};
    if (form.variant == "tensor2tensor" || form.variant == "fairseq") {
        if (form.variant == "fairseq" && half < 2)
            return refuse("fairseq.width", {{"value", std::to_string(form.width)}});
        const std::uint64_t steps = std::max<std::uint64_t>(half - 1, 1);
        Spectrum spectrum = geometric_spectrum(form.base / form.min_timescale, half, steps);
        if (form.min_timescale != 1.0) {
            for (double& omega : spectrum.frequency) omega *= form.min_timescale;
            spectrum = spectrum_from(std::move(spectrum.frequency));
        }
        return Source{std::move(spectrum), true, true};
    }
    if (width % 2 != 0)
        return refuse("sinusoidal.odd",
                      {{"variant", std::string(form.variant)}, {"value", std::to_string(width)}});
    return Source{geometric_spectrum(form.base, half, half, form.variant == "double_exponent" ? 2 : 1,
                                     form.variant == "two_pi")};
}

}  // namespace

Result<SinusoidalColumns> sinusoidal_columns(const SinusoidalForm& form) {
    auto source = source_of(form);
    if (!source) return tl::unexpected(source.error());
    SinusoidalColumns columns;
    const bool drop = source->zero_column && form.width % 2 != 0;
    const auto used = static_cast<int>(drop ? form.width - 1 : form.width);
    const int sines = source->halves ? (used + 1) / 2 : 0;
    for (int column = 0; column < used; ++column) {
        columns.is_cosine.push_back(source->halves ? column >= sines : column % 2 == 1);
        columns.pair.push_back(!source->halves ? column / 2 : column >= sines ? column - sines : column);
    }
    if (drop) {
        columns.is_cosine.push_back(false);
        columns.pair.push_back(-1);
    }
    columns.spectrum = std::move(source->spectrum);
    return columns;
}

Result<std::vector<double>> sinusoidal_rows(const SinusoidalForm& form,
                                            std::span<const std::int64_t> positions) {
    const auto columns = sinusoidal_columns(form);
    if (!columns) return tl::unexpected(columns.error());
    std::vector<double> rows;
    rows.reserve(positions.size() * columns->pair.size());
    for (const std::int64_t position : positions)
        for (std::size_t column = 0; column < columns->pair.size(); ++column) {
            const int pair = columns->pair[column];
            if (pair < 0 || position == form.padding_idx) {
                rows.push_back(0.0);
                continue;
            }
            const Turn turn = phase(columns->spectrum.step[static_cast<std::size_t>(pair)], position);
            rows.push_back(columns->is_cosine[column] ? cos(turn) : sin(turn));
        }
    return rows;
}

}  // namespace posiscope
