// Package tinymodel writes a small but real GGUF language model whose weights
// are computed, not trained: 1.5 MB that a real server loads and runs, and that
// says what a test wants to hear. It is a bigram machine with one attention
// head:
//
//   - the text "<|say:NAME|>" anywhere in the prompt (the latest one wins) makes
//     the model speak the script NAME, step K, where K is the number of "+" in the
//     assistant header that the chat template writes;
//   - with no such text it babbles seeded random printable bytes.
//
// One token is one byte of prompt, so limits of a context are exact.
package tinymodel

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"slices"
	"strings"
)

// Templates of a chat: with tools, with tools and thinking, with neither.
var (
	//go:embed chat.tmpl
	Chat string
	//go:embed think.tmpl
	Think string
	//go:embed plain.tmpl
	Plain string
)

//go:embed scripts.json
var scriptsJSON []byte

// Kinds of model: each is run by another engine of the server.
const (
	Llama = "llama" // llama.cpp
	Qwen3 = "qwen3" // Ollama's own
)

// Context is the length the model says that it was trained for.
const Context = 32768

const (
	steps   = 8    // assistant headers: <|assistant|>, <|assistant+|>, ...
	headDim = 128  // also the largest number of scripts
	chunk   = 10   // shortest scripted token, in bytes
	gain    = 400. // logit of the scripted successor: it is certain at any usual temperature
)

const ( // GGUF token types
	normal  = int32(1)
	control = int32(3)
)

type vocab struct {
	text  []string
	types []int32
	id    map[string]int
}

func (v *vocab) add(s string, t int32) int {
	if _, dup := v.id[s]; dup {
		fail("token %q twice", s)
	}
	v.id[s] = len(v.text)
	v.text, v.types = append(v.text, s), append(v.types, t)
	return v.id[s]
}

// byteRune is the GPT-2 table that maps a byte to a printable rune.
var byteRune = func() (m [256]rune) {
	next := rune(256)
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			m[b] = rune(b)
		} else {
			m[b], next = next, next+1
		}
	}
	return
}()

func enc(s string) string {
	var sb strings.Builder
	for _, b := range []byte(s) {
		sb.WriteRune(byteRune[b])
	}
	return sb.String()
}

// split cuts s into pieces that are not yet in the vocabulary.
func (v *vocab) split(s string) (ids []int) {
	for i := 0; i < len(s); {
		n := min(chunk, len(s)-i)
		for i+n < len(s) && (v.has(s[i:i+n]) || s[i+n]&0xc0 == 0x80) {
			n++
		}
		if rest := len(s) - i - n; rest > 0 && rest < 4 {
			n += rest
		}
		for k := 2; v.has(s[i : i+n]); k++ { // a repeated tail: glue it to the piece before
			if len(ids) == 0 {
				fail("script text %q is not unique; lengthen it", s)
			}
			last := ids[len(ids)-1]
			if last != len(v.text)-1 {
				fail("cannot glue the tail of %q", s)
			}
			prev := v.text[last]
			v.text, v.types, ids = v.text[:last], v.types[:last], ids[:len(ids)-1]
			delete(v.id, prev)
			raw := []rune(prev)
			i, n = i-len(raw), n+len(raw) // one rune a byte
		}
		ids = append(ids, v.add(enc(s[i:i+n]), normal))
		i += n
	}
	return
}

func (v *vocab) has(s string) bool { _, ok := v.id[enc(s)]; return ok }

type tensor struct {
	name string
	dims []uint64 // dims[0] is the input (fastest) dimension
	data []float32
	f32  bool
}

