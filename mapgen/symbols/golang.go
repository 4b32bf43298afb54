package symbols

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// extractGo reads Go with the standard library's parser, so it works in every
// build. The parser is linear and recursive; nesting beyond the limit is
// blanked before it sees it.
func extractGo(file *File, text []byte, limits Limits) {
	if bodies := skimGo(text); len(bodies) > 0 {
		quick := *file
		if quick.readGo(withoutLines(text, bodies), limits) {
			*file = quick
			return
		}
	}
	file.readGo(excerpt{text: text}, limits)
}

// withoutLines is a text without the insides of bodies, but with their line
// ends.
func withoutLines(text []byte, bodies []span) excerpt {
	e := excerpt{text: make([]byte, 0, len(text)/2), cuts: make([]cut, 0, len(bodies))}
	from := 0
	for _, b := range bodies {
		e.text = append(e.text, text[from:b.start]...)
		e.cuts = append(e.cuts, cut{at: len(e.text)})
		for range bytes.Count(text[b.start:b.end], newline) {
			e.text = append(e.text, '\n')
		}
		from = int(b.end)
	}
	e.text = append(e.text, text[from:]...)
	return e
}

// readGo reads a file or an excerpt of it. It answers false when an excerpt
// has errors, or was cut elsewhere than in functions.
func (file *File) readGo(e excerpt, limits Limits) bool {
	flat, cut := flatten(e.text, limits.Depth)
	if cut {
		file.addNote("ast: partial (depth)")
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", flat, parser.ParseComments|parser.SkipObjectResolution)
	file.Errors = err != nil
	if len(e.cuts) > 0 && (err != nil || !cutInFunctions(parsed, set, e.cuts)) {
		return false
	}
	if parsed == nil {
		return true
	}
	g := &goFile{collector: newCollector(file), set: set, src: flat}
	if parsed.Name != nil {
		file.Package = parsed.Name.Name
	}
	file.Tags = buildTags(parsed)
	if parsed.Doc != nil {
		file.Doc = paragraph(parsed.Doc.Text())
	}
	for _, spec := range parsed.Imports {
		if target, err := strconv.Unquote(spec.Path.Value); err == nil {
			g.imported(Import{Path: target, Line: g.line(spec.Pos()), Relative: strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")})
		}
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			g.general(d)
		case *ast.FuncDecl:
			g.function(d)
		}
	}
	return true
}

// cutInFunctions says that every cut lies at the beginning of a function's
// body.
func cutInFunctions(f *ast.File, set *token.FileSet, cuts []cut) bool {
	base := set.File(f.FileStart).Base()
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if ok && d.Body != nil && len(cuts) > 0 && int(d.Body.Lbrace)-base+1 == cuts[0].at {
			cuts = cuts[1:]
		}
	}
	return len(cuts) == 0
}

type goFile struct {
	*collector
	set *token.FileSet
	src []byte
}

func (g *goFile) line(pos token.Pos) int { return g.set.Position(pos).Line }

// text is a range of the source on one line. Most ranges hold no comment; the
// few that do are cut token by token.
func (g *goFile) text(from, to token.Pos) string {
	if !from.IsValid() || !to.IsValid() {
		return ""
	}
	base := g.set.File(from).Base()
	start, end := int(from)-base, int(to)-base
	if start < 0 || start >= end || end > len(g.src) {
		return ""
	}
	part := g.src[start:min(end, start+16*maxSignature)]
	if bytes.Contains(part, []byte("/*")) || bytes.Contains(part, []byte("//")) {
		part = withoutComments(part)
	}
	return oneLine(strings.ToValidUTF8(string(part), ""))
}

// withoutComments drops Go comments; strings and runes are left alone.
func withoutComments(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch rest := text[i:]; {
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				return out
			}
			i += end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 4
			out = append(out, ' ')
		case text[i] == '"' || text[i] == '`' || text[i] == '\'':
			end := quoted(rest)
			out = append(out, rest[:end]...)
			i += end
		default:
			out = append(out, text[i])
			i++
		}
	}
	return out
}

// quoted is the length of the literal text begins with.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\\' && text[0] != '`' {
			i++
			continue
		}
		if text[i] == text[0] {
			return i + 1
		}
	}
	return len(text)
}

func (g *goFile) general(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			g.typeSpec(s)
		case *ast.ValueSpec:
			g.values(d.Tok, s)
		}
	}
}

func (g *goFile) values(tok token.Token, s *ast.ValueSpec) {
	kind := "variable"
	if tok == token.CONST {
		kind = "const"
	}
	for i, name := range s.Names {
		if !ast.IsExported(name.Name) {
			continue
		}
		e := Export{Name: name.Name, Kind: kind, Signature: name.Name, Line: g.line(name.Pos())}
		if s.Type != nil {
			e.Signature += " " + g.text(s.Type.Pos(), s.Type.End())
		} else if i < len(s.Values) {
			if f, ok := s.Values[i].(*ast.FuncLit); ok && kind == "variable" {
				e.Signature += " " + g.text(f.Type.Pos(), f.Type.End())
			}
		}
		g.export(e)
	}
}

