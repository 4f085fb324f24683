// Headlines where a value is zero, one, all, or equal to the one that it is held against: a sentence that compares two numbers does
// not compare a number with itself, one that counts has a form for none, for one and for all.
#include "core/encodings/encodings.hpp"
#include "core/positions/positions.hpp"
#include "tests/figures/recorder.hpp"
#include "tests/figures/stage.hpp"

#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>

namespace posiscope::test::headline_cases_test {
namespace {

// A sentence that no figure may say, and why.
struct Rule {
    std::regex form;
    const char* why;
};

const std::vector<Rule>& rules() {
    const auto of = [](const char* form) { return std::regex(form, std::regex::optimize); };
    static const std::vector<Rule> list = {
        {of("(^|[^0-9.\x89])1 "
            "(pairs|arrows|rows|keys|heads|encodings|positions|wavelengths|frequencies|harmonics|"
            "groups|seeds|checks|kinds|angles|bits|numbers|words|rotations|bins|distances|drafts|tokens|"
            "shifts|"
            "features|columns|curves|levels|steps)\\b"),
         "one has a plural"},
        {of("(^|[^0-9.\x89])0 of [0-9]"), "none is counted as 0 of n"},
        {of("(^|[^0-9.\x89])([0-9]+) of \\2 "
            "(pairs|arrows|heads|wavelengths|frequencies|angles|checks|bins)"),
         "all are counted as n of n"},
        {of("(^| )([^ ]*[0-9][^ ]*), not \\2[ .]"), "a number is not itself"},
        {of("from ([^ ]*[0-9][^ ,.]*) to \\1([ .,:;]|$)"), "from a number to itself"},
        {of("between ([^ ]*[0-9][^ ,.]*) and \\1([ .,:;]|$)"), "between a number and itself"},
        {of("(^| )([^ ]*[0-9][^ ]*) instead of \\2[ .,:;]"), "a number instead of itself"},
        {of("(^| )([^ ]*[0-9][^ ]*) for \\2[ .,:;]"), "a number for itself"},
        {of("A is ([^ ]+) and B is \\1[ :.]"), "A and B are equal"},
        {of("([^ ]*[0-9][^ ]*)( rad)? in A(,| and) \\1( rad)? in B"), "A and B are equal"},
        {of("by (up to )?(more than )?0([ ,]|\\.( |$)|$)"), "by nothing"},
    };
    return list;
}

struct Said {
    std::map<std::string, std::string> wrong;  // the sentence without its numbers, and where it was said
    std::set<std::string> heard;               // with the figure, which is named where one is wrong
    std::size_t sentences = 0;
};

void hear(const figures::Figure& figure, const Scene& scene, bool difference, Said& said,
          const std::string& where) {
    Stage stage;
    figures::Derived of_b;
    for (figures::Derived* one : {&stage.derived, &of_b}) one->work_at_most(1e6);
    const auto b = compared_scene(scene);
    if (b && (difference ? figure.subtracts : figure.overlays))
        stage.other.emplace(figures::Other{*b, of_b, difference});
    Recorder canvas;
    figures::Frame frame = stage.frame(canvas, figure, scene);
    std::string rest(figure.headline(frame));
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find("¦"), rest.size());
        const std::string form = rest.substr(0, end);
        rest.erase(0, end == rest.size() ? end : end + std::string_view("¦").size());
        ++said.sentences;
        if (!said.heard.insert(std::string(figure.id) + form).second) continue;
        for (const Rule& rule : rules())
            if (std::regex_search(form, rule.form))
                said.wrong.emplace(std::string(figure.id) + " " + std::string(frame.mode) + ": " + rule.why,
                                   form + "   " + where);
    }
}

// Each mode of each figure, alone and with B.
void hear_all(const Json& partial, Said& said) {
    const auto laid = overlay(Scene(), partial);
    if (!laid) return;  // the encoding has other widths
    for (const figures::Figure* figure : figures::figures()) {
        if (figure->applies != nullptr && !figure->applies(laid->scene)) continue;
        Scene scene = laid->scene;
        const auto modes =
            figure->modes != nullptr ? figure->modes(scene) : std::span<const std::string_view>();
        for (std::size_t n = 0; n < std::max<std::size_t>(1, modes.size()); ++n) {
            if (!modes.empty()) figures::set_view_value(scene, figure->id, "mode", std::string(modes[n]));
            for (const bool difference : {false, true}) {
                if (difference && scene.compare.is_null()) continue;
                hear(*figure, scene, difference, said, partial.dump());
            }
        }
    }
}

