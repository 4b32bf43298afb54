package ledger

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// judgeGo compares what the compiler compares: types, not the names of
// parameters and results.
func judgeGo(before, after *decl) (changed bool, class string) {
	was, is := goType(before), goType(after)
	switch {
	case was != is:
	case before.kind == after.kind && slices.Equal(before.extends, after.extends):
		return false, ""
	case before.kind == after.kind:
		return judgeEmbedded(before, after)
	}
	switch {
	case before.kind == "const" && after.kind == "const":
		return true, Unknown // the type it had by itself may be the one it is given
	case (before.kind == "variable" || before.kind == "const") && (was == "" || is == ""):
		return true, Unknown
	case before.kind == "alias" || after.kind == "alias":
		return true, Unknown
	case variadicAdded(was, is), generic(before) != generic(after):
		return true, Unknown // calls go on working, other uses may not
	}
	return true, Breaking
}

// judgeEmbedded judges types that others are embedded in.
func judgeEmbedded(before, after *decl) (bool, string) {
	lost := slices.ContainsFunc(before.extends, func(n string) bool { return !slices.Contains(after.extends, n) })
	gained := slices.ContainsFunc(after.extends, func(n string) bool { return !slices.Contains(before.extends, n) })
	switch {
	case !lost && !gained:
		return false, "" // another order
	case lost, after.kind == "interface":
		return true, Breaking
	}
	return true, Additive
}

func generic(d *decl) bool {
	return strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(d.full(), "type "), d.name), "[")
}

// goType is a Go signature with nothing left in it that no user can tell.
// What cannot be parsed is compared as text.
func goType(d *decl) string {
	text := d.full()
	plain := strings.Join(normal("Go", text), " ")
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "type "), d.name)
	if !ok {
		return plain
	}
	switch d.kind {
	case "function", "method":
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc F"+rest+"\n", parser.SkipObjectResolution)
		if err != nil || len(f.Decls) != 1 {
			return plain
		}
		fn, ok := f.Decls[0].(*ast.FuncDecl)
		if !ok {
			return plain
		}
		bare(fn.Type)
		var b strings.Builder
		for _, p := range fieldList(fn.Type.TypeParams) {
			for _, n := range p.Names {
				b.WriteString(n.Name + " " + types.ExprString(p.Type) + ";")
			}
		}
		fn.Type.TypeParams = nil
		return b.String() + types.ExprString(fn.Type)
	case "field", "variable", "const", "static":
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return ""
		}
		e, err := parser.ParseExpr(rest)
		if err != nil {
			return plain
		}
		bare(e)
		return types.ExprString(e)
	case "type":
		e, err := parser.ParseExpr(strings.TrimSpace(rest))
		if err != nil {
			return plain
		}
		bare(e)
		return types.ExprString(e)
	}
	return plain
}

func fieldList(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}

// bare takes the names off the parameters and results of every function type.
func bare(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok {
			unname(f.Params)
			unname(f.Results)
		}
		return true
	})
}

func unname(l *ast.FieldList) {
	if l == nil {
		return
	}
	var flat []*ast.Field
	for _, f := range l.List {
		for range max(1, len(f.Names)) {
			flat = append(flat, &ast.Field{Type: f.Type})
		}
	}
	l.List = flat
}

// variadicAdded tells whether a function only takes any number of values more.
func variadicAdded(was, is string) bool {
	head, tail, ok := strings.Cut(was, ")")
	if !ok || !strings.HasPrefix(is, head) || !strings.HasPrefix(was, "func(") {
		return false
	}
	added := strings.TrimPrefix(is, head)
	added = strings.TrimPrefix(added, ", ")
	return strings.HasPrefix(added, "...") && strings.HasSuffix(added, ")"+tail) && !strings.Contains(strings.TrimSuffix(added, ")"+tail), ",")
}
