#include "graph.hpp"
#include <algorithm>
namespace geo {
namespace net {
Graph::Graph(int n) : n_(n) {}
int Graph::size() const noexcept { return 0; }
bool Graph::operator==(const Graph &o) const { return true; }
static int helper() { return 1; }
int shared = 3;
const int internal = 4;
std::vector<int> &all() { static std::vector<int> v; return v; }
namespace {
struct Secret { int x; };
}
class Local { public: int shown(); private: int no; };
}
}
int geo::net::distance(const Point &a, const Point &b) { return 0; }
extern "C" int c_entry(void) { return 0; }
