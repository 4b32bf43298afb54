package command

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"growbench/engine/agent"
)

// The shapes of what Workers and Planners hand in, for agents that can be held
// to one. Every property is required and no other allowed, as OpenAI wants it.
const (
	resultSchema = `{"type":"object","additionalProperties":false,` +
		`"required":["status","files","signatures","breaking","summary","needs"],"properties":{` +
		`"status":{"type":"string","enum":["done","blocked"]},` +
		`"files":{"type":"object","additionalProperties":false,"required":["created","modified","deleted"],"properties":{` +
		`"created":` + stringList + `,"modified":` + stringList + `,"deleted":` + stringList + `}},` +
		`"signatures":{"type":"array","items":{"type":"string"},"description":"each: exported signature — path"},` +
		`"breaking":{"type":"array","items":{"type":"string"},"description":"each: what was removed, renamed or changed for users of the code — path"},` +
		`"summary":{"type":"string","description":"one or two sentences"},` +
		`"needs":{"type":"array","items":{"type":"string"},"description":"paths a blocked Worker needs; else empty"}}}`

	planSchema = `{"type":"object","additionalProperties":false,"required":["tasks"],"properties":{"tasks":{"type":"array","items":` +
		`{"type":"object","additionalProperties":false,` +
		`"required":["title","layer","goal","background","past_failures","constraints","target_files","signatures"],"properties":{` +
		`"title":{"type":"string"},"layer":{"type":"integer"},"goal":{"type":"string"},"background":{"type":"string"},` +
		`"past_failures":{"type":"string"},"constraints":` + stringList + `,"target_files":` + stringList + `,` +
		`"signatures":{"type":"array","items":{"type":"string"},"description":"each: signature — path"}}}}}}`

	stringList = `{"type":"array","items":{"type":"string"}}`
)

// schemaName is the file that holds a schema for agents that want a file. It
// lies in the clone's own .git: visible in every sandbox, part of no commit.
const schemaName = "growbench-answer-schema.json"

// handSchema gives the schema in the form the program takes it, or "" when it
// takes none. Without it the answer is read from the last message.
func (p program) handSchema(req agent.Request) (schema string, remove func()) {
	remove = func() {}
	switch req.Role {
	case agent.Worker:
		schema = resultSchema
	case agent.Planner:
		schema = planSchema
	default:
		return "", remove
	}
	switch p.preset.schema {
	case schemaInline:
		return schema, remove
	case schemaFile:
		path, err := writeSchema(req.Dir, schema)
		if err != nil {
			return "", remove
		}
		return path, func() { _ = removeSchema(req.Dir) }
	}
	return "", remove
}

// writeSchema follows no link out of the clone: an agent before this one may
// have put anything there.
func writeSchema(dir, schema string) (string, error) {
	if err := removeSchema(dir); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	name := ".git/" + schemaName
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("write the answer's schema: %w", err)
	}
	_, err = f.WriteString(schema)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

func removeSchema(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(".git/" + schemaName); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// asked moves an answer that was given in the shape asked for to where the
// engine looks for it.
func asked(role agent.Role, o agent.Outcome) agent.Outcome {
	if text := strings.TrimSpace(o.Message); len(o.Submitted) == 0 && isObject([]byte(text)) {
		o.Submitted = json.RawMessage(text)
	}
	if role == agent.Planner {
		o.Plan, o.Submitted = o.Submitted, nil
	}
	return o
}
