package cli_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestDeletionAsksOnTerminal deletes a corpus as a person does: nothing but a yes deletes it.
func TestDeletionAsksOnTerminal(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	for _, tt := range []struct {
		typed string
		flags []string
		code  int
	}{
		{typed: "\n"},
		{typed: "n\n"},
		{typed: "yes please\n"},
		{typed: "\x04"},
		{typed: "\x03", code: 130},
		{typed: "no\n", flags: []string{"--json"}},
		{typed: " Y \n"},
	} {
		s := p.onScreen(200, append([]string{"remove", "--corpus", p.corpus}, tt.flags...)...)
		shown := s.expect(" [y/N] ")
		checkContains(t, shown, "This deletes corpus "+p.corpus+" with ", " documents, ", " entities, ", " relationships, ", ". Delete it?")
		s.press(tt.typed)
		_ = s.cmd.Wait()
		if code := s.cmd.ProcessState.ExitCode(); code != tt.code {
			t.Errorf("%q: exit %d, want %d", tt.typed, code, tt.code)
		}
		agreed := strings.TrimSpace(tt.typed) == "Y"
		if exists := p.run("status").code == 0; exists == agreed {
			t.Errorf("%q: the corpus exists: %v\n%s", tt.typed, exists, s.shown.String())
		}
	}
}
