#include "core/experiment/results.hpp"

#include "core/experiment/bank.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace posiscope::experiment {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostMoments = 64;  // of a run; ours has eight
constexpr std::size_t kLongestName = 1024;
constexpr double kMostValue = 1e9;  // no score or loss comes near it
constexpr double kSumUnit = 1e4, kLossUnit = 1e5;

double rounded(double value, double unit) { return std::round(value * unit) / unit; }

// Whole numbers without a fraction, as accuracy has them.
Json number(double value) {
    const double kept = rounded(value, kSumUnit);
    return kept == std::trunc(kept) ? Json(static_cast<std::int64_t>(kept)) : Json(kept);
}

Json to_json(const Curve& curve) {
    Json sums = Json::array();
    for (const double sum : curve.sums) sums.push_back(number(sum));
    return {{"sum", std::move(sums)}, {"asked", curve.counts}};
}

Json to_json(const Run& run) {
    Json loss = Json::array(), scores = Json::array();
    for (const double value : run.loss) loss.push_back(rounded(value, kLossUnit));
    for (const Scores& score : run.scores) {
        Json one = {{"scaling", scaling_name(score.scaling)},
                    {"trained", to_json(score.trained)},
                    {"tested", to_json(score.tested)}};
        if (!score.by_distance.sums.empty()) one["by_distance"] = to_json(score.by_distance);
        scores.push_back(std::move(one));
    }
    Json made = {{"encoding", json_of(run.encoding)}, {"seed", run.seed}, {"loss", loss}, {"scores", scores}};
    for (const LearnedNumber& one : run.learned) made["learned"][one.name] = one.numbers;
    for (const Moment& moment : run.moments) {
        Json tested = Json::array();
        for (const double score : moment.tested)
            tested.push_back(std::isfinite(score) ? Json(rounded(score, kSumUnit)) : Json());
        made["moments"].push_back(
            {{"step", moment.step}, {"tested", std::move(tested)}, {"heads", moment.heads.code}});
    }
    return made;
}

// --- Reading ---------------------------------------------------------------------------------------------

// Thrown for a damaged file: caught in results_from, seen nowhere else.
struct Damaged {
    std::string place;
};

const Json& member(const Json& object, const char* key, const std::string& place) {
    if (!object.is_object() || !object.contains(key)) throw Damaged{join_path(place, key)};
    return object[key];
}

std::vector<double> numbers(const Json& object, const char* key, const std::string& place) {
    const Json& list = member(object, key, place);
    std::vector<double> values;
    if (!list.is_array()) throw Damaged{join_path(place, key)};
    for (const Json& value : list) {
        if (!value.is_number() || std::abs(value.get<double>()) > kMostValue)
            throw Damaged{join_path(place, key)};
        values.push_back(value.get<double>());
    }
    return values;
}

std::string text(const Json& object, const char* key, const std::string& place) {
    const Json& value = member(object, key, place);
    if (!value.is_string()) throw Damaged{join_path(place, key)};
    return value.get<std::string>();
}

// A short text, since each run keeps one.
std::string short_text(const Json& object, const char* key) {
    std::string given = text(object, key, "");
    if (given.size() > kLongestName) throw Damaged{key};
    return given;
}

Curve curve(const Json& object, const char* key, std::size_t most, const std::string& place) {
    const std::string here = join_path(place, key);
    const Json& made = member(object, key, place);
    Curve curve;
    curve.sums = numbers(made, "sum", here);
    for (const double count : numbers(made, "asked", here)) {
        if (count < 0.0 || count != std::trunc(count)) throw Damaged{join_path(here, "asked")};
        curve.counts.push_back(static_cast<std::int64_t>(count));
    }
    if (curve.sums.size() > most || curve.counts.size() != curve.sums.size()) throw Damaged{here};
    return curve;
}

Scores scores(const Json& object, const Settings& settings, const Run& run, const std::string& place) {
    const std::string name = text(object, "scaling", place);
    const auto known = scalings_of(run.encoding);
    const auto scaling = std::find_if(known.begin(), known.end(),
                                      [&](Scaling candidate) { return scaling_name(candidate) == name; });
    if (scaling == known.end()) throw Damaged{join_path(place, "scaling")};
    Scores made;
    made.scaling = *scaling;
    made.trained = curve(object, "trained", static_cast<std::size_t>(settings.length), place);
    made.tested = curve(object, "tested", static_cast<std::size_t>(settings.tested), place);
    if (object.contains("by_distance"))
        made.by_distance = curve(object, "by_distance", static_cast<std::size_t>(settings.tested), place);
    return made;
}

