//go:build cgo

package symbols

import (
	"strings"
	"testing"
)

// TestShapesOfExports holds constructs that are easily missed, each as small as
// it can be.
func TestShapesOfExports(t *testing.T) {
	for _, c := range []struct{ path, source, exports, members string }{
		{"class.ts", `export default class extends Base<string> { run(): void {} }`, "default", "default.run"},
		{"again.ts", `export { default } from './x'; export { default as X, type Y } from './y'`, "default, X, Y", ""},
		{"types.ts", "export type * from './types'\nexport interface V<in T, out U> { a: T }", "*, V", "V.a"},
		{"declared.ts", "export declare class D { static make(): D; private constructor(); protected x: number }\nexport declare namespace N { function f(): void; const k: number }", "D, N", "D.make, N.f, N.k"},
		{"abstract.ts", "export abstract class P { abstract name: string; abstract get v(): number; static { init() } declare q: number; readonly #s = 1; [Symbol.iterator]() {} }", "P", "P.name, P.v, P.q, P.[Symbol.iterator]"},
		{"merged.ts", "class Foo { x = 1 }\nnamespace Foo { export const y = 2 }\nexport = Foo", "Foo", "Foo.x, Foo.y"},
		{"object.ts", "export = { a, b }", "a, b", ""},
		{"cast.ts", "const foo = 1; export default foo as Bar", "foo (default)", ""},
		{"global.d.ts", "declare function glob(a: number): void\ndeclare namespace Ns { interface I { a: string } }\ntype T = string", "glob, Ns, T", "Ns.I, Ns.I.a"},
		{"module.d.ts", "declare module \"vite\" { interface C { x: 1 } }\ndeclare global { interface W { y: 1 } }\nexport {}", "vite", "vite.C, vite.C.x"},
		{"decorated.ts", "@Injectable()\nexport class S { constructor(private readonly a: A) {} @Input() name!: string }", "S", "S.constructor, S.name"},
		{"chain.js", "exports = module.exports = create;\nfunction create() {}\nexports.Route = Route;\nObject.assign(module.exports, { a, b })", "create, Route, a, b", ""},
		{"frozen.js", "module.exports = Object.freeze({ a: 1, b })", "a, b", ""},
		{"anonymous.js", "module.exports = class extends Base { run() {} }", "default", "default.run"},
		{"alias.js", "var app = exports = module.exports = {};\napp.init = function init() {}", "init", ""},
		{"variable.js", "const fns = { a() {}, b: 1 };\nmodule.exports = fns;\nif (x) { module.exports.c = 1 }", "a, b, c", ""},
		{"umd.js", "(function (root, factory) { if (typeof exports === 'object') factory(exports) })(this, function (exports) { exports.a = function (x) {} })", "a", ""},
		{"compiled.js", "Object.defineProperty(exports, '__esModule', { value: true });\nexports.b = exports.a = void 0;\n__exportStar(require('./x'), exports);\nexports.a = 1;", "*, a", ""},
		{"prototype.js", "function Bus() {}\nBus.prototype.emit = function (e) {};\nmodule.exports = Bus", "Bus", "Bus.emit"},
		{"unlisted.py", "__all__ = ['a', *other.__all__]\ndef a(): pass\ndef b(): pass", "a", ""},
		{"matched.py", "match x:\n    case 1:\n        M = 1\nwith y as z:\n    W = 2\n", "M, W", ""},
		{"typing.py", "if TYPE_CHECKING:\n    from .a import B\n    class C: pass\n", "C", ""},
		{"foreign.rs", "impl<T> Ext for T { fn a(&self) {} }\nimpl Ext for Vec<u8> { fn b(&self) {} }\npub struct S;\nimpl Ext for S { fn c(&self) {} }", "S", "S.c"},
		{"nested.rs", "pub mod a { pub(crate) struct H; pub mod b { pub fn deep() {} } }\npub use a::{b::deep as d, self};", "a, d", "a.b, a.b.deep"},
		{"frames.hpp", "ACME_BEGIN_NAMESPACE\nclass ACME_API A { public: int x; };\nACME_EXPORT int f(int);\nACME_STATIC int g(int a) { return a; }\nACME_END_NAMESPACE\n", "A, f, g", "A.x"},
		{"static.c", "ACME_STATIC int hidden(int a) { return a; }\nACME_NOINLINE int shown(int a) { return a; }\n", "shown", ""},
		{"branches.cs", "public interface I\n#if NET\n    : IDisposable\n#endif\n{ void A(); }\n", "I", "I.A"},
		{"shebang", "#!/usr/bin/env -S bash -e\nrun() { :; }\n", "run", ""},
	} {
		f := Extract(c.path, []byte(c.source), Limits{})
		exports, members := names(f)
		if got := strings.Join(exports, ", "); got != c.exports {
			t.Errorf("%s: exports %s, want %s", c.path, got, c.exports)
		}
		if got := strings.Join(members, ", "); got != c.members {
			t.Errorf("%s: members %s, want %s", c.path, got, c.members)
		}
	}
}
