// gtest.h — a property as a test of GoogleTest.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#define RC_GTEST_PROP(Suite, Name, Parameters) \
    static void Suite##_##Name##_holds Parameters; \
    TEST(Suite, Name) { EXPECT_EQ(::rc::hold(Suite##_##Name##_holds), ""); } \
    static void Suite##_##Name##_holds Parameters