// File is the model as a GGUF file, byte for byte the same every time.
func File(arch string) []byte {
	var scripts map[string][]string
	if err := json.Unmarshal(scriptsJSON, &scripts); err != nil {
		panic(fmt.Sprintf("scripts.json: %v", err))
	}
	names := slices.Sorted(maps.Keys(scripts))
	if len(names) > headDim {
		panic(fmt.Sprintf("%d scripts, %d at most", len(names), headDim))
	}

	v := &vocab{id: map[string]int{}}
	bos, eos := v.add("<|bos|>", control), v.add("<|eos|>", control)
	for _, r := range []string{"system", "user", "tool"} {
		v.add("<|"+r+"|>", control)
	}
	var asst [steps]int
	for k := range asst {
		asst[k] = v.add("<|assistant"+strings.Repeat("+", k)+"|>", control)
	}
	trig := make([]int, len(names))
	for i, n := range names {
		trig[i] = v.add("<|say:"+n+"|>", control)
	}
	byte0 := len(v.text)
	for b := range 256 {
		v.add(string(byteRune[b]), normal)
	}
	type chain struct {
		script, step int
		ids          []int
		loop         bool
	}
	var chains []chain
	for i, n := range names {
		if len(scripts[n]) > steps {
			fail("script %s: %d steps, %d at most", n, len(scripts[n]), steps)
		}
		for k, text := range scripts[n] {
			text, loop := strings.CutSuffix(text, "<|loop|>")
			chains = append(chains, chain{i, k, v.split(text), loop})
		}
	}
	done := v.split("(script over)")

	V, S := len(v.text), len(names)
	E := (V + S + 63) / 64 * 64 // token dimensions, then script dimensions
	F := 32                     // feed-forward width, all zero
	mat := func(in, out int) []float32 { return make([]float32, in*out) }
	full := func(n int, x float64) []float32 { return slices.Repeat([]float32{float32(x)}, n) }

	emb := mat(E, V)
	for t := range V {
		emb[t*E+t] = 1
	}
	// Attention: every position asks with one constant vector, only script tokens
	// answer. RoPE turns the product into a function that falls with distance.
	// 64 pairs: score = qk*sum(cos)/sqrt(headDim).
	wq, wk, wv, wo := mat(E, headDim), mat(E, headDim), mat(E, headDim), mat(headDim, E)
	for h := range headDim {
		for t := range V {
			wq[h*E+t] = 4
		}
		for _, t := range trig {
			wk[h*E+t] = 4
		}
	}
	for i, t := range trig {
		wv[i*E+t] = 1
		wo[(V+i)*headDim+i] = 1
	}
	// Output: successor tables.
	rnd := rand.New(rand.NewSource(1))
	w := mat(E, V)
	set := func(next, prev int, x float64) { w[next*E+prev] = float32(x) }
	for t := range V {
		lift := 0.3 * gain // off the script: only when a grammar forbids the scripted token
		if t >= byte0 && t < byte0+256 || slices.Contains(asst[:], t) {
			lift = 0.75 * gain // babble
		}
		if slices.Contains(asst[:], t) {
			lift = 1.1 * gain
		}
		for c := byte(' '); c <= '~'; c++ {
			set(byte0+int(c), t, lift+1.5*rnd.NormFloat64())
		}
		set(byte0+'\n', t, lift-1)
		set(eos, t, lift-1)
	}
	for k, a := range asst {
		set(eos, a, 0)
		if k > 0 {
			set(done[0], a, 1.2*gain)
		}
	}
	link := func(ids []int, last int) {
		for i, t := range ids[1:] {
			set(t, ids[i], gain)
		}
		set(last, ids[len(ids)-1], gain)
	}
	link(done, eos)
	for _, c := range chains {
		last := eos
		if c.loop {
			last = c.ids[0]
		}
		link(c.ids, last)
		set(c.ids[0], asst[c.step], gain)
		set(c.ids[0], V+c.script, gain/2)
	}

	one := 1 / math.Sqrt(float64(E)) // RMS norm of a one-hot vector gives back the vector
	ts := []tensor{
		{"token_embd.weight", []uint64{uint64(E), uint64(V)}, emb, false},
		{"output_norm.weight", []uint64{uint64(E)}, full(E, one), true},
		{"output.weight", []uint64{uint64(E), uint64(V)}, w, false},
		{"blk.0.attn_norm.weight", []uint64{uint64(E)}, full(E, one), true},
		{"blk.0.attn_q.weight", []uint64{uint64(E), headDim}, wq, false},
		{"blk.0.attn_k.weight", []uint64{uint64(E), headDim}, wk, false},
		{"blk.0.attn_v.weight", []uint64{uint64(E), headDim}, wv, false},
		{"blk.0.attn_output.weight", []uint64{headDim, uint64(E)}, wo, false},
		{"blk.0.ffn_norm.weight", []uint64{uint64(E)}, full(E, one), true},
		{"blk.0.ffn_gate.weight", []uint64{uint64(E), uint64(F)}, mat(E, F), false},
		{"blk.0.ffn_up.weight", []uint64{uint64(E), uint64(F)}, mat(E, F), false},
		{"blk.0.ffn_down.weight", []uint64{uint64(F), uint64(E)}, mat(F, E), false},
	}
	if arch == "qwen3" { // RMS norm a head makes the vectors all ones; the weight brings back the gain
		ts = append(ts,
			tensor{"blk.0.attn_q_norm.weight", []uint64{headDim}, full(headDim, 4), true},
			tensor{"blk.0.attn_k_norm.weight", []uint64{headDim}, full(headDim, 4), true})
	}
	var kv []any
	put := func(k string, x any) { kv = append(kv, k, x) }
	put("general.architecture", arch)
	put("general.name", "tiny scripted model")
	put("general.file_type", uint32(1))
	header := map[string]any{
		"context_length": uint32(Context), "embedding_length": uint32(E), "block_count": uint32(1),
		"feed_forward_length": uint32(F), "attention.head_count": uint32(1), "attention.head_count_kv": uint32(1),
		"attention.key_length": uint32(headDim), "attention.value_length": uint32(headDim),
		"attention.layer_norm_rms_epsilon": float32(1e-6), "rope.freq_base": float32(1e6),
		"rope.dimension_count": uint32(headDim), "vocab_size": uint32(V),
	}
	for _, k := range slices.Sorted(maps.Keys(header)) {
		put(arch+"."+k, header[k])
	}
	put("tokenizer.ggml.model", "gpt2")
	put("tokenizer.ggml.pre", "qwen2")
	put("tokenizer.ggml.tokens", v.text)
	put("tokenizer.ggml.token_type", v.types)
	put("tokenizer.ggml.merges", []string{"\u0120 \u0120\u0120"}) // never applies: its result is no token
	put("tokenizer.ggml.bos_token_id", uint32(bos))
	put("tokenizer.ggml.eos_token_id", uint32(eos))
	put("tokenizer.ggml.add_bos_token", true)

	return gguf(kv, ts)
}

