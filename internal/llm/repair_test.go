package llm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/llm"
)

var broken = []struct{ name, in, want string }{
	{"whole", ` {"a": [1, 2]} `, `{"a":[1,2]}`},
	{"code fence", "```json\n{\"a\": 1}\n```", `{"a":1}`},
	{"code fence without end", "```\n{\"a\": 1}", `{"a":1}`},
	{"prose before", `Here is the JSON: {"a": 1}`, `{"a":1}`},
	{"prose after", `{"a": 1} I hope this helps [really].`, `{"a":1}`},
	{"prose with brackets", `As [Data: Reports (1, 2)] says {see below}: {"a": "b"}`, `{"a":"b"}`},
	{"longest of several", `{"a":1} or rather {"a":1,"b":2}`, `{"a":1,"b":2}`},
	{"thinking", "<think>{\"a\": maybe}</think>{\"a\": 2}", `{"a":2}`},
	{"trailing commas", `{"a": [1, 2,], "b": 3,}`, `{"a":[1,2],"b":3}`},
	{"doubled commas", `{"a": [1,, 2],, "b": 3}`, `{"a":[1,2],"b":3}`},
	{"missing commas", "{\"a\": 1 \"b\": [1 2]\n\"c\": \"x\"\n\"d\": \"y\"}", `{"a":1,"b":[1,2],"c":"x","d":"y"}`},
	{"single quotes", `{'a': 'it's', 'b': ['x', 'say "y"']}`, `{"a":"it's","b":["x","say \"y\""]}`},
	{"curly quotes", `{“a”: “b”}`, `{"a":"b"}`},
	{"bare keys", `{name: "x", type_2: "y"}`, `{"name":"x","type_2":"y"}`},
	{"quotes in a string", `{"a": "he said "no" to me", "b": 1}`, `{"a":"he said \"no\" to me","b":1}`},
	{"line breaks in a string", "{\"a\": \"one\ntwo\tthree\"}", `{"a":"one\ntwo\tthree"}`},
	{"invalid escapes", `{"a": "\alpha \'x\' C:\Users \u12"}`, `{"a":"\\alpha 'x' C:\\Users \\u12"}`},
	{"good escapes", `{"a": "\"q\" \u00e9 \\ \/",}`, `{"a":"\"q\" \u00e9 \\ \/"}`},
	{"Python's words", `{'a': True, 'b': False, 'c': None}`, `{"a":true,"b":false,"c":null}`},
	{"not numbers", `{"a": NaN, "b": -Infinity, "c": undefined}`, `{"a":null,"b":null,"c":null}`},
	{"odd numbers", `{"a": .5, "b": +1, "c": 007, "d": 1., "e": 1_000, "f": -.5, "g": 0, "h": 1e5,}`, `{"a":0.5,"b":1,"c":7,"d":1,"e":1000,"f":-0.5,"g":0,"h":1e5}`},
	{"comments", "{\"a\": 1, // one\n /* two */ \"b\": 2}", `{"a":1,"b":2}`},
	{"and so on", `{"a": [1, 2, ...], "b": 1, ...}`, `{"a":[1,2],"b":1}`},
	{"a URL is not a comment", `{"a": "http://x.org/y", }`, `{"a":"http://x.org/y"}`},
	{"brackets missing at the end", `{"a": [1, {"b": 2`, `{"a":[1,{"b":2}]}`},
	{"unfinished string", `{"a": [{"n": "A"}, {"n": "B", "d": "the sto`, `{"a":[{"n":"A"},{"n":"B"}]}`},
	{"unfinished key", `{"a": 1, "b`, `{"a":1}`},
	{"key without value", `{"a": 1, "b":`, `{"a":1}`},
	{"value left out", `{"a": , "b": 2}`, `{"a":null,"b":2}`},
	{"wrong bracket", `{"a": [1, 2}, "b": 3}`, `{"a":[1,2]}`},
	{"doubled braces", `{{"a": 1}}`, `{"a":1}`},
	{"several lines", "{\"a\":1}\n{\"a\":22}", `{"a":22}`},
	{"array", `The list: ["a", "b"]`, `["a","b"]`},
	{"byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
	{"broken characters", "{\"a\":\"x\xffy\"}", `{"a":"x` + "\uFFFD" + `y"}`},
	{"no-break space", "{\"a\":\u00a01}", `{"a":1}`},
}

func TestRepair(t *testing.T) {
	t.Parallel()
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := llm.Repair(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, compacted(t, got)); diff != "" {
				t.Errorf("Repair(%q) mismatch (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func compacted(t interface{ Fatalf(string, ...any) }, text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return b.String()
}

func TestRepairInventsNothing(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "   ", "I cannot answer.", "null", "42", `"text"`, "[see below]", "{the thing}", "``````", "{", "((", "<think>{}",
		"{\"", "function f() { return x; }", "a { b } [c]",
	} {
		got, err := llm.Repair(in)
		if err == nil && got != "{}" || err != nil && !errors.Is(err, llm.ErrNoJSON) {
			t.Errorf("Repair(%q) = %q, %v; want ErrNoJSON", in, got, err)
		}
	}
}

// Valid JSON comes out as it was, whatever surrounds it.
func TestRepairKeepsValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, err := json.Marshal(object(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		got, err := llm.Repair("Sure:\n```json\n" + string(b) + "\n```\nDone.")
		if err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		if compacted(t, got) != string(b) {
			t.Fatalf("got %s, want %s", got, b)
		}
	})
}

// object draws an object with strings that are hard to repair.
func object(t *rapid.T, depth int) map[string]any {
	hard := rapid.StringOf(rapid.RuneFrom([]rune("ab \"'\\{}[],:/\n\té漢<")))
	m := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "fields") {
		key := hard.Draw(t, "key")
		switch k := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case k == 0 && depth > 0:
			m[key] = object(t, depth-1)
		case k == 1 && depth > 0:
			m[key] = []any{object(t, depth-1), hard.Draw(t, "item")}
		case k == 2:
			m[key] = rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
		case k == 3:
			m[key] = rapid.Bool().Draw(t, "bool")
		case k == 4:
			m[key] = nil
		default:
			m[key] = hard.Draw(t, "text")
		}
	}
	return m
}

// Each takes milliseconds; with a quadratic step it would take half a minute.
func TestRepairHostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	for _, unit := range []string{"[", "{", "{\"a\":", "{\"", "[\"a\" ", "{'a':'", "\"", "[1,", "{a:", "//", "/*", "\\", "[ ", "{}", "[]", "{\"a\":\"b\"   ", "[[[[]]]"} {
		got, err := llm.Repair("[" + strings.Repeat(unit, size/len(unit)))
		if err == nil && !json.Valid([]byte(got)) {
			t.Errorf("%d bytes of %q are repaired to %.100q", size, unit, got)
		}
	}
}

func FuzzRepair(f *testing.F) {
	for _, c := range broken {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := llm.Repair(in)
		if err != nil {
			return
		}
		if !json.Valid([]byte(got)) || got[0] != '{' && got[0] != '[' {
			t.Fatalf("Repair(%q) = %q", in, got)
		}
		if again, err := llm.Repair(got); err != nil || again != got {
			t.Fatalf("Repair(%q) = %q, %v", got, again, err)
		}
		if trimmed := strings.TrimSpace(in); json.Valid([]byte(in)) && strings.HasPrefix(trimmed, "{") && strings.ToValidUTF8(trimmed, "\uFFFD") != got {
			t.Fatalf("valid JSON changed: %q to %q", in, got)
		}
	})
}
