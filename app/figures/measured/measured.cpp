#include "app/figures/measured/measured.hpp"

#include "app/ui/known.hpp"
#include "core/formats/table.hpp"
#include "core/formats/tensor.hpp"
#include "core/json_members.hpp"

#include <algorithm>

namespace posiscope::figures::measured {
namespace {

using measuring::PairMeasured;
using measuring::Verdict;

struct SeenKey {
    Kept<Json> dump;
    Kept<ActionInput> input;
    bool operator==(const SeenKey&) const = default;
};
struct Dumps {
    Same<Json> dump;
    Slow<SeenKey, Seen> seen;
    Kept<Seen> shown;
};

const Json& dump_json(const Scene& scene) {
    static const Json none;
    const auto found = scene.view.find("dump");
    return found != scene.view.end() ? *found : none;
}

// view.dump.
struct Dump {
    std::string file;     // "": none
    std::string after;    // the other one of two: sin beside cos, or q after rotation
    std::string example;  // in a file's place
    std::string tensor, axes;
    double tolerance = 0.0;
};

bool names_dump(const Json& json) {
    return json.is_object() && (!text_at(json, "file").empty() || !text_at(json, "example").empty());
}

Dump read_dump(const Json& json) {
    Dump made;
    if (!json.is_object()) return made;
    made.file = text_at(json, "file");
    made.after = text_at(json, "after");
    if (const std::string& example = text_at(json, "example");
        std::ranges::find(example_names(), example) != example_names().end())
        made.example = example;
    made.tensor = text_at(json, "tensor");
    made.axes = text_at(json, "axes");
    made.tolerance = std::clamp(number_at(json, "tolerance").value_or(0.0), 0.0, 1.0);
    return made;
}

// The arrays of the files; both of a file that holds two.
Result<std::vector<StoredTensor>> arrays_of(const Dump& dump, const Scene& scene) {
    std::vector<StoredTensor> made;
    if (dump.file.empty()) {
        if (dump.example.empty()) return refuse("measured.no_file");
        return example_arrays(dump.example, scene);
    }
    for (const std::string& path : {dump.file, dump.after}) {
        if (path.empty()) continue;
        if (!table_allowed(path)) return failure("file.not_allowed", {{"path", path}});
        auto arrays = dump.after.empty() ? read_tensors(path, dump.tensor)
                                         : read_tensor(path, dump.tensor).map([](StoredTensor&& one) {
                                               return std::vector{std::move(one)};
                                           });
        if (!arrays) return tl::unexpected(in_file(arrays.error(), path));
        for (StoredTensor& one : *arrays) {
            if (one.name.empty() || !dump.after.empty()) one.name = path.substr(path.rfind('/') + 1);
            made.push_back(std::move(one));
        }
    }
    return made;
}

// Pairs from the first on that keep their frequency, and the last ones, all of which divide it by one number.
void find_bands(Seen& seen) {
    const std::vector<PairMeasured>& pairs = seen.measured().pairs;
    const auto divided_by = [](const PairMeasured& pair) { return pair.unscaled / pair.rate; };
    const auto off = [&](const PairMeasured& pair) { return divided_by(pair) * pair.off / pair.rate; };
    const auto told = [](const PairMeasured& pair) {
        return pair.unscaled > 0.0 && pair.rate > 0.0 && !measuring::undecided(pair);
    };
    while (seen.kept < pairs.size() && told(pairs[seen.kept]) &&
           std::abs(divided_by(pairs[seen.kept]) - 1.0) <= off(pairs[seen.kept]) + 1e-5)
        ++seen.kept;
    std::size_t end = pairs.size();
    while (end > 0 && !told(pairs[end - 1])) --end;
    seen.divided = end;
    // The mean of those that are as exact as any so far.
    double sum = 0.0, weight = 0.0;
    for (std::size_t i = end; i-- > seen.kept;) {
        const double value = divided_by(pairs[i]), its = off(pairs[i]) + 1e-6 * value;
        const double mean = weight > 0.0 ? sum / weight : value;
        if (std::abs(value - mean) > 2.0 * its + (weight > 0.0 ? 2.0 / std::sqrt(weight) : 0.0)) break;
        sum += value / (its * its), weight += 1.0 / (its * its);
        seen.divided = i;
    }
    constexpr std::size_t kFew = 3;
    if (end - seen.divided < kFew || std::abs(sum / weight - 1.0) < 1e-3) {
        seen.divided = end;
        return;
    }
    seen.factor = sum / weight;
    seen.factor_off = 1.0 / std::sqrt(weight);
    seen.wanted_factor = pairs[end - 1].unscaled / pairs[end - 1].expected;
}

Seen measure_dump(const SeenKey& key) {
    // Files are read and measured beside the window, however small they are.
    spend(2.0 * kFrameWork);
    Seen made;
    const Dump dump = read_dump(*key.dump);
    Scene scene;
    static_cast<ActionInput&>(scene) = *key.input;
    const auto arrays = arrays_of(dump, scene);
    if (!arrays) {
        made.problem = arrays.error();
        return made;
    }
    made.report.shape_of.shape = arrays->front().shape;
    const std::vector<measuring::Reference> own = measuring::references_of_layers(scene);
    measuring::Wanted wanted;
    wanted.references = own;
    wanted.axes = dump.axes;
    wanted.tolerance = dump.tolerance;
    wanted.beside = true;
    auto report = measuring::report_on_all(*arrays, wanted, std::span(&scene, 1));
    const auto fits = [](const Result<measuring::Report>& one) {
        return one && (one->measured.given || one->measured.verdict == Verdict::right);
    };
    made.of_scene = report.has_value() && report->measured.verdict != Verdict::unknown;
    if (!fits(report)) {  // what it is, if it is not the Scene's
        const std::vector<measuring::Reference> known = ui::known_spectra();
        wanted.references = {};
        wanted.known = known;
        auto other = measuring::report_on_all(*arrays, wanted, {});
        const bool told =
            other && other->measured.verdict != Verdict::unknown && other->measured.explained > 0.9;
        if (told || !made.of_scene) {
            if (other || !report) report = std::move(other);
            made.of_scene = false;
        }
    }
    if (!report) {
        made.problem = report.error();
        return made;
    }
    made.report = std::move(*report);
    for (std::size_t i = 0; i < made.measured().pairs.size(); ++i) {
        const PairMeasured& pair = made.measured().pairs[i];
        made.spectrum.frequency.push_back(pair.expected > 0.0 ? pair.expected : pair.rate);
        if (measuring::differs(pair)) made.differ.push_back(static_cast<std::int64_t>(i));
    }
    find_bands(made);
    if (made.beside() != nullptr) made.shades = shades_of(*made.beside());
    made.places = places_of(made);
    return made;
}

}  // namespace

const Kept<Seen>& kept_seen(Derived& derived, const Scene& scene) {
    static const Kept<Seen> none;
    const Json& json = dump_json(scene);
    if (!names_dump(json)) return none;
    Dumps& kept = derived.part<Dumps>();
    kept.shown = kept.seen.get(derived.background(), {kept.dump.of(json), derived.input<ActionInput>(scene)},
                               [](const SeenKey& key) { return measure_dump(key); });
    return kept.shown;
}

bool is_rotation(Derived& derived, const Scene& scene) {
    const Seen* found = kept_seen(derived, scene).get();
    return found != nullptr && found->measured().what.key == "measured.rotation";
}

bool absent(Frame& f, Rect area) {
    const bool named = names_dump(dump_json(f.scene));
    const Seen* found = named ? seen(f) : nullptr;
    if (found != nullptr && !found->problem) return false;
    // On the bench the spectrum alone says what is missing.
    const bool said_there = f.scene.bench == "measured" && f.figure != "measured";
    if (named && found == nullptr) explain_absence(f, area, being_made());
    else if (!named || said_there)
        explain_absence(f, area,
                        f.figure == "measured" ? std::string_view("measured.no_file")
                                               : f.scratch.format("measured.no_file_{}", f.figure));
    else explain_absence(f, area, *found->problem);
    return true;
}

bool without_columns(Frame& f, Rect area) {
    if (absent(f, area)) return true;
    if (seen(f)->beside() != nullptr) return false;
    explain_absence(f, area, "measured.no_columns");
    return true;
}

namespace {

std::int64_t selected(const Scene& scene, std::string_view key, std::int64_t count, std::int64_t unset) {
    const Json* chosen = view_value(scene, "rows", key);
    return std::clamp<std::int64_t>(
        chosen != nullptr && chosen->is_number_integer() ? chosen->get<std::int64_t>() : unset, 0,
        std::max<std::int64_t>(count, 1) - 1);
}

}  // namespace

std::int64_t slice_of(const Scene& scene, const measuring::Measured& measured) {
    return selected(scene, "head", measured.slices, 0);
}

// The last one, where differences are the largest, as long as none is chosen.
std::int64_t row_of(const Scene& scene, const measuring::Measured& measured) {
    return selected(scene, "selected", measured.rows, measured.rows - 1);
}

}  // namespace posiscope::figures::measured
