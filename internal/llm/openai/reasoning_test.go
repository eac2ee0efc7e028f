package openai

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCleanAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"none", " plain ", "plain"},
		{"at the start", "<think>a</think>b", "b"},
		{"twice", "<think>a</think>\n<think>b</think>\nc", "c"},
		{"on a later line", "a\n<think>b</think>\nc", "a\n\nc"},
		{"without an end", "<think>a\nb", ""},
		{"without a beginning", "I wonder.\n</think>\n\nyes", "yes"},
		{"without a beginning, one line", "I wonder.</think>\nyes", "yes"},
		{"quoted in a line", "the tag <think> and </think> are tags", "the tag <think> and </think> are tags"},
		{"quoted in JSON", `{"a":"<think>x</think>"}`, `{"a":"<think>x</think>"}`},
		{"another tag", "<thinker>a", "<thinker>a"},
		{"a piece of the tag", "<thi", "<thi"},
		{"empty", "<think></think>", ""},
	} {
		if got := cleanAnswer(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// However a text is split, the filter returns the same, and never a piece of a block.
func TestCleanerInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"<think>", "</think>", "<", "<th", "a", "\n", " ", "</", "hidden", "é",
		})).Draw(t, "parts"), "")
		var whole, split cleaner
		want := whole.push(text) + whole.flush()
		var out strings.Builder
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			out.WriteString(split.push(rest[:n]))
			rest = rest[n:]
		}
		got := out.String() + split.flush()
		// White space after a block at the start may be kept or not.
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Fatalf("%q: split %q, whole %q", text, got, want)
		}
	})
}

const said = "Ingrid was the keeper [1.5]."

// Reasoning in all forms that models and servers write is kept out of an answer, also of a
// streamed one. Text that mentions the marks stays.
func TestFormsOfReasoning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"thinking", "<thinking>The user asks</thinking>" + said, said},
		{"thought", "<thought>The user asks</thought>\n\n" + said, said},
		{"thoughts", "<thoughts>The user asks</thoughts>" + said, said},
		{"reason", "<reason>a</reason>" + said, said},
		{"reasoning", " \n<reasoning>a\nb</reasoning>" + said, said},
		{"reflection", "<reflection>a</reflection>" + said, said},
		{"scratchpad", "<scratchpad>a</scratchpad>" + said, said},
		{"capitals", "<Think>a</THINK>" + said, said},
		{"two kinds", "<thinking>a</thinking>\n<reflection>b</reflection>\n" + said, said},
		{"Magistral", "[THINK]The user asks[/THINK]" + said, said},
		{"Kimi", "◁think▷The user asks◁/think▷" + said, said},
		{"Seed", "<seed:think>The user asks</seed:think>" + said, said},
		{"Gemma", "<unused94>thought The user\n<unused95>" + said, said},
		{"Gemma 4", "<|channel>thought\nThe user<channel|>" + said, said},
		{"Cohere", "<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>" + said + "<|END_RESPONSE|>", said},
		{"harmony", "<|channel|>analysis<|message|>The user asks<|end|><|start|>assistant<|channel|>final<|message|>" + said + "<|return|>", said},
		{"harmony with a beginning", "<|start|>assistant<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>" + said, said},
		{"harmony without an end", "<|channel|>analysis<|message|>a<|channel|>final<|message|>" + said, said},
		{"harmony with commentary", "<|channel|>commentary<|message|>a<|end|><|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>" + said, said},
		{"harmony, final only", "<|channel|>final<|message|>" + said, said},
		{"harmony, cut", "<|channel|>analysis<|message|>The user", ""},
		{"cut", "<thought>The user asks and", ""},
		{"cut in its mark", "<think>The user asks</thi", ""},
		{"end only", "Okay, the user asks.\n</think>\n\n" + said, said},
		{"end only, thinking", "Let me see.\n</thinking>\n" + said, said},
		{"end only, Magistral", "The user asks.\n[/THINK]\n" + said, said},
		{"control tokens", said + "<|im_end|>", said},
		{"several control tokens", said + " <|eot_id|>\n</s><|endoftext|>\n", said},
		{"a role before", "<|im_start|>assistant\n" + said, said},
		{"Markdown", "```markdown\n" + said + "\n```", said},
		{"Markdown with code", "```md\n" + said + "\n```go\nx\n```\nend\n```\n", said + "\n```go\nx\n```\nend"},
		{"Markdown after reasoning", "<think>a</think>\n```Markdown\n" + said + "\n```<|im_end|>", said},
		{"Markdown, cut", "```markdown\n" + said, said},
		// Text that stays.
		{"code", "```python\nprint(1)\n```", "```python\nprint(1)\n```"},
		{"code without a language", "```\nx\n```", "```\nx\n```"},
		{"a tag in a sentence", "The `<think>` tag begins it, </think> ends it.", "The `<think>` tag begins it, </think> ends it."},
		{"a tag that begins a line", "These are tags:\n<think>\nbegins it.", "These are tags:\n<think>\nbegins it."},
		{"a tag in code", "Write:\n```\n<think>\na\n</think>\n```\nThen go on.", "Write:\n```\n<think>\na\n</think>\n```\nThen go on."},
		{"an end in code", "Write:\n```\na\n</think>\n```\nThen go on.", "Write:\n```\na\n</think>\n```\nThen go on."},
		{"a tag of a document", "In XML:\n<reason>late</reason>\nis a reason.", "In XML:\n<reason>late</reason>\nis a reason."},
		{"talk without reasoning", "The user manual says so.", "The user manual says so."},
		{"another token", "A <|pad|> token, and a </s> token in a text.", "A <|pad|> token, and a </s> token in a text."},
		{"a beginning of a token at the end", "a < b <|im", "a < b <|im"},
		{"a list with brackets", "[THIS] is [EO", "[THIS] is [EO"},
	} {
		if got := cleanAnswer(c.in); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.in, got, c.want)
		}
		var f cleaner
		var streamed strings.Builder
		for _, r := range c.in {
			streamed.WriteString(f.push(string(r)))
		}
		streamed.WriteString(f.flush())
		if strings.TrimSpace(streamed.String()) != c.want {
			t.Errorf("%s: %q is streamed as %q, want %q", c.name, c.in, streamed.String(), c.want)
		}
	}
}
