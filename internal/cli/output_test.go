//go:build unix

package cli_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestOneJSONDocument checks that --json prints exactly one JSON document to stdout.
func TestOneJSONDocument(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	docs := letters(t)
	for _, args := range [][]string{
		{"index", "--offline", "--verbose"},
		{"index", "--offline"},
		{"query", "--verbose", question},
		{"query", "--method", "basic", question},
		{"trace", "1"},
		{"status"},
		{"methods"},
		{"doctor"},
	} {
		command := append([]string{}, args...)
		command = append(command, "--json")
		if args[0] == "index" {
			command = append(command, docs)
		}
		o := p.ok(command...)
		decoder := json.NewDecoder(strings.NewReader(o.stdout))
		var document any
		if err := decoder.Decode(&document); err != nil {
			t.Errorf("%v: %v in %q", args, err, o.stdout)
			continue
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			t.Errorf("%v: more than one document in %q", args, o.stdout)
		}
	}
	o := p.run("status", "--json", "--corpus", "no_such_corpus")
	var body struct {
		Error struct{ Message, Hint string }
	}
	if err := json.Unmarshal([]byte(o.stderr), &body); err != nil || o.code != 1 || o.stdout != "" || body.Error.Message == "" || body.Error.Hint == "" {
		t.Errorf("a failure: exit %d, %v, stdout %q, stderr %q", o.code, err, o.stdout, o.stderr)
	}
}

// TestClosedPipe checks that the program ends silently when stdout is closed.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t))
	for _, args := range [][]string{{"export"}, {"status"}, {"query", "--json", question}, {"--help"}} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		o := p.startTo(writer, args...).wait()
		_ = writer.Close()
		if o.stderr != "" || o.signal != syscall.SIGPIPE && o.code != 0 {
			t.Errorf("%v: exit %d, signal %v, stderr %q", args, o.code, o.signal, o.stderr)
		}
	}
}
