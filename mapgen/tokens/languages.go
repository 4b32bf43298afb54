package tokens

// rules are how a language writes what is not code.
type rules struct {
	lineComments  []string
	blockComments [][2]string
	nested        bool      // block comments nest
	spaced        bool      // a line comment needs a blank before it
	attributes    bool      // #[ is no comment
	quotes        string    // open strings that end with their line
	long          string    // open strings that may run over lines
	triple        bool      // """ and ''' open long strings
	template      bool      // `…${code}…`
	regex         bool      // /…/ where a value may stand
	lifetimes     bool      // 'a is no string
	raw           rawString // what else opens a raw string
	opens         string    // what opens code inside strings: "${", "#{" or "{"
	prefixes      string    // letters that may stand right before a quote
	prefixed      string    // letters before a quote that allow holes; "" = none needed
	heredocs      bool      // <<END
	dollar        bool      // $ belongs to words
	questions     bool      // words may end in ? or !
	islands       [2]string // where code begins and ends inside other text
}

type rawString byte

const (
	noRaw rawString = iota
	rawRust
	rawCPP
	rawCSharp
)

var slashes = []string{"//"}
var stars = [][2]string{{"/*", "*/"}}

var script = &rules{lineComments: slashes, blockComments: stars, quotes: `"'`, template: true, regex: true, dollar: true}
var cLike = &rules{lineComments: slashes, blockComments: stars, quotes: `"'`, raw: rawCPP}

var languages = map[string]*rules{
	"Go":         {lineComments: slashes, blockComments: stars, quotes: `"'`, long: "`"},
	"TypeScript": script,
	"TSX":        script,
	"JavaScript": script,
	"Python":     {lineComments: []string{"#"}, quotes: `"'`, triple: true, opens: "{", prefixes: "rRbBuUfF", prefixed: "fF"},
	"Rust":       {lineComments: slashes, blockComments: stars, nested: true, long: `"`, quotes: "'", lifetimes: true, raw: rawRust},
	"Java":       {lineComments: slashes, blockComments: stars, quotes: `"'`, triple: true},
	"C":          cLike,
	"C++":        cLike,
	"C#":         {lineComments: slashes, blockComments: stars, quotes: `"'`, triple: true, raw: rawCSharp, opens: "{", prefixed: "$"},
	"Ruby": {lineComments: []string{"#"}, blockComments: [][2]string{{"=begin", "\n=end"}}, long: `"'` + "`", regex: true,
		opens: "#{", heredocs: true, questions: true},
	"PHP": {lineComments: []string{"//", "#"}, blockComments: stars, attributes: true, long: `"'`, opens: "{$", heredocs: true,
		islands: [2]string{"<?", "?>"}},
	"Bash": {lineComments: []string{"#"}, spaced: true, long: `"'`, opens: "${", heredocs: true},
}