Moment moment_from(const Json& object, const Settings& settings, std::int64_t after,
                   const std::string& place) {
    Moment made;
    const Json& step = member(object, "step", place);
    if (!step.is_number_integer() || step.get<std::int64_t>() <= after ||
        step.get<std::int64_t>() > settings.steps)
        throw Damaged{join_path(place, "step")};
    made.step = step.get<std::int64_t>();
    const Json& tested = member(object, "tested", place);
    if (!tested.is_array() || tested.size() > static_cast<std::size_t>(settings.tested))
        throw Damaged{join_path(place, "tested")};
    for (const Json& score : tested) {
        if (!score.is_null() && (!score.is_number() || std::abs(score.get<double>()) > kMostValue))
            throw Damaged{join_path(place, "tested")};
        made.tested.push_back(score.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                              : score.get<double>());
    }
    made.heads = {static_cast<std::size_t>(settings.layers), static_cast<std::size_t>(settings.heads),
                  looked_at(settings), settings.causal, text(object, "heads", place)};
    if (!made.heads.valid()) throw Damaged{join_path(place, "heads")};
    return made;
}

Run run_from(const Json& object, const Settings& settings, const std::string& place) {
    Run run;
    auto entry = entry_from(member(object, "encoding", place), join_path(place, "encoding"));
    if (!entry) throw Damaged{join_path(place, "encoding")};
    run.encoding = std::move(*entry);
    if (std::find(settings.encodings.begin(), settings.encodings.end(), run.encoding) ==
        settings.encodings.end())
        throw Damaged{join_path(place, "encoding")};
    const Json& seed = member(object, "seed", place);
    if (!seed.is_number_unsigned() || seed.get<std::uint64_t>() < 1 ||
        seed.get<std::uint64_t>() > static_cast<std::uint64_t>(settings.seeds))
        throw Damaged{join_path(place, "seed")};
    run.seed = seed.get<std::uint64_t>();
    run.loss = numbers(object, "loss", place);
    if (object.contains("moments")) {
        const Json& moments = object["moments"];
        if (!moments.is_array() || moments.size() > kMostMoments) throw Damaged{join_path(place, "moments")};
        for (const Json& one : moments)
            run.moments.push_back(moment_from(one, settings,
                                              run.moments.empty() ? 0 : run.moments.back().step,
                                              join_path(place, "moments")));
    }
    if (object.contains("learned")) {
        const Json& learned = object["learned"];
        if (!learned.is_object()) throw Damaged{join_path(place, "learned")};
        const Json written = json_of(run.encoding);
        const Json names = written.is_object() ? written.value("learned", Json::array()) : Json::array();
        for (const auto& one : learned.items()) {
            if (std::find(names.begin(), names.end(), one.key()) == names.end())
                throw Damaged{join_path(place, "learned")};
            run.learned.push_back({one.key(), {}});
            for (const Json& number : one.value()) {
                if (!number.is_number()) throw Damaged{join_path(place, "learned")};
                run.learned.back().numbers.push_back(number.get<double>());
            }
        }
    }
    const Json& list = member(object, "scores", place);
    if (!list.is_array() || list.empty()) throw Damaged{join_path(place, "scores")};
    for (const Json& one : list) run.scores.push_back(scores(one, settings, run, join_path(place, "scores")));
    return run;
}

// --- Over the seeds --------------------------------------------------------------------------------------

const Scores* scores_of(const Run& run, Scaling scaling) {
    for (const Scores& scores : run.scores)
        if (scores.scaling == scaling) return &scores;
    return nullptr;
}

double column_of(const Scores& scores, std::size_t length, std::size_t column) {
    if (column > 0) return scores.tested.mean(column * length, (column + 1) * length);
    return scores.scaling == Scaling::none ? scores.trained.mean(0, length)
                                           : scores.tested.mean(length / 2, length);
}

// Rounds as the file of results does, so that runs which were read from one are as those that were not.
std::vector<double> means(const Curve& curve) {
    Curve kept = curve;
    for (double& sum : kept.sums) sum = rounded(sum, kSumUnit);
    std::vector<double> values;
    for (std::size_t at = 0; at < kept.sums.size(); ++at) values.push_back(kept.mean(at, at + 1));
    return values;
}

std::vector<double> losses(const Run& run) {
    std::vector<double> values = run.loss;
    for (double& value : values) value = rounded(value, kLossUnit);
    return values;
}

