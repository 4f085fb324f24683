// A figure for print marks nothing that is selected: two scenes that select different things look the same.
#include "app/figures/parts/marks.hpp"
#include "tests/figures/fingerprint.hpp"
#include "tests/figures/hand.hpp"

#include <gtest/gtest.h>

namespace posiscope::test::bare_test {
namespace {

std::uint64_t drawn(std::string_view figure, const Scene& scene) {
    Stage stage;
    Fingerprint canvas;
    stage.draw(canvas, *figures::find_figure(figure), scene);
    return canvas.value();
}

struct Selected {
    const char *figure, *key;
};

TEST(Bare, WhatIsSelectedIsNotDrawn) {
    for (const Selected& one :
         {Selected{"sum", "pair"}, Selected{"waves", "position"}, Selected{"layout", "position"},
          Selected{"precision", "position"}, Selected{"matrix", "position"}, Selected{"scores", "offset"},
          Selected{"spectrum", "pair"}}) {
        Scene a = scene_of({{"encoding", "rope"}, {"d_model", 64}, {one.key, 3}}),
              b = scene_of({{"encoding", "rope"}, {"d_model", 64}, {one.key, 5}});
        EXPECT_NE(drawn(one.figure, a), drawn(one.figure, b)) << one.figure;
        figures::hide_marks(a);
        figures::hide_marks(b);
        EXPECT_EQ(drawn(one.figure, a), drawn(one.figure, b)) << one.figure;
    }
}

TEST(Beside, EveryValueIsACurveWithItsNameAndTheRefusedOnesAreSaid) {
    for (const char* figure : {"scores", "spectrum"}) {
        const Json list = {"base=100", "base=5000", "base=banana", "view.scores.beside=[]"};
        const Scene scene =
            scene_of({{"encoding", "rope"}, {"d_model", 64}, {"view", {{figure, {{"beside", list}}}}}});
        Hand hand(figure, scene);
        for (const char* name : {"base=100", "base=5000", "base=banana: refused"})
            EXPECT_TRUE(hand.canvas.says(name)) << figure << " " << name;
        Scene other = scene;
        figures::set_view_value(other, figure, "beside",
                                Json{"base=100", "base=6000", "base=banana", "view.scores.beside=[]"});
        EXPECT_NE(drawn(figure, scene), drawn(figure, other)) << figure;
    }
}

}  // namespace
}  // namespace posiscope::test::bare_test
