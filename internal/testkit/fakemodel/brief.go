package fakemodel

import (
	"encoding/json"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// Brief returns a model that lists at most a number of entities in one answer, however long the
// text is, and the next ones when it is asked what it missed. It answers anything else as Handler
// does.
func Brief(most int) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		task := Task(r)
		if task != prompts.Extract && task != prompts.Glean && task != prompts.GleanAsk || firstTask(r) != prompts.Extract {
			return Handler(r)
		}
		all := extract(Material(r)).entities
		left := all[min(given(r), len(all)):]
		if task == prompts.GleanAsk {
			if len(left) == 0 {
				return llmtest.Reply{Text: "No."}
			}
			return llmtest.Reply{Text: "Yes."}
		}
		return llmtest.Reply{Text: marshal(map[string]any{"entities": list(left[:min(most, len(left))]), "relationships": []any{}})}
	}
}

// given returns how many entities the earlier answers of a conversation list.
func given(r llmtest.Request) int {
	n := 0
	for _, m := range r.Messages {
		var answer struct{ Entities []json.RawMessage }
		if m.Role == "assistant" && json.Unmarshal([]byte(m.Content), &answer) == nil {
			n += len(answer.Entities)
		}
	}
	return n
}
