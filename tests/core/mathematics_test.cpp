// Mathematics in texts: between two $, and nowhere else.
#include "core/mathematics.hpp"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using mathematics::plain;
using mathematics::read;
using mathematics::write;

// The form in memory, with its control characters to be seen.
std::string seen(std::string_view written) {
    std::string text = read(written);
    for (char& c : text)
        c = c == mathematics::kSign    ? '/'
            : c == mathematics::kIndex ? '['
            : c == mathematics::kPower ? '<'
            : c == mathematics::kEnd   ? ';'
                                       : c;
    return text;
}

TEST(Mathematics, IsBetweenTwoDollars) {
    EXPECT_EQ(seen("so $M_k$ is fixed"), "so /M[k;/ is fixed");
    EXPECT_EQ(seen("$M_a M_b = M_{a+b}$"), "/M[a; M[b; = M[a+b;/");
    EXPECT_EQ(seen("所以$ω_i$，$|q_i k_i|$"), "所以/ω[i;/，/|q[i; k[i;|/");
    EXPECT_EQ(seen("$e^{iωk}$, $T^i c_0$, $10^18$, $底数^{−2i/d}$"),
              "/e<iωk;/, /T<i; c[0;/, /10<18;/, /底数<−2i/d;/");
    EXPECT_EQ(seen("$c_ω$ and $2^{−8(h + 1)/H}$"), "/c[ω;/ and /2<−8(h + 1)/H;/");
    EXPECT_EQ(seen("$ω_{{first}}$ is a place"), "/ω[{first};/ is a place");
}

TEST(Mathematics, NothingElseIsInterpreted) {
    for (const char* text : {"d_model, rope_theta and x_1", "2^3 and e^{ix}", "costs 5 $", "$", "", "a$"})
        EXPECT_EQ(read(text), text);
    EXPECT_EQ(seen("$$"), "$");
    EXPECT_EQ(seen("$$5 or $M_k$"), "$5 or /M[k;/");
    EXPECT_EQ(seen("$M_k$ costs $5"), "/M[k;/ costs $5");
    EXPECT_EQ(seen("$x_ ^2 _k a__b M_{k$"), "/x_ ^2 _k a__b M_{k/")
        << "without a letter, or without a script";
}

TEST(Mathematics, IsPlainOnATerminal) {
    EXPECT_EQ(plain(read("so $M_k$, $M_{k}$, $x_12$")), "so M_k, M_k, x_12");
    EXPECT_EQ(plain(read("$M_{a+b}$, $b^{−2i/d}$, $e^{ix}$")), "M_(a+b), b^(−2i/d), e^(ix)");
    EXPECT_EQ(plain(read("d_model costs $$5")), "d_model costs $5");
}

TEST(Mathematics, IsWrittenAsItIsRead) {
    for (const char* text : {"so $M_{k}$ is fixed", "$b^{−2i/d}$", "$p + k$, $$ and d_model", ""})
        EXPECT_EQ(write(read(text)), text);
    EXPECT_EQ(write(read("$M_kx$, $M_{k}x$")), "$M_{kx}$, $M_{k}x$");
}

// A lesson's text may hold any bytes.
TEST(Mathematics, AnyTextIsRead) {
    for (const char* text :
         {"$$$", "$_$", "$^{$", "$a_{{}$}", "\x02\x03\x04\x01", "$a_\xe4$", "$\x04_k$ $"}) {
        EXPECT_FALSE(read(text).empty());
        (void)plain(read(text));
        (void)write(read(text));
    }
}

}  // namespace
}  // namespace posiscope
