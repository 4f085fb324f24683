// rapidcheck.h — as much of RapidCheck as core's tests ask for, for builds that cannot link its library (node). Nothing is
// shrunk: whoever sees a failure here runs the same test natively.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rc {

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One generator for a whole run, begun anew with each property; sizes grow with the rounds.
inline std::mt19937_64& chance() {
    static std::mt19937_64 generator;
    return generator;
}
inline std::size_t& size() {
    static std::size_t value = 0;
    return value;
}

template <class T>
class Gen {
public:
    explicit Gen(std::function<T()> make) : make_(std::move(make)) {}
    T operator*() const { return make_(); }

private:
    std::function<T()> make_;
};

namespace gen {

template <class T>
Gen<T> inRange(T from, T to) {  // to is left out
    return Gen<T>([=] {
        const auto count = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
        return static_cast<T>(static_cast<std::uint64_t>(from) + (count == 0 ? 0 : chance()() % count));
    });
}

template <class T>
struct Any {
    static T make() {
        static_assert(std::is_integral_v<T>);
        const std::uint64_t mask = size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size()) - 1;
        return static_cast<T>(chance()() & (std::is_same_v<T, bool> ? 1U : mask));
    }
};
template <>
struct Any<double> {
    static double make() {
        const auto part = static_cast<double>(static_cast<std::int64_t>(chance()())) * 0x1p-63;
        return part * static_cast<double>(std::uint64_t{1} << (size() % 60));
    }
};
template <>
struct Any<std::string> {
    static std::string make() {
        std::string bytes(chance()() % (size() + 1), '\0');
        for (char& byte : bytes) byte = static_cast<char>(chance()());
        return bytes;
    }
};
template <class T>
struct Any<std::vector<T>> {
    static std::vector<T> make() {
        std::vector<T> all;
        for (std::size_t left = chance()() % (size() + 1); left > 0; --left) all.push_back(Any<T>::make());
        return all;
    }
};

template <class T>
Gen<T> arbitrary() {
    return Gen<T>([] { return Any<T>::make(); });
}

template <class Container>
auto elementOf(const Container& all) {
    using T = std::decay_t<decltype(*all.begin())>;
    std::vector<T> copy(all.begin(), all.end());
    return Gen<T>([copy = std::move(copy)] { return copy[chance()() % copy.size()]; });
}

template <class T, class... Rest>
Gen<T> element(T first, Rest... rest) {
    return elementOf(std::vector<T>{std::move(first), T(std::move(rest))...});
}

template <class Container, class T>
Gen<Container> container(Gen<T> one) {
    return Gen<Container>([one = std::move(one)] {
        Container all;
        for (std::size_t left = chance()() % (size() + 1); left > 0; --left) all.push_back(*one);
        return all;
    });
}

template <class Container, class T>
Gen<Container> container(std::size_t count, Gen<T> one) {
    return Gen<Container>([count, one = std::move(one)] {
        Container all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(*one);
        return all;
    });
}

template <class Container>
Gen<Container> nonEmpty(Gen<Container> any) {
    return Gen<Container>([any = std::move(any)] {
        for (;;) {
            Container all = *any;
            if (!all.empty()) return all;
            ++size();  // at size 0 nothing else comes
        }
    });
}

template <class T, class F>
auto map(Gen<T> from, F change) {
    using To = std::invoke_result_t<F, T>;
    return Gen<To>([from = std::move(from), change = std::move(change)] { return change(*from); });
}
template <class T, class F>
auto map(F change) {
    return map(arbitrary<T>(), std::move(change));
}

}  // namespace gen

// 100 rounds, as RapidCheck has them. Returns what failed; empty: it holds.
template <class... Parameters>
std::string hold(void (*property)(Parameters...)) {
    chance().seed(20261122);
    for (std::size_t round = 0; round < 100; ++round) {
        size() = round;
        try {
            property(gen::Any<std::decay_t<Parameters>>::make()...);
        } catch (const std::exception& failure) {
            return "round " + std::to_string(round) + ": " + failure.what();
        }
    }
    return {};
}

}  // namespace rc

#define RC_ASSERT(condition) \
    do { \
        if (!(condition)) throw ::rc::Failure(#condition); \
    } while (false)
