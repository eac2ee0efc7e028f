//go:build unix

package cli_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
)

const question = "Who kept the books of the Harbour Museum?"

// TestAnswerIsNotKept: a home that cannot be written to takes away the trace
// of an answer, not the answer.
func TestAnswerIsNotKept(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{"a file is in the way": filepath.Join(file, "home"), "a system folder": "/proc/neorag"}
	if os.Geteuid() != 0 { // root may write anywhere
		homes["no permission"] = filepath.Join(locked, "home")
	}
	for name, home := range homes {
		p.env["NEORAG_HOME"] = home
		o := p.ok("query", "--method", "basic", question)
		if !strings.Contains(o.stdout, "Tobias Reed") || !strings.Contains(o.stderr, "could not be kept") {
			t.Errorf("%s: want an answer and a remark; stdout:\n%s\nstderr:\n%s", name, o.stdout, o.stderr)
		}
		var a query.Answer
		if err := json.Unmarshal([]byte(p.ok("query", "--json", "--method", "basic", question).stdout), &a); err != nil || a.Trace != "" {
			t.Errorf("%s: the answer names the trace %q, %v; want none", name, a.Trace, err)
		}
		if told := refused(t, p.run("trace", "1"), 1); !strings.Contains(told, "neorag query") && !strings.Contains(told, "read the answers that were kept") {
			t.Errorf("%s: trace says %s", name, told)
		}
	}
}

// TestNoSecret: the password is nowhere in what a run says and makes.
func TestNoSecret(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	p := newProgram(t, conn)
	docs := letters(t)
	var said strings.Builder
	for _, args := range [][]string{
		{"index", "--offline", "--verbose", docs},
		{"index", "--offline", "--verbose", "--json", docs},
		{"query", "--verbose", question},
		{"query", "--verbose", "--json", "--method", "basic", question},
		{"status"},
		{"status", "--json"},
		{"doctor"},
		{"doctor", "--json"},
		{"methods"},
		{"trace", "1"},
		{"export"},
		{"query", "--verbose", "--method", "none", question},
		{"index", "--offline", "--verbose", filepath.Join(docs, "nothing")},
	} {
		o := p.run(args...)
		said.WriteString(o.stdout + o.stderr)
	}
	err := filepath.WalkDir(p.env["NEORAG_HOME"], func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		kept, err := os.ReadFile(path)
		said.Write(kept)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "msg=statement") || !strings.Contains(said.String(), "Clara Hale") {
		t.Fatal("the runs said less than they should")
	}
	for _, form := range forms(conn.Password) {
		if i := strings.Index(said.String(), form); i >= 0 {
			t.Errorf("the password as %q: ...%s...", form, said.String()[max(0, i-200):i])
		}
	}
}

// forms are a secret as it is and as usual encodings show it, wherever in an
// encoded text it begins.
func forms(secret string) []string {
	out := []string{secret, url.QueryEscape(secret), hex.EncodeToString([]byte(secret))}
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", before) + secret))
			// The first and last letters also hold what stands beside the secret.
			out = append(out, text[(before*8+5)/6:len(text)-1])
		}
	}
	return out
}

func TestForms(t *testing.T) {
	t.Parallel()
	const secret = "pass word/1234"
	for _, beside := range []string{"", "neo4j:", "a:", "ab:", "abc:"} {
		text := base64.StdEncoding.EncodeToString([]byte(beside + secret + " and more"))
		found := false
		for _, form := range forms(secret) {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("no form of the secret is in %s", text)
		}
	}
}

// TestOneDocument: with --json stdout holds one JSON document, and nothing else.
func TestOneDocument(t *testing.T) {
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

// TestClosedPipe: who reads only the beginning ends the program quietly.
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
