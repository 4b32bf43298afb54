//go:build cgo

package ledger

import "testing"

// The wanted places were written down before anything had looked at them.
func TestUsersThroughReexports(t *testing.T) {
	ts := Change{Symbol: "parse", Kind: "signature changed", File: "src/size.ts", Language: "TypeScript"}
	py := Change{Symbol: "parse", Kind: "removed", File: "pkg/size.py", Language: "Python"}
	rs := Change{Symbol: "parse", Kind: "removed", File: "src/size.rs", Language: "Rust"}
	for _, c := range []struct {
		name   string
		change Change
		files  tree
		want   string
	}{
		{"named", ts, tree{
			"src/index.ts":  "export { parse } from './size'\n",
			"src/app/a.ts":  "import { parse } from '..'\n\nparse('')\n",
			"src/app/no.ts": "import { parse } from '../other'\n\nparse('')\n",
		}, "src/app/a.ts:1 src/app/a.ts:3 src/index.ts:1 via src/index.ts parse"},
		{"under another name", ts, tree{
			"src/index.ts": "export { parse as read } from './size'\n",
			"src/a.ts":     "import { read } from './index'\n\nread('read')\nconst parse = 1\n",
			"src/b.ts":     "import { parse } from './index'\n",
			"src/c.ts":     "export const read = 1\n",
		}, "src/a.ts:1 src/a.ts:3 src/index.ts:1 via src/index.ts read"},
		{"everything, twice, in a circle", Change{Symbol: "parse", Kind: "removed", File: "src/size/parse.ts", Language: "TypeScript"}, tree{
			"src/size/index.ts": "export * from './parse'\n",
			"src/index.ts":      "export * from './size'\nexport * from './loop'\n",
			"src/loop.ts":       "export * from './index'\n",
			"src/a.ts":          "import { parse } from './index'\nparse('')\n",
			"src/b.ts":          "import * as all from './loop'\nall.parse('')\nother.parse('')\n",
			"src/c.ts":          "import { format } from './index'\nconst parse = format\n",
		}, "src/a.ts:1 src/a.ts:2 src/b.ts:2 via src/size/index.ts parse via src/index.ts parse via src/loop.ts parse"},
		{"everything but what it declares itself", ts, tree{
			"src/index.ts": "export * from './size'\nexport function parse() {}\n",
			"src/a.ts":     "import { parse } from './index'\nparse('')\n",
		}, ""},
		{"everything but what it names", ts, tree{
			"src/index.ts": "export * from './size'\nexport { parse } from './other'\n",
			"src/other.ts": "export function parse() {}\n",
			"src/a.ts":     "import { parse } from './index'\nparse('')\n",
		}, ""},
		{"another symbol under its name", ts, tree{
			"src/index.ts": "export { bytes as parse } from './size'\n",
			"src/a.ts":     "import { parse } from './index'\nparse('')\n",
		}, ""},
		{"everything of two that have it", ts, tree{
			"src/index.ts": "export * from './size'\nexport * from './other'\n",
			"src/other.ts": "export function parse() {}\n",
			"src/a.ts":     "import { parse } from './index'\nparse('')\n",
		}, "?src/a.ts:1 ?src/a.ts:2"},
		{"everything of two, of which one has it", ts, tree{
			"src/index.ts": "export * from './size'\nexport * from './other'\n",
			"src/other.ts": "export function format() {}\n",
			"lib/far.ts":   "export function parse() {}\n",
			"src/a.ts":     "import { parse } from './index'\nparse('')\n",
		}, "src/a.ts:1 src/a.ts:2 via src/index.ts parse"},
		{"as a namespace", ts, tree{
			"src/index.ts": "export * as size from './size'\n",
			"src/a.ts":     "import { size } from './index'\nsize.parse('')\nother.parse('')\nparse()\n",
		}, "src/a.ts:2 via src/index.ts size.parse"},
		{"imported, then exported", ts, tree{
			"src/index.ts": "import { parse as p, format } from './size'\nexport { p, format }\n",
			"src/a.ts":     "import { p } from './index'\np('')\n",
			"src/b.ts":     "import { format } from './index'\nformat('p')\nconst p = 1\n",
		}, "src/a.ts:1 src/a.ts:2 src/index.ts:1 via src/index.ts p"},
		{"a member", Change{Symbol: "Store.close", Kind: "removed", File: "src/store.ts", Language: "TypeScript"}, tree{
			"src/index.ts": "export * from './store'\n",
			"src/a.ts":     "import { Store } from './index'\nexport function f(s: Store) { s.close(); close() }\n",
			"src/b.ts":     "export function f(s: any) { s.close() }\n",
		}, "?src/a.ts:2 via src/index.ts Store.close"},
		{"Python", py, tree{
			"pkg/__init__.py": "from .size import parse\n", "pkg/size.py": "",
			"main.py":             "from pkg import parse\n\nparse('')\n",
			"other.py":            "import pkg\n\npkg.parse('')\njson.parse('')\n",
			"pkg/sub/__init__.py": "", "pkg/sub/deep.py": "from .. import parse\n",
			"no.py": "from elsewhere import parse\n\nparse('')\n",
		}, "main.py:1 main.py:3 other.py:3 pkg/__init__.py:1 pkg/sub/deep.py:1 via pkg/__init__.py parse"},
		{"Python, under another name", py, tree{
			"pkg/__init__.py": "from .size import parse as read\n", "pkg/size.py": "",
			"main.py": "from pkg import read\n\nread('')\nparse = 1\n",
		}, "main.py:1 main.py:3 pkg/__init__.py:1 via pkg/__init__.py read"},
		{"Python, everything", py, tree{
			"pkg/__init__.py": "from .size import *\n", "pkg/size.py": "",
			"main.py": "from pkg import parse\n\nparse('')\n",
		}, "main.py:1 main.py:3 via pkg/__init__.py parse"},
		{"Python, everything that is public", Change{Symbol: "_parse", Kind: "removed", File: "pkg/size.py", Language: "Python"}, tree{
			"pkg/__init__.py": "from .size import *\n", "pkg/size.py": "",
			"main.py": "from pkg import _parse\n",
		}, ""},
		{"Python, another of the name", py, tree{
			"pkg/__init__.py": "from .size import *\n\ndef parse(text): return text\n", "pkg/size.py": "",
			"main.py": "from pkg import parse\n\nparse('')\n",
		}, ""},
		{"Rust", rs, tree{
			"Cargo.toml": "[package]\nname = \"x\"\n", "src/size.rs": "",
			"src/lib.rs": "mod size;\nmod a;\n\npub use size::parse;\n",
			"src/a.rs":   "use crate::parse;\n\nfn f() { parse(\"\"); crate::parse(\"\"); other::parse(\"\"); }\n",
			"tests/t.rs": "use x::parse;\n",
			"src/b.rs":   "use other::parse;\n\nfn f() { parse(\"\"); }\n",
		}, "src/a.rs:1 src/a.rs:3 src/lib.rs:4 tests/t.rs:1 via src/lib.rs parse"},
		{"Rust, everything, then under another name", rs, tree{
			"Cargo.toml": "[package]\nname = \"x\"\n", "src/size.rs": "",
			"src/lib.rs":      "mod size;\npub mod deep;\n",
			"src/deep/mod.rs": "pub use crate::size::*;\npub mod inner;\n",
			"src/deep/top.rs": "pub use super::parse as read;\n",
			"src/a.rs":        "use crate::deep::top::read;\n\nfn f() { read(\"\"); }\n",
		}, "src/a.rs:1 src/a.rs:3 src/deep/top.rs:1 via src/deep/mod.rs parse via src/deep/top.rs read"},
		{"further than anybody looks", ts, tree{
			"src/a1.ts": "export * from './size'\n", "src/a2.ts": "export * from './a1'\n", "src/a3.ts": "export * from './a2'\n",
			"src/a4.ts": "export * from './a3'\n", "src/a5.ts": "export * from './a4'\n", "src/a6.ts": "export * from './a5'\n",
			"src/b4.ts": "import { parse } from './a4'\n", "src/b6.ts": "import { parse } from './a6'\n",
		}, "src/b4.ts:1 via src/a1.ts parse via src/a2.ts parse via src/a3.ts parse via src/a4.ts parse"},
	} {
		c.change.Class = Breaking
		if got := traced(t, c.change, c.files); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}