// One observation a line (the header has the columns).
void write_tidy(const Results& results, const Sink& sink) {
    const Json head = {{"settings", to_json(results.settings)},
                       {"instructions", results.instructions},
                       {"compiler", results.compiler}};
    sink(fmt::format(
        "# experiment: {}\n# value: {}; of a loss nats\nencoding,scaling,seed,curve,at,value,count\n",
        head.dump(), task_of(results.settings).scored_in_nats() ? "nats above the optimum" : "accuracy"));
    for (const Run& run : results.runs) {
        std::string text;
        std::string label = label_of(results.settings.encodings, run.encoding);
        if (label.find(',') != std::string::npos) label = fmt::format("\"{}\"", label);  // it has no quotes
        const auto add = [&](Scaling scaling, std::string_view curve, std::size_t at, double value,
                             std::int64_t count) {
            if (count > 0)
                text += fmt::format("{},{},{},{},{},{},{}\n", label, scaling_name(scaling), run.seed, curve,
                                    at, value, count);
        };
        for (const Scores& scores : run.scores)
            for (const auto& [name, curve] :
                 {std::pair("trained", &scores.trained), std::pair("tested", &scores.tested),
                  std::pair("distance", &scores.by_distance)}) {
                const std::vector<double> values = means(*curve);
                for (std::size_t at = 0; at < values.size(); ++at)
                    add(scores.scaling, name, at, values[at], curve->counts[at]);
            }
        const std::vector<double> values = losses(run);
        for (std::size_t block = 0; block < values.size(); ++block) {
            const auto before = static_cast<std::int64_t>(block) * kLossBlock;
            const std::int64_t steps = std::min(kLossBlock, results.settings.steps - before);
            add(Scaling::none, "loss", static_cast<std::size_t>(before + steps), values[block], steps);
        }
        for (const LearnedNumber& one : run.learned)
            for (std::size_t at = 0; at < one.numbers.size(); ++at)
                add(Scaling::none, "learned " + one.name, at, one.numbers[at], 1);
        sink(text);
    }
}

}  // namespace

std::string to_text(const Results& results) {
    Json head = {{"experiment", kVersion},
                 {"settings", to_json(results.settings)},
                 {"instructions", results.instructions},
                 {"compiler", results.compiler},
                 {"loss_block", kLossBlock}};
    std::string text = head.dump();
    text.pop_back();
    text += ",\n\"runs\": [";
    for (std::size_t at = 0; at < results.runs.size(); ++at)
        text += (at == 0 ? "\n" : ",\n") + to_json(results.runs[at]).dump();
    return text + "\n]}\n";
}

bool looks_like_results(const Json& json) {
    return json.is_object() && json.contains("experiment") && !json.contains("version");
}

Result<Results> results_from(std::string_view file) {
    const auto json = parse_json(file);
    if (!json) return tl::unexpected(json.error());
    if (!json->is_object() || !json->contains("experiment")) return refuse("experiment.not_results");
    if ((*json)["experiment"] != kVersion)
        return refuse("experiment.version", {{"value", shown((*json)["experiment"])}});
    try {
        const Json& given = member(*json, "settings", "");
        if (!given.is_object()) throw Damaged{"settings"};
        auto settings = settings_from(given, "settings");
        if (!settings) return tl::unexpected(settings.error());
        Results results{*settings, short_text(*json, "instructions"), short_text(*json, "compiler"), {}};
        const Json& runs = member(*json, "runs", "");
        if (!runs.is_array()) throw Damaged{"runs"};
        for (std::size_t at = 0; at < runs.size(); ++at) {
            results.runs.push_back(run_from(runs[at], *settings, fmt::format("runs[{}]", at)));
            const Run& last = results.runs.back();
            if (results.run(last.encoding, last.seed) != &last)
                throw Damaged{fmt::format("runs[{}].seed", at)};
        }
        return results;
    } catch (const Damaged& damaged) {
        return refuse("experiment.damaged", {{"path", damaged.place}});
    }
}

std::size_t column_count(const Settings& settings) {
    return static_cast<std::size_t>((settings.tested + settings.length - 1) / settings.length);
}

Spread spread_of(std::span<const double> values) {
    Spread made;
    made.seeds = values.size();
    if (values.empty()) return made;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) made.mean += value / count;
    for (const double value : values)
        made.deviation += (value - made.mean) * (value - made.mean) / std::max(count - 1.0, 1.0);
    made.deviation = std::sqrt(made.deviation);
    made.least = *std::min_element(values.begin(), values.end());
    made.most = *std::max_element(values.begin(), values.end());
    return made;
}

Spread spread(const Results& results, std::string_view encoding, Scaling scaling, std::size_t column) {
    std::vector<double> values;
    for (const Run& run : results.runs) {
        const Scores* const scores = run.encoding == encoding ? scores_of(run, scaling) : nullptr;
        if (scores == nullptr) continue;
        const double value = column_of(*scores, static_cast<std::size_t>(results.settings.length), column);
        if (std::isfinite(value)) values.push_back(value);
    }
    return spread_of(values);
}