func (g *goFile) typeSpec(s *ast.TypeSpec) {
	name := s.Name.Name
	if !ast.IsExported(name) {
		return
	}
	e := Export{Name: name, Kind: "type", Line: g.line(s.Name.Pos())}
	head := "type " + name
	if s.TypeParams != nil {
		head += g.text(s.TypeParams.Pos(), s.TypeParams.End())
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		e.Kind, e.Signature = "struct", head+" struct"
		e.Extends = g.embedded(t.Fields)
		g.fields(name, t.Fields)
	case *ast.InterfaceType:
		e.Kind, e.Signature = "interface", head+" interface"
		e.Extends = g.embedded(t.Methods)
		g.methods(name, t.Methods)
	default:
		equals := " "
		if s.Assign.IsValid() {
			e.Kind, equals = "alias", " = "
		}
		e.Signature = head + equals + g.text(s.Type.Pos(), s.Type.End())
	}
	g.export(e)
}

// embedded are the types a struct or interface takes over; constraint unions
// are not among them.
func (g *goFile) embedded(list *ast.FieldList) []string {
	var names []string
	for _, f := range fieldsOf(list) {
		if len(f.Names) > 0 {
			continue
		}
		switch f.Type.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr, *ast.FuncType:
			continue
		}
		if name := typeName(f.Type); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func fieldsOf(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

func (g *goFile) fields(owner string, list *ast.FieldList) {
	for _, f := range fieldsOf(list) {
		for _, name := range f.Names {
			if name.Name != "_" {
				g.member(Member{Name: name.Name, Owner: owner, Kind: "field", Line: g.line(name.Pos()), Exported: ast.IsExported(name.Name),
					Signature: name.Name + " " + g.text(f.Type.Pos(), f.Type.End())})
			}
		}
	}
}

func (g *goFile) methods(owner string, list *ast.FieldList) {
	for _, f := range fieldsOf(list) {
		for _, name := range f.Names {
			g.member(Member{Name: name.Name, Owner: owner, Kind: "method", Line: g.line(name.Pos()), Exported: ast.IsExported(name.Name),
				Signature: name.Name + g.text(f.Type.Pos(), f.Type.End())})
		}
	}
}

func (g *goFile) function(d *ast.FuncDecl) {
	if d.Name == nil || d.Name.Name == "" || d.Name.Name == "_" {
		return
	}
	name := d.Name.Name
	signature := name
	if d.Type.TypeParams != nil {
		signature += g.text(d.Type.TypeParams.Pos(), d.Type.TypeParams.End())
	}
	if d.Type.Params != nil {
		signature += g.text(d.Type.Params.Pos(), d.Type.End())
	}
	if d.Recv == nil {
		if ast.IsExported(name) {
			g.export(Export{Name: name, Kind: "function", Signature: signature, Line: g.line(d.Name.Pos())})
		}
		return
	}
	if len(d.Recv.List) == 0 {
		return
	}
	if owner := typeName(d.Recv.List[0].Type); ast.IsExported(owner) {
		g.member(Member{Name: name, Owner: owner, Kind: "method", Signature: signature, Line: g.line(d.Name.Pos()), Exported: ast.IsExported(name)})
	}
}

// typeName is the name under pointers, parentheses and type arguments.
func typeName(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.Ident:
			return t.Name
		case *ast.SelectorExpr:
			if x, ok := t.X.(*ast.Ident); ok {
				return x.Name + "." + t.Sel.Name
			}
			return t.Sel.Name
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		default:
			return ""
		}
	}
}

// buildTags are the constraints before the package clause, as one expression.
// A file with lines of the old form means all of them; the new form replaces
// those.
func buildTags(f *ast.File) []string {
	var old constraint.Expr
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(c.Text):
				return []string{expr.String()}
			case old == nil:
				old = expr
			default:
				old = &constraint.AndExpr{X: old, Y: expr}
			}
		}
	}
	if old == nil {
		return nil
	}
	return []string{old.String()}
}

// flatten blanks what is nested deeper than the limit, keeping lengths and
// lines, so that a recursive parser's stack stays small.
func flatten(text []byte, limit int) (out []byte, cut bool) {
	out = text
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
			if depth == limit+1 {
				out = blankTo(&cut, out, text, i, '0')
				continue
			}
		case ')', ']', '}':
			depth--
			if depth == limit {
				out = blankTo(&cut, out, text, i, ' ')
				continue
			}
		case '"', '\'', '`':
			end := i + quoted(text[i:]) - 1
			if text[i] != '`' {
				// An unclosed quote ends with its line.
				if nl := bytes.IndexByte(text[i:], '\n'); nl >= 0 && i+nl < end {
					end = i + nl
				}
			}
			if depth <= limit {
				i = end
				continue
			}
		case '/':
			if depth <= limit && bytes.HasPrefix(text[i:], []byte("//")) {
				nl := bytes.IndexByte(text[i:], '\n')
				if nl < 0 {
					return out, cut
				}
				i += nl
				continue
			}
			if depth <= limit && bytes.HasPrefix(text[i:], []byte("/*")) {
				end := bytes.Index(text[i+2:], []byte("*/"))
				if end < 0 {
					return out, cut
				}
				i += end + 3
				continue
			}
		}
		if depth > limit && text[i] != '\n' {
			out = blankTo(&cut, out, text, i, ' ')
		}
	}
	return out, cut
}

func blankTo(cut *bool, out, text []byte, at int, with byte) []byte {
	if !*cut {
		out, *cut = bytes.Clone(text), true
	}
	out[at] = with
	return out
}