void expect_no(const Said& said) {
    EXPECT_GT(said.sentences, 100U);
    for (const auto& [what, where] : said.wrong) ADD_FAILURE() << what << "\n  " << where;
}

TEST(HeadlineCases, NoneOneEqualAndAllHaveTheirForms) {
    const std::vector<Json> cases = {
        {{"offset", 0}},
        {{"offset", 0}, {"position", 0}},
        {{"offset", 1}},
        {{"offset", -1}},
        {{"length", 1}, {"position", 0}, {"offset", 0}},
        {{"length", 2}, {"position", 0}, {"offset", 1}},
        {{"length", 1000000}},
        {{"base", 1.0001}},
        {{"base", 1e12}, {"length", 3}, {"position", 1}, {"offset", 1}},
        {{"d_model", 2}, {"num_heads", 1}},
        {{"d_model", 4}, {"num_heads", 1}},
        {{"d_model", 8}, {"num_heads", 1}},
        {{"trained", {{"length", 24}}}},
        {{"trained", {{"length", 1}}}},
        {{"compare", Json::object()}},
        {{"compare", {{"base", 500}}}, {"offset", 0}},
        {{"compare", {{"base", 500}}}, {"length", 1}, {"position", 0}, {"offset", 0}},
        {{"content", {{"kind", "tokens"}, {"text", {"a"}}}}},
        {{"content", {{"kind", "tokens"}, {"text", {"a", "a", "a"}}, {"order", {2, 1, 0}}}}},
        {{"view", {{"waves", {{"terms", 1}}}}}},
    };
    Said said;
    for (const Encoding* encoding : encodings())
        for (const Json& one : cases) {
            Json partial{{"encoding", std::string(encoding->kind)},
                         {"d_model", 32},
                         {"num_heads", 2},
                         {"length", 24},
                         {"position", 4},
                         {"pair", 1}};
            partial.update(one);
            hear_all(partial, said);
        }
    for (const char* type : {"linear", "dynamic", "yarn", "llama3", "ntk"})
        for (const double factor : {1.0, 2.0}) {
            Json partial{
                {"encoding",
                 {{"kind", "rope"},
                  {"rope_scaling",
                   {{"rope_type", type}, {"factor", factor}, {"original_max_position_embeddings", 12}}}}},
                {"d_model", 32},
                {"pair", 1},
                {"length", 24},
                {"trained", {{"length", 12}}}};
            for (const int width : {2, 4, 32}) {
                partial["d_model"] = width, partial["pair"] = 0;
                hear_all(partial, said);
            }
        }
    expect_no(said);
}

TEST(HeadlineCases, PositionsHaveThemAtEveryToken) {
    Said said;
    for (const Policy& policy : policies()) {
        std::vector<std::string> slips{std::string(kNoSlip)};
        for (const Parameter& parameter : policy.parameters)
            if (parameter.key == "slip") slips.assign(parameter.choices.begin(), parameter.choices.end());
        for (const std::string& slip : slips)
            for (const char* kind : {"rope", "none"})
                for (int token = 0; token < 40; ++token) {
                    Json ids{{"kind", std::string(policy.kind)}};
                    if (slips.size() > 1) ids["slip"] = slip;
                    const auto laid = overlay(Scene(), {{"encoding", kind},
                                                        {"d_model", 16},
                                                        {"length", 64},
                                                        {"position", token},
                                                        {"offset", 0},
                                                        {"view", {{"ids", ids}}}});
                    ASSERT_TRUE(laid) << to_string(laid.error());
                    for (const char* id : {"positions", "distances", "verdict"})
                        hear(*figures::find_figure(id), laid->scene, false, said,
                             ids.dump() + " " + kind + " " + std::to_string(token));
                }
    }
    expect_no(said);
}

}  // namespace
}  // namespace posiscope::test::headline_cases_test
