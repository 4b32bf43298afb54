package mapgen

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"growbench/mapgen/describe"
	"growbench/mapgen/symbols"
)

// record is what is remembered of one directory. Its head is enough to see
// whether anything changed; the body holds what was learned of the files.
type record struct {
	Version string // what the texts were made by; another one is stale
	Dir     string
	At      int64  // when the files were looked at, nanoseconds since 1970
	Stamp   string // of the tree imports were resolved in; "": not known
	Files   []fileRecord
	Parts   []part // directories below, by name
	Summary summary
	Map     docRecord
	Index   docRecord
	Clean   bool   // the documents were written without dirty markers
	By      string // who described all of it as it is; "": nobody, or not all
	Spoken  bool   // a model described some of it
	Told    *told  // what a model said of the directory
	Above   string // what the package says whose main source this is

	Known []known // of Files, in their order; nil until loaded
	body  []byte
}

// fileRecord is the state of a file when it was read.
type fileRecord struct {
	Name    string
	Size    int64
	ModTime int64
	Change  int64
	Link    bool
	Closed  bool // it could not be read
	Hash    [32]byte
}

// part is a directory below: mapped, or a boundary with its reason.
type part struct {
	Name    string
	Why     string // "" for a mapped directory
	Summary summary
}

// summary is what a directory tells the one above.
type summary struct {
	Role     string
	Tags     []string
	Packages []string // it and those below it, as documents list them
}

// docRecord is the state of a document as it was last written.
type docRecord struct {
	Size    int64
	ModTime int64
	Change  int64
	Hash    [32]byte
}

// known is what was learned of one file's content.
type known struct {
	Text     describe.FileText `json:"text"`
	Note     string            `json:"note,omitempty"`
	InPlace  bool              `json:"inplace,omitempty"` // the note stands in place of an analysis
	Language string            `json:"lang,omitempty"`
	Exports  []symbols.Export  `json:"exports,omitempty"`
	Imports  []symbols.Import  `json:"imports,omitempty"`
	Package  string            `json:"package,omitempty"`
	Deps     []string          `json:"deps,omitempty"`
	DepDirs  []string          `json:"depdirs,omitempty"` // pkg/… of the directories behind Deps
	Parsed   bool              `json:"parsed,omitempty"`  // an extractor has read it
	Private  bool              `json:"private,omitempty"` // no model is shown its content
	Said     *said             `json:"said,omitempty"`
	Inferred []string          `json:"inferred,omitempty"` // dependencies of Said, as documents list them
	Mute     bool              `json:"mute,omitempty"`     // what a model said could not be read
}

var errRecord = errors.New("damaged record")

var (
	recordMagic = []byte("growbench map 5\n")
	castagnoli  = crc32.MakeTable(crc32.Castagnoli)
)

// encode: magic, then head and body, each as length, checksum, bytes.
func (r *record) encode() ([]byte, error) {
	var h headWriter
	h.str(r.Version)
	h.str(r.Dir)
	h.num(r.At)
	h.str(r.Stamp)
	h.flag(r.Clean)
	h.str(r.By)
	h.flag(r.Spoken)
	words, err := json.Marshal(r.Told)
	if err != nil {
		return nil, fmt.Errorf("encode record of %s: %w", r.Dir, err)
	}
	h.str(string(words))
	h.str(r.Above)
	h.summary(r.Summary)
	for _, d := range []docRecord{r.Map, r.Index} {
		h.num(d.Size)
		h.num(d.ModTime)
		h.num(d.Change)
		h.b = append(h.b, d.Hash[:]...)
	}
	h.num(int64(len(r.Parts)))
	for _, p := range r.Parts {
		h.str(p.Name)
		h.str(p.Why)
		h.summary(p.Summary)
	}
	h.num(int64(len(r.Files)))
	for _, f := range r.Files {
		h.str(f.Name)
		h.num(f.Size)
		h.num(f.ModTime)
		h.num(f.Change)
		flags := int64(0)
		if f.Link {
			flags |= 1
		}
		if f.Closed {
			flags |= 2
		}
		h.num(flags)
		h.b = append(h.b, f.Hash[:]...)
	}
	body := r.body
	if r.Known != nil || body == nil {
		if body, err = json.Marshal(r.Known); err != nil {
			return nil, fmt.Errorf("encode record of %s: %w", r.Dir, err)
		}
	}
	out := append([]byte(nil), recordMagic...)
	for _, part := range [][]byte{h.b, body} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
		out = binary.BigEndian.AppendUint32(out, crc32.Checksum(part, castagnoli))
		out = append(out, part...)
	}
	return out, nil
}

