#pragma once
#include <vector>
#include "node.hpp"
#define GRAPH_API __attribute__((visibility("default")))

namespace geo::net {
template <typename T, int N = 3>
class Graph final : public Base<T>, private detail::Hidden {
public:
  using value_type = T;
  enum class Mode { Fast, Slow };
  static constexpr int kMax = 3;
  explicit Graph(int n);
  Graph(const Graph &) = delete;
  virtual ~Graph() = default;
  void add(T x);
  void add(T x, int n);
  virtual int size() const noexcept = 0;
  template <class U> U map(U (*f)(T)) const { return U(); }
  bool operator==(const Graph &o) const;
  operator bool() const;
  T *begin(), *end();
  struct Edge { int from, to; private: int w; };
  friend void swap(Graph &a, Graph &b);
protected:
  int guarded();
private:
  int secret_;
  void hide();
};

struct Point { int x, y; double norm() const { return 0; } };
enum class Color : unsigned char { Red, Green };
enum Plain { One, Two };
using Id = unsigned long;
typedef int Number;
inline constexpr int Limit = 10;
extern int shared;
template <typename T> T largest(T a, T b) { return a > b ? a : b; }
int distance(const Point &a, const Point &b = {});
std::vector<int> &all();
template <typename T> concept Small = sizeof(T) < 9;
namespace { int unseen() { return 1; } }
namespace detail { class Hidden {}; }
class Forward;
union Bits { int i; float f; };
}