Spread learned_spread(const Results& results, std::string_view encoding, std::string_view name) {
    std::vector<double> values;
    for (const Run& run : results.runs)
        for (const LearnedNumber& one : run.learned)
            if (run.encoding == encoding && one.name == name && one.numbers.size() == 1)
                values.push_back(one.numbers[0]);
    return spread_of(values);
}

Result<void> merge(Results& into, const Results& more) {
    if (!same_training(into.settings, more.settings)) {
        const Json a = to_json(into.settings), b = to_json(more.settings);
        for (const auto& [key, value] : a.items())
            if (value != b[key] && key != "encodings" && key != "seeds" &&
                (key != "k" || into.settings.task == "back"))
                return refuse("experiment.other_training",
                              {{"key", key}, {"value", shown(b[key])}, {"other", shown(value)}});
    }
    auto& encodings = into.settings.encodings;
    const auto place = [&](const std::string& name) {
        return std::find(encodings.begin(), encodings.end(), name) - encodings.begin();
    };
    for (const std::string& name : more.settings.encodings)
        if (place(name) == std::ssize(encodings)) encodings.push_back(name);
    if (std::count_if(encodings.begin(), encodings.end(), is_typed) > static_cast<std::ptrdiff_t>(kMostTyped))
        return refuse("experiment.typed_many", {{"most", std::to_string(kMostTyped)}});
    into.settings.seeds = std::max(into.settings.seeds, more.settings.seeds);
    for (const auto& [list, names] :
         {std::pair(&into.instructions, &more.instructions), std::pair(&into.compiler, &more.compiler)})
        for (std::size_t first = 0; first < names->size();) {
            const std::size_t end = std::min(names->find(", ", first), names->size());
            join_once(*list, names->substr(first, end - first));
            first = end + 2;
        }
    for (const Run& run : more.runs) {
        const Run* const there = into.run(run.encoding, run.seed);
        if (there == nullptr) into.runs.push_back(run);
        // Compared as files have them: a missing score is no number, and equals none.
        else if (to_json(*there) != to_json(run))
            return refuse("experiment.two_runs", {{"encoding", label_of(encodings, run.encoding)},
                                                  {"seed", std::to_string(run.seed)}});
    }
    std::stable_sort(into.runs.begin(), into.runs.end(), [&](const Run& a, const Run& b) {
        return std::pair(a.seed, place(a.encoding)) < std::pair(b.seed, place(b.encoding));
    });
    return {};
}

std::vector<Array> arrays_of(const Results& results, std::vector<std::string>& names) {
    struct Column {
        std::string name;
        std::string_view unit;
        std::vector<std::vector<double>> seeds;
    };
    std::vector<Column> columns;
    const std::string_view unit = task_of(results.settings).scored_in_nats() ? "nat" : "";
    const auto add = [&](std::string name, std::string_view of, std::vector<double> values) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const Column& column) { return column.name == name; });
        Column& column =
            found == columns.end() ? columns.emplace_back(Column{std::move(name), of, {}}) : *found;
        column.seeds.push_back(std::move(values));
    };
    for (const Run& run : results.runs) {
        const std::string label = label_of(results.settings.encodings, run.encoding);
        for (const Scores& scores : run.scores) {
            const std::string name =
                label +
                (scores.scaling == Scaling::none ? "" : fmt::format("_{}", scaling_name(scores.scaling)));
            add(name, unit, means(scores.tested));
            if (scores.scaling == Scaling::none) add(name + "_trained", unit, means(scores.trained));
            if (!scores.by_distance.sums.empty()) add(name + "_distance", unit, means(scores.by_distance));
        }
        add(label + "_loss", "nat", losses(run));
        for (const LearnedNumber& one : run.learned) add(label + "." + one.name, "", one.numbers);
    }
    names.clear();
    for (Column& column : columns) names.push_back(std::move(column.name));
    std::vector<Array> arrays;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto& seeds = columns[c].seeds;
        Array array{{names[c],
                     {static_cast<std::int64_t>(seeds[0].size()), static_cast<std::int64_t>(seeds.size())},
                     columns[c].unit},
                    {}};
        for (std::size_t at = 0; at < seeds[0].size(); ++at)
            for (const auto& seed : seeds)
                array.values.push_back(at < seed.size() ? seed[at]
                                                        : std::numeric_limits<double>::quiet_NaN());
        arrays.push_back(std::move(array));
    }
    return arrays;
}

Result<void> write_results(const Results& results, std::string_view ending, const Sink& sink) {
    std::vector<std::string> names;
    if (ending == ".npy") return write_npy(arrays_of(results, names), sink);
    if (ending == ".csv") write_tidy(results, sink);
    else sink(to_text(results));
    return {};
}

}  // namespace posiscope::experiment
