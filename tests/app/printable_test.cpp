// What a terminal is given: nothing that steers it, and nothing that is not text.
#include "app/commands/streams.hpp"

#include "core/json.hpp"

#include <gtest/gtest.h>
#include <random>

namespace posiscope::commands::printable_test {
namespace {

TEST(Printable, TextStaysAsItIs) {
    for (const std::string_view text : {"", "a/b.json", "狗咬人", "M_k · ω₃₁ = 1 − ½", "🙂"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatSteersATerminalIsEscaped) {
    EXPECT_EQ(printable("\x1b[2Jx"), "\\x1b[2Jx");
    EXPECT_EQ(printable("a\nb\r\t\x7f"), "a\\x0ab\\x0d\\x09\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\u009b31m");  // C1: CSI in one character
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "gnp.exe"),
              "\\u202egnp.exe");  // right to left override
    EXPECT_EQ(printable("\xe2\x81\xa6\xd8\x9c"), "\\u2066\\u061c");
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
    EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // a longer form than needed
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
    EXPECT_EQ(printable("\xe7\x8b"), "\\xe7\\x8b");           // cut
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, AnyBytesBecomeText) {
    std::mt19937 random(7);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes(random() % 12, ' ');
        for (char& byte : bytes) byte = static_cast<char>(random() % 256);
        const std::string text = printable(bytes);
        EXPECT_TRUE(is_utf8(text));
        EXPECT_EQ(printable(text), text);
    }
}

}  // namespace
}  // namespace posiscope::commands::printable_test
