// Words as content: splitting text, refusals, and their attention.
#include "core/scene/settings.hpp"
#include "core/scene/words.hpp"

#include "core/attention/expansion.hpp"
#include "core/attention/identities.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/content.hpp"
#include "tests/core/scenes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

namespace posiscope::words_test {
namespace {

using Words = std::vector<std::string>;

TEST(Words, ATextThatIsCutEndsWithAWholeCharacter) {
    const std::string_view text = "a字😀é";
    const std::size_t ends[] = {0, 1, 1, 1, 4, 4, 4, 4, 8, 8, 10};
    for (std::size_t most = 0; most <= text.size(); ++most)
        EXPECT_EQ(whole_characters(text.substr(0, most)).size(), ends[most]) << most;
    EXPECT_EQ(as_utf8(text), text);
    EXPECT_EQ(as_utf8("caf\xe9/\xff.npy"), "caf\uFFFD/\uFFFD.npy");
    EXPECT_TRUE(is_utf8(as_utf8("\xf0\x9f\xe5\xad\xed\xa0\x80")));
}

TEST(Words, SpacesSeparateElseChineseGoesByCharacter) {
    EXPECT_EQ(split_words("dog bites man"), (Words{"dog", "bites", "man"}));
    EXPECT_EQ(split_words("狗咬人"), (Words{"狗", "咬", "人"}));
    EXPECT_EQ(split_words("狗 咬　人"), (Words{"狗", "咬", "人"})) << "also with a wide space";
    EXPECT_EQ(split_words("我 爱 北京"), (Words{"我", "爱", "北京"})) << "who writes spaces means them";
    EXPECT_EQ(split_words("GPT很好！"), (Words{"GPT", "很", "好", "！"}));
    EXPECT_EQ(split_words("  two\twords\n"), (Words{"two", "words"}));
    EXPECT_EQ(split_words("狗😀咬"), (Words{"狗", "😀", "咬"}));
    EXPECT_EQ(split_words("葛󠄀城"), (Words{"葛󠄀", "城"}))
        << "a variation selector stays with its character";
    EXPECT_EQ(split_words("개가 사람을"), (Words{"개가", "사람을"}));
    EXPECT_EQ(split_words(" \u200b "), Words());
    EXPECT_EQ(split_words(""), Words());
}

RC_GTEST_PROP(Words, ATextGivesBackItsWords, ()) {
    const auto words = *rc::gen::container<Words>(
        rc::gen::elementOf(Words{"dog", "狗", "北京", "GPT-4", "ü", "😀", "カタカナ", "a\u0301b", "！"}));
    RC_ASSERT(split_words(joined_words(words)) == words);
}

std::string refused(const Json& content) {
    const auto laid = overlay(Scene(), {{"content", content}});
    return laid ? "" : to_string(laid.error());
}

TEST(Words, WhatIsNoSentenceIsRefused) {
    const auto tokens = [](const Json& text, const Json& order = nullptr) {
        return Json{{"kind", "tokens"}, {"text", text}, {"order", order}};
    };
    EXPECT_EQ(refused(tokens(Json(64, "a"))), "");
    EXPECT_EQ(refused(tokens(Json(65, "a"))), "content.words_many (count=65, maximum=64)");
    EXPECT_EQ(refused(tokens({std::string(32, 'x')})), "");
    EXPECT_EQ(refused(tokens({std::string(33, 'x')})).substr(0, 17), "content.word_long");
    EXPECT_EQ(refused(tokens({"a", 1})), "value.kind (path=content.text[1], kind=text, value=1)");
    EXPECT_EQ(refused(tokens({"a", ""})), "content.word_unseen (path=content.text[1])");
    EXPECT_EQ(refused(tokens({"a\x01"})), "content.word_unseen (path=content.text[0])");
    EXPECT_EQ(refused(tokens({"a", "b"}, {1, 0})), "");
    for (const Json& order : {Json{0}, Json{0, 0}, Json{0, 2}, Json{-1, 0}, Json{0.5, 1}, Json{"0", 1}})
        EXPECT_EQ(refused(tokens({"a", "b"}, order)), "content.order (value=" + order.dump() + ", count=2)");
}

TEST(Words, AreSetAsTextAndKeptWithTheScene) {
    Scene s = scene(R"({"content": {"kind": "tokens", "text": "dog bites man", "order": [2, 0, 1]}})");
    EXPECT_EQ(words_of(s.content.parameters), (Words{"dog", "bites", "man"}));
    EXPECT_EQ(order_of(s.content.parameters), (std::vector<std::int64_t>{2, 0, 1}));
    EXPECT_EQ(scene(to_json(s).dump()), s);
    const auto other = overlay(s, *partial_from_setting(s, "content.text=狗咬"));
    ASSERT_TRUE(other) << to_string(other.error());
    EXPECT_EQ(words_of(other->scene.content.parameters), (Words{"狗", "咬"}));
    EXPECT_EQ(order_of(other->scene.content.parameters), (std::vector<std::int64_t>{0, 1}))
        << "other words come in their own order";
    const auto number = overlay(s, partial_from_value(s, "content.text", "12"));
    ASSERT_TRUE(number) << to_string(number.error());
    EXPECT_EQ(words_of(number->scene.content.parameters), (Words{"12"})) << "a text stays one";
    EXPECT_EQ(scene(R"({"content": {"kind": "tokens", "order": [0, 1, 2]}})"),
              scene(R"({"content": "tokens"})"))
        << "an order that changes nothing is none";
}

// Computed apart from us: FNV-1a over the UTF-8 bytes of 狗, then the generator's first columns for seed 0.
TEST(Words, AVectorIsTheSameEverywhere) {
    EXPECT_EQ(word_hash(""), 0xcbf29ce484222325ULL);
    EXPECT_EQ(word_hash("a"), 0xaf63dc4c8601ec8cULL);
    EXPECT_EQ(word_hash("狗"), 0x27a2b41b6cf9b2a0ULL);
    const Scene s = scene(R"({"d_model": 4, "pair": 0, "encoding": "none",
                              "content": {"kind": "tokens", "text": "狗 咬 狗", "weights": "identity"}})");
    const auto made = project(s);
    ASSERT_TRUE(made);
    const double pinned[] = {1.459624712862564, -0.5352990441906674, -0.014941462616614854};
    for (std::size_t f = 0; f < 3; ++f) EXPECT_DOUBLE_EQ(made->q[f], pinned[f]);
    for (std::size_t f = 0; f < 4; ++f)
        EXPECT_EQ(made->q[f], made->q[8 + f]) << "the same word, the same vector";
    EXPECT_NE(made->q[0], made->q[4]);
}

Scene sentence(std::string_view kind, bool causal, const Json& order) {
    return overlay(Scene(), {{"encoding", kind},
                             {"d_model", 24},
                             {"num_heads", 3},
                             {"pair", 1},
                             {"causal", causal},
                             {"content", {{"kind", "tokens"}, {"text", "a b c d e"}, {"order", order}}}})
        ->scene;
}

TEST(Words, AnOrderInTheContentIsAnOrderOfItsRows) {
    const std::vector<std::int64_t> order = {3, 0, 4, 2, 1};
    for (const std::string_view kind : encoding_kinds()) {
        const auto typed = *project(sentence(kind, false, Json::array()), Added::sum, order),
                   moved = *project(sentence(kind, false, order));
        EXPECT_EQ(typed.q, moved.q) << kind;
        EXPECT_EQ(typed.v, moved.v) << kind;
    }
    const auto plain = *equivariance(sentence("none", false, Json::array()), order);
    EXPECT_LT(plain.residual, 1e-14);
    EXPECT_GT(plain.moved, 0.1);
    for (const Scene& s : {sentence("none", true, Json::array()), sentence("rope", false, Json::array())})
        EXPECT_GT(equivariance(s, order)->residual, 1e-3) << s.encoding.kind;
}

TEST(Words, AttentionHasARowForEachWordWhateverTheLength) {
    const Scene s = sentence("rope", false, Json::array());
    EXPECT_EQ(s.length, 128);
    for (const char* name : {"logits", "attention", "expansion"}) {
        const auto made = evaluate(*find_quantity(name), s, 1U << 30U);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ((*made)[0].shape.sizes, (std::vector<std::int64_t>{3, 5, 5})) << name;
        EXPECT_EQ((*made)[0].values.size(), 75U) << name;
    }
    const Scene empty = scene(R"({"content": {"kind": "tokens", "text": ""}})");
    EXPECT_EQ(attention(empty).error().key, "content.no_words");
    EXPECT_EQ(expansion(empty).error().key, "content.no_words");
}

TEST(Words, OneHeadIsItsPartOfAll) {
    for (const std::string_view kind : encoding_kinds()) {
        const AttentionInput s = attended(sentence(kind, true, Json::array()));
        const auto all = *attention(s);
        const auto made = *project(s);
        const std::size_t rows = 5 * 8, cells = 25;
        const auto slice = [&](const std::vector<double>& x) {
            return std::vector<double>(x.begin() + 2 * rows, x.begin() + 3 * rows);
        };
        const Attention one = attend(action_of_head(*action_of(s), 2), {1, 8, 5, 5, {true}}, slice(made.q),
                                     slice(made.k), slice(made.v));
        for (std::size_t i = 0; i < cells; ++i) EXPECT_EQ(one.weights[i], all.weights[2 * cells + i]) << kind;
        for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(one.output[i], all.output[2 * rows + i]) << kind;
    }
}

// Words are read by attention; one query and one key of scores by distance are of no word.
TEST(Words, LeaveScoresByDistanceAsTheyAre) {
    const Scene words =
        overlay(Scene(), *parse_json(R"({"content": {"kind": "tokens", "text": "a b c"}})"))->scene;
    for (const Tensor tensor : {Tensor::query, Tensor::key})
        EXPECT_EQ(content_value(words.content, tensor, 0, 5), content_value(Scene().content, tensor, 0, 5));
    EXPECT_NE(content_value(words.content, Tensor::input, 7, 5), 1.0);
}

TEST(Content, TiedKeysAreTheQueries) {
    Choice content{"seeded", {{"seed", 3}, {"tied", false}, {"weights", "seeded"}}};
    EXPECT_NE(content_value(content, Tensor::query, 0, 5), content_value(content, Tensor::key, 0, 5));
    content.parameters["tied"] = true;
    std::array<double, 8> q{}, k{};
    content_values(content, Tensor::query, 0, q);
    content_values(content, Tensor::key, 0, k);
    EXPECT_EQ(q, k);
    EXPECT_EQ(content_value(content, Tensor::key, 0, 5), q[5]);
    EXPECT_NE(content_value(content, Tensor::value, 0, 5), q[5]);
}

}  // namespace
}  // namespace posiscope::words_test
