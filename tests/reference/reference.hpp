// reference.hpp — cases made by running other people's implementations, and the rule that ours are held to.
// A folder of fixtures: manifest.json names every file, its function and how many cases it has.
// |got − want| ≤ max(abs, rel · |want|, 8 · 2^-53 · largest |angle| that enters), since the sources multiply in
// float64. An unknown file or function, a key that nobody compares, or an empty expected array is a failure.
#pragma once

#include "core/json.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace posiscope::reference {

struct Fixture {
    std::string name;      // the file's stem
    std::string function;  // of the source
    Json tolerance;
    Json cases;
    std::size_t counted = 0;  // cases that the manifest promises
};

std::filesystem::path folder();
Json read_json(const std::filesystem::path& path);
std::vector<std::string>
fixture_names();  // from the manifest and from the folder: a stray file is a fixture too
Fixture load(const std::string& name);

// One case: its inputs, and the comparing.
class Case {
public:
    Case(const Fixture& fixture, const Json& json) : fixture_(fixture), json_(json) {}

    const Json& input(const char* key) const { return json_.at("inputs").at(key); }
    const Json& inputs() const { return json_.at("inputs"); }
    const Json& other(std::size_t index) const { return fixture_.cases.at(index).at("inputs"); }
    bool has(const char* key) const { return json_.contains(key); }
    std::string name() const { return json_.value("name", ""); }

    // Compares `got`, flat and row-major, with what stands under `key`.
    void expect(const std::string& key, std::span<const double> got, double largest_angle = 0.0);
    void finish() const;  // every expected key was compared

private:
    const Fixture& fixture_;
    const Json& json_;
    std::set<std::string> compared_;
};

struct Handler {
    std::string function;  // the first word of the source's function
    std::function<void(Case&)> run;
};
const Handler* find_handler(const std::string& name);

// JSON arrays of any depth, flattened row-major.
std::vector<double> flat(const Json& json);
std::vector<std::int64_t> whole(const Json& json);
std::size_t extent(const Json& json, std::size_t depth);  // the length of the array at that depth

// Groups of handlers, one a file.
using Handlers = std::vector<std::pair<std::string, Handler>>;
Handlers absolute_handlers();
Handlers relative_handlers();
Handlers scaling_handlers();
Handlers rotary_handlers();
Handlers family_handlers();
Handlers position_handlers();

}  // namespace posiscope::reference
