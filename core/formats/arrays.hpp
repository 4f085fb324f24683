// arrays.hpp — named arrays of float64, and the four formats they are written in.
// json    {"inv_freq": [1, 0.5, …], "table": [[…], …], "units": {…}, "scene": {…}}: nested lists; a non-finite number
//         is null.
// npy     one array: that array. Several: a record of shape () with one field per array, so that
//         np.load(path)["inv_freq"] gives it. Little-endian float64, C order.
// npz     np.load(path)["inv_freq"] of one or several, of any size. The file's comment, of at most 65535 bytes, is JSON: "units" and
//         "scene" as in json, and "axes", the names of dimensions. The same arrays give the same bytes.
// csv     comment lines "# scene: {…}" and "# units: …", a line of names, then one line per row. An array of one
//         dimension is one column; with more, one column per index: "table[0]", "rotation[1][0]". Shorter columns end
//         in empty cells.
// Numbers in json and csv have the fewest digits (at most 17) that read back as the same double.
#pragma once

#include "core/problem.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

// A dimension: what counts along it, and from where.
struct Axis {
    std::string_view name;  // "query"
    std::int64_t first = 0;

    bool operator==(const Axis&) const = default;
};

struct Shape {
    std::string_view name;
    std::vector<std::int64_t> sizes;  // empty: a single number
    std::string_view unit = {};       // "rad/position"; empty: a plain number
    std::vector<Axis> axes = {};      // one for each size; none: without names

    bool operator==(const Shape&) const = default;
};

// The number of values, at most 2^63 − 1.
std::int64_t count(const Shape& shape);

struct Array {
    Shape shape;
    std::vector<double> values;  // row-major
};

// Receives the bytes of a file piece by piece.
using Sink = std::function<void(std::string_view)>;

// `scene` is the JSON of the Scene behind the values, on one line; empty: none.
void write_json(std::span<const Array> arrays, std::string_view scene, const Sink& sink);
struct CsvForm {
    const char* separator = ",";          // a tabulator for pasting into a spreadsheet
    bool comments = true;                 // the units
    std::optional<std::size_t> row = {};  // only this row, after the names
};
void write_csv(std::span<const Array> arrays, std::string_view scene, const Sink& sink,
               const CsvForm& form = {});

// "head,query,key,attention": a line for each number of the arrays, with its place, as data frames take it; single numbers are
// comments. Refuses arrays of different sizes.
Result<void> write_long_csv(std::span<const Array> arrays, std::string_view scene, const Sink& sink);

// Refuses several arrays that together have 2 GiB or more: NumPy's records cannot hold them.
Result<void> write_npy(std::span<const Array> arrays, const Sink& sink);
void write_npz(std::span<const Array> arrays, std::string_view scene, const Sink& sink);
// {"units": {"inv_freq": "rad/position"}, "scene": {…}, "axes": {"attention": ["head", "query", "key"]}}: those there are; or "".
std::string units_axes_and_scene(std::span<const Array> arrays, std::string_view scene);

}  // namespace posiscope
