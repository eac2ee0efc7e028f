package main

import (
	"context"
	"encoding/json"
	"strings"
)

// reasoningCases are answers with reasoning or tokens of the chat template.
func reasoningCases() (cases []testCase) {
	for mode := range strings.FieldsSeq("thinking thought harmony magistral eot fence think thinkopen") {
		cases = append(cases, testCase{
			kind: "reasoning", name: mode, right: "only the answer", needs: python,
			run: func(ctx context.Context, t *trial) (string, bool) {
				a, o := t.answer(ctx, mode)
				if o.code != 0 {
					return o.brief(), false
				}
				return a.Text, a.Text == sentence+" [1]."
			},
		})
	}
	return cases
}

// An answer is what `query --json` prints of it.
type answer struct {
	Text       string            `json:"answer"`
	References []json.RawMessage `json:"references"`
}

// answer asks a mode of the server, not streamed.
func (t *trial) answer(ctx context.Context, mode string) (a answer, o outcome) {
	o = t.run(ctx, command{args: t.asks(t.answers.base(mode), "--json")})
	if o.code == 0 {
		if err := json.Unmarshal([]byte(o.stdout), &a); err != nil {
			t.fail(err)
		}
	}
	return a, o
}

// dropped are words of a note about references that point nowhere.
var dropped = []string{"not exist", "dropped", "left out", "removed", "nowhere", "points to nothing", "no such", "unknown", "made up", "made-up", "was not given", "were not given", "not in the context"}

// citationCases are forms of citations that models write.
func citationCases() (cases []testCase) {
	for _, mode := range []string{"cite99", "long99", "long99b"} {
		cases = append(cases, testCase{
			kind: "citations", name: mode, right: "a note about the reference that points nowhere", needs: python,
			run: func(ctx context.Context, t *trial) (string, bool) {
				o := t.run(ctx, command{args: t.asks(t.answers.base(mode))})
				return o.brief(), o.code == 0 && o.says(dropped...)
			},
		})
	}
	for mode := range strings.FieldsSeq("citeparen citeescaped citelink citedata citefoot citecjk citelist") {
		cases = append(cases, testCase{
			kind: "citations", name: mode, right: "the citation is resolved", needs: python,
			run: func(ctx context.Context, t *trial) (string, bool) {
				a, o := t.answer(ctx, mode)
				if o.code != 0 {
					return o.brief(), false
				}
				return a.Text, len(a.References) > 0 && strings.Contains(a.Text, "[1]") && !strings.Contains(a.Text, "evil.example")
			},
		})
	}
	return append(cases, testCase{
		kind: "citations", name: "citeref", right: "the model's own list of references is removed", needs: python,
		run: func(ctx context.Context, t *trial) (string, bool) {
			a, o := t.answer(ctx, "citeref")
			if o.code != 0 {
				return o.brief(), false
			}
			return a.Text, len(a.References) == 1 && !strings.Contains(a.Text, "made-up.pdf")
		},
	})
}