// decodeRecord reads a record; its body stays undecoded until load.
func decodeRecord(data []byte) (*record, error) {
	if len(data) < len(recordMagic) || string(data[:len(recordMagic)]) != string(recordMagic) {
		return nil, errRecord
	}
	data = data[len(recordMagic):]
	var parts [2][]byte
	for i := range parts {
		if len(data) < 8 {
			return nil, errRecord
		}
		size, sum := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		data = data[8:]
		if uint64(size) > uint64(len(data)) {
			return nil, errRecord
		}
		parts[i] = data[:size]
		if crc32.Checksum(parts[i], castagnoli) != sum {
			return nil, errRecord
		}
		data = data[size:]
	}
	h := headReader{b: parts[0]}
	r := &record{Version: h.str(), Dir: h.str(), At: h.num(), Stamp: h.str(), Clean: h.num() != 0, By: h.str(), Spoken: h.num() != 0}
	if err := json.Unmarshal([]byte(h.str()), &r.Told); err != nil {
		return nil, errRecord
	}
	r.Above = h.str()
	r.Summary = h.summary()
	for _, d := range []*docRecord{&r.Map, &r.Index} {
		*d = docRecord{Size: h.num(), ModTime: h.num(), Change: h.num(), Hash: h.hash()}
	}
	for range h.count() {
		r.Parts = append(r.Parts, part{Name: h.str(), Why: h.str(), Summary: h.summary()})
	}
	for range h.count() {
		f := fileRecord{Name: h.str(), Size: h.num(), ModTime: h.num(), Change: h.num()}
		flags := h.num()
		f.Link, f.Closed, f.Hash = flags&1 != 0, flags&2 != 0, h.hash()
		r.Files = append(r.Files, f)
	}
	if h.bad || len(h.b) > 0 {
		return nil, errRecord
	}
	r.body = parts[1]
	return r, nil
}

// load decodes what was learned of the files.
func (r *record) load() error {
	if r.Known != nil {
		return nil
	}
	if err := json.Unmarshal(r.body, &r.Known); err != nil || len(r.Known) != len(r.Files) {
		r.Known = nil
		return errRecord
	}
	if r.Known == nil {
		r.Known = []known{}
	}
	return nil
}

type headWriter struct{ b []byte }

func (h *headWriter) num(n int64) { h.b = binary.AppendVarint(h.b, n) }

func (h *headWriter) flag(on bool) {
	if on {
		h.num(1)
	} else {
		h.num(0)
	}
}

func (h *headWriter) str(s string) {
	h.num(int64(len(s)))
	h.b = append(h.b, s...)
}

func (h *headWriter) summary(s summary) {
	h.str(s.Role)
	for _, list := range [][]string{s.Tags, s.Packages} {
		h.num(int64(len(list)))
		for _, item := range list {
			h.str(item)
		}
	}
}

type headReader struct {
	b   []byte
	bad bool
}

func (h *headReader) num() int64 {
	v, n := binary.Varint(h.b)
	if n <= 0 {
		h.bad, h.b = true, nil
		return 0
	}
	h.b = h.b[n:]
	return v
}

// count is the length of a list whose items take at least a byte each.
func (h *headReader) count() int {
	n := h.num()
	if n < 0 || n > int64(len(h.b)) {
		h.bad = true
		return 0
	}
	return int(n)
}

func (h *headReader) str() string {
	n := h.num()
	if n < 0 || n > int64(len(h.b)) {
		h.bad, h.b = true, nil
		return ""
	}
	s := string(h.b[:n])
	h.b = h.b[n:]
	return s
}

func (h *headReader) hash() (sum [32]byte) {
	if len(h.b) < len(sum) {
		h.bad, h.b = true, nil
		return sum
	}
	copy(sum[:], h.b)
	h.b = h.b[len(sum):]
	return sum
}

func (h *headReader) summary() summary {
	s := summary{Role: h.str()}
	for _, list := range []*[]string{&s.Tags, &s.Packages} {
		for range h.count() {
			*list = append(*list, h.str())
		}
	}
	return s
}
