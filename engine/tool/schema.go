package tool

import (
	"encoding/json"
	"slices"
	"strings"
)

// Param is one argument of a tool.
type Param struct {
	Name string
	// Type is string, integer, strings (a list of them) or free: then Shape is
	// its JSON schema and the tool reads it by itself.
	Type     string
	About    string
	Optional bool
	Shape    json.RawMessage
}

type property struct {
	Type        string    `json:"type"`
	Description string    `json:"description,omitempty"`
	Items       *property `json:"items,omitempty"`
}

// Schema is the JSON schema of a tool's arguments. The same tool always gives
// the same bytes.
func (t Tool) Schema() json.RawMessage {
	var props []string
	required := []string{}
	for _, p := range t.Params {
		shape := p.Shape
		if shape == nil {
			prop := property{Type: p.Type, Description: p.About}
			if p.Type == "strings" {
				prop.Type, prop.Items = "array", &property{Type: "string"}
			}
			shape = encode(prop)
		}
		props = append(props, string(encode(p.Name))+":"+string(shape))
		if !p.Optional {
			required = append(required, p.Name)
		}
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":` + string(encode(required)) + `}`)
}

// encode is for values that always can be.
func encode(v any) json.RawMessage {
	data, _ := json.Marshal(v)
	return data
}

// usage is how a tool is called, in a line.
func (t Tool) usage() string {
	var list []string
	for _, p := range t.Params {
		name := p.Name
		if p.Optional {
			name += "?"
		}
		kind := p.Type
		switch kind {
		case "strings":
			kind = "list of strings"
		case "free":
			kind = "see its schema"
		}
		list = append(list, name+": "+kind)
	}
	return t.Name + "(" + strings.Join(list, ", ") + ")"
}

func (t Tool) param(name string) (Param, bool) {
	i := slices.IndexFunc(t.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return t.Params[i], true
}
