//go:build unix

package cli_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// harmful matches what a terminal acts on: control characters, those that change the
// direction of text, and those that hide text.
var harmful = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e007f}]`)

// attack is a text that changes the colour, the title and the direction of a terminal.
const attack = "\x1b[31mred \x1b]0;owned\x07 \u009b2J \u202ederf\u2066 \u200f\u061c\U000E0041 end"

// checkHarmless checks what a command shows to a person.
func checkHarmless(t *testing.T, what, shown string) {
	t.Helper()
	if at := harmful.FindStringIndex(shown); at != nil || !utf8.ValidString(shown) {
		t.Errorf("%s prints %q", what, shown)
	}
}

// TestErrorsAreHarmless gives commands names, statements and settings with terminal
// sequences: the errors show the rest of the text.
func TestErrorsAreHarmless(t *testing.T) {
	t.Parallel()
	env := map[string]string{"NEORAG_HOME": t.TempDir()}
	for _, args := range [][]string{
		{"cluster", "missing-" + attack + ".txt"},
		{"cluster", writeFile(t, "edges.csv", "a,b\na,b,red-"+attack+"\n")},
		{"cluster", "--format", attack, "edges.txt"},
		{attack},
		{"methods", "--" + attack},
		{"init", "--file", "/nowhere-" + attack + "/neorag.yaml"},
	} {
		code, out, errs := command(t, env, args...)
		if code == 0 || !strings.Contains(errs, "red") && !strings.Contains(errs, "[31m") {
			t.Errorf("neorag %q: exit %d, stderr %q", args, code, errs)
		}
		checkHarmless(t, args[0], out+errs)
		_, out, errs = command(t, env, append(args, "--json")...)
		checkHarmless(t, args[0]+" --json", out+errs)
		var body struct{ Error struct{ Message string } }
		if err := json.Unmarshal([]byte(errs), &body); err != nil || body.Error.Message == "" {
			t.Errorf("neorag %q --json: %v in %q", args, err, errs)
		}
	}
	_, out, errs := command(t, env, "cluster", "--skip-bad", writeFile(t, "edges.txt", "a b\nred-"+attack+"\n"))
	checkHarmless(t, "cluster --skip-bad", out+errs)
}

// TestServersCannotWriteToTerminal checks errors of Neo4j and of model servers, and
// names of files, which commands show in errors, failures, notes and logs.
func TestServersCannotWriteToTerminal(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.env["NEORAG_CACHE"] = t.TempDir()
	docs := folder(t, "letters-"+strings.ReplaceAll(attack, "/", ""), map[string]string{
		"good.txt": novel["one.txt"], "red-" + attack + ".pdf": "not a PDF", "red-" + attack + ".txt": novel["two.txt"],
	})
	var faults, status atomic.Int64
	var raw atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(llmtest.Request) *llmtest.Reply {
		faults.Add(1)
		if raw.Load() {
			return &llmtest.Reply{Status: int(status.Load()), Raw: "refused: " + attack}
		}
		return &llmtest.Reply{Status: int(status.Load()), Message: "refused: " + attack}
	}})
	t.Cleanup(server.Close)
	check := func(code int, args ...string) {
		t.Helper()
		got, out, errs := command(t, p.env, args...)
		if got != code {
			t.Errorf("neorag %q: exit %d, want %d\n%s", args, got, code, errs)
		}
		checkHarmless(t, strings.Join(args, " "), out)
		checkHarmless(t, strings.Join(args, " ")+" on stderr", errs)
		if !strings.Contains(errs, "[31mred") && code != 0 {
			t.Errorf("neorag %q shows nothing of the message: %q", args, errs)
		}
	}
	check(3, "index", "--offline", "--verbose", docs)
	check(1, "index", "--offline", docs+"/missing-"+attack)
	check(0, "query", "--offline", "--method", "basic", "Who is "+attack+" Tobias Reed?")
	check(0, "export")
	check(0, "export", "--format", "json")
	check(2, "cypher", "RETURN `"+attack+"`")
	check(1, "cypher", "RETURN date('"+attack+"')")
	for _, code := range []int64{401, 404, 501} { // unlike 500, 501 is not tried again
		for _, plain := range []bool{false, true} {
			status.Store(code)
			raw.Store(plain)
			check(1, "query", question, "--base-url", server.URL(), "--model", "simulated", "--method", "basic")
			check(1, "query", question, "--base-url", server.URL(), "--model", "simulated", "--method", "basic", "--json")
		}
	}
	if n := faults.Load(); n < 12 {
		t.Errorf("the server answered with %d errors, want 12", n)
	}
}
