package workspace

import "bytes"

// redacted stands where a secret was.
var redacted = []byte("[redacted]")

// veil takes secrets out of a stream, those too that come in two pieces.
type veil struct {
	secrets [][]byte
	held    []byte
}

func newVeil(secrets []string) *veil {
	v := &veil{}
	for _, s := range secrets {
		if s != "" {
			v.secrets = append(v.secrets, []byte(s))
		}
	}
	if len(v.secrets) == 0 {
		return nil
	}
	return v
}

// pass gives back what of the stream can be shown so far. What may be the
// beginning of a secret waits.
func (v *veil) pass(chunk []byte) []byte {
	if v == nil {
		return chunk
	}
	data := append(v.held, chunk...)
	hold := 0
	for _, s := range v.secrets {
		data = bytes.ReplaceAll(data, s, redacted)
	}
	for _, s := range v.secrets {
		for n := min(len(s)-1, len(data)); n > hold; n-- {
			if bytes.HasPrefix(s, data[len(data)-n:]) {
				hold = n
				break
			}
		}
	}
	v.held = bytes.Clone(data[len(data)-hold:])
	return data[:len(data)-hold]
}

// rest is what waited, when nothing more can come.
func (v *veil) rest() []byte {
	if v == nil {
		return nil
	}
	held := v.held
	v.held = nil
	return held
}