func fail(format string, args ...any) { panic(fmt.Sprintf("tinymodel: "+format, args...)) }

// gguf lays out version 3 of the format.
func gguf(kv []any, ts []tensor) []byte {
	var b bytes.Buffer
	le := func(x any) {
		if err := binary.Write(&b, binary.LittleEndian, x); err != nil {
			fail("write the model: %v", err)
		}
	}
	str := func(s string) { le(uint64(len(s))); b.WriteString(s) }
	b.WriteString("GGUF")
	le(uint32(3))
	le(uint64(len(ts)))
	le(uint64(len(kv) / 2))
	for i := 0; i < len(kv); i += 2 {
		str(kv[i].(string))
		switch x := kv[i+1].(type) {
		case uint32:
			le(uint32(4))
			le(x)
		case float32:
			le(uint32(6))
			le(x)
		case bool:
			le(uint32(7))
			le(x)
		case string:
			le(uint32(8))
			str(x)
		case []int32:
			le([]uint32{9, 5})
			le(uint64(len(x)))
			le(x)
		case []string:
			le([]uint32{9, 8})
			le(uint64(len(x)))
			for _, s := range x {
				str(s)
			}
		default:
			fail("%s: no type for %T", kv[i], x)
		}
	}
	pad := func() {
		for b.Len()%32 != 0 {
			b.WriteByte(0)
		}
	}
	var off uint64
	for _, t := range ts {
		str(t.name)
		le(uint32(len(t.dims)))
		le(t.dims)
		size := uint64(len(t.data)) * 4
		kind := uint32(0)
		if !t.f32 {
			kind, size = 1, size/2
		}
		le(kind)
		le(off)
		off += (size + 31) / 32 * 32
	}
	pad()
	for _, t := range ts {
		if t.f32 {
			le(t.data)
		} else {
			h := make([]uint16, len(t.data))
			for i, x := range t.data {
				h[i] = half(x)
			}
			le(h)
		}
		pad()
	}
	return b.Bytes()
}

// half rounds toward zero; enough for weights between 1e-4 and 65504.
func half(x float32) uint16 {
	u := math.Float32bits(x)
	sign, e, m := uint16(u>>16)&0x8000, int(u>>23&0xff)-127+15, uint16(u>>13)&0x3ff
	switch {
	case e <= 0:
		return sign
	case e >= 31:
		fail("weight %g does not fit in 16 bits", x)
	}
	return sign | uint16(e)<<10 | m
}
