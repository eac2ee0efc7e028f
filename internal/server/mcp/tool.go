package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/sys/panicerr"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// addTool adds a tool. limit sets the bounds of its arguments. call returns a value and the text of it for a
// model; its context ends after the time of a call.
func addTool[In, Out any](s *Server, tool sdk.Tool, limit func(argument func(name string) *jsonschema.Schema), call func(context.Context, In) (Out, string, error)) {
	input, output := schemaOf[In](), schemaOf[Out]()
	limit(func(name string) *jsonschema.Schema { return input.Properties[name] })
	shorten(output)
	resolved, err := input.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", tool.Name, err))
	}
	tool.InputSchema, tool.OutputSchema = input, output
	if tool.Annotations == nil {
		tool.Annotations = &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
	}
	s.sdk.AddTool(&tool, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(ctx, s.CallTime)
		defer cancel()
		result := &sdk.CallToolResult{}
		err := panicerr.Catch(func() error {
			in, err := argumentsOf[In](resolved, r.Params.Arguments)
			if err != nil {
				return err
			}
			out, text, err := call(ctx, in)
			if err != nil {
				return err
			}
			value, err := json.Marshal(out)
			result.StructuredContent = json.RawMessage(sanitize.JSON(value))
			result.Content = []sdk.Content{&sdk.TextContent{Text: sanitize.Controls(text)}}
			return err
		})
		if err != nil {
			result.IsError, result.StructuredContent = true, nil
			result.Content = []sdk.Content{&sdk.TextContent{Text: s.explain(ctx, tool.Name, err)}}
		}
		return result, nil
	})
}

// schemaOf returns the schema of a type, where a list is never null.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("schema of a tool: %v", err))
	}
	eachSchema(schema, func(s *jsonschema.Schema) {
		if len(s.Types) == 2 && s.Types[0] == "null" {
			s.Type, s.Types = s.Types[1], nil
		}
	})
	return schema
}

// shorten leaves out of the schema of a result what is of no use to a model, which pays for the list of tools:
// that objects have no other properties, and which properties the inner ones always have.
func shorten(output *jsonschema.Schema) {
	required := output.Required
	eachSchema(output, func(s *jsonschema.Schema) { s.AdditionalProperties, s.Required = nil, nil })
	output.Required = required
}

func eachSchema(schema *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	if schema == nil {
		return
	}
	visit(schema)
	eachSchema(schema.Items, visit)
	for _, property := range schema.Properties {
		eachSchema(property, visit)
	}
}

// argumentsOf reads the arguments of a call, which models get wrong in known ways.
func argumentsOf[In any](schema *jsonschema.Resolved, raw json.RawMessage) (in In, err error) {
	wrong := func(err error) error {
		return service.NewError(service.Invalid, "the arguments are wrong: "+err.Error(), "correct them and call again")
	}
	var given any = map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return in, wrong(err)
		}
	}
	given = lenient(schema.Schema(), given)
	if given == nil {
		given = map[string]any{}
	}
	if err := schema.Validate(given); err != nil {
		return in, wrong(err)
	}
	encoded, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(encoded, &in)
	}
	if err != nil {
		return in, wrong(err)
	}
	return in, nil
}

// lenient returns a value as its schema has it, if the intention is clear: one item for a list, an object or a
// list as a string of JSON, and null for what may be absent.
func lenient(schema *jsonschema.Schema, value any) any {
	if text, ok := value.(string); ok && (schema.Type == "array" || schema.Type == "object") {
		var decoded any
		if text = strings.TrimSpace(text); text == "" {
			return nil
		} else if (text[0] == '[' || text[0] == '{') && json.Unmarshal([]byte(text), &decoded) == nil {
			value = decoded
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for name, property := range schema.Properties {
			if given, ok := v[name]; ok {
				if v[name] = lenient(property, given); v[name] == nil {
					delete(v, name)
				}
			}
		}
	case string:
		if schema.Type == "array" {
			return []any{v}
		}
	}
	return value
}
