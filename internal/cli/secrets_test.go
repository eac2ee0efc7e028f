//go:build unix

package cli_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestPasswordNeverShown checks that the password is in no output and no file.
func TestPasswordNeverShown(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	p := newProgram(t, conn)
	docs := letters(t)
	var all strings.Builder
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
		all.WriteString(o.stdout + o.stderr)
	}
	err := filepath.WalkDir(p.env["NEORAG_HOME"], func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		all.Write(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(all.String(), "msg=statement") || !strings.Contains(all.String(), "Clara Hale") {
		t.Fatal("the runs print too little")
	}
	for _, form := range encodings(conn.Password) {
		if i := strings.Index(all.String(), form); i >= 0 {
			t.Errorf("the password as %q: ...%s...", form, all.String()[max(0, i-200):i])
		}
	}
}

// encodings returns a secret as it is and in usual encodings, at any offset in an
// encoded text.
func encodings(secret string) []string {
	out := []string{secret, url.QueryEscape(secret), hex.EncodeToString([]byte(secret))}
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for offset := range 3 {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
			// The first and last letters also encode the neighbours of the secret.
			out = append(out, text[(offset*8+5)/6:len(text)-1])
		}
	}
	return out
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	const secret = "pass word/1234"
	for _, before := range []string{"", "neo4j:", "a:", "ab:", "abc:"} {
		text := base64.StdEncoding.EncodeToString([]byte(before + secret + " and more"))
		found := false
		for _, form := range encodings(secret) {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("no encoding of the secret is in %s", text)
		}
	}
}

// TestKeyNeverShown checks that the key of a server is in no output, log, answer,
// cache or graph, even if a message of the server contains it.
func TestKeyNeverShown(t *testing.T) {
	t.Parallel()
	const key = "sk-secret+of/this-server=0123456789"
	p := programFor(t, neo4jtest.Server(t), "model")
	docs := folder(t, "novel", novel)
	right := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Key: key, Dimension: 384, Fault: func(r llmtest.Request) *llmtest.Reply {
		if fakemodel.Task(r) == prompts.Extract && strings.Contains(r.Last(), "Mary Quill came") {
			return &llmtest.Reply{Status: 400, Message: "the header " + r.Header.Get("Authorization") + " may not read this"}
		}
		return nil
	}})
	t.Cleanup(right.Close)
	wrong := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Key: "another"})
	t.Cleanup(wrong.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"] = key, t.TempDir()
	at := func(s *llmtest.Server, args ...string) []string {
		return append(args, "--base-url", s.URL(), "--model", "simulated", "--embedding-model", "vectors", "--verbose")
	}
	var all strings.Builder
	for _, run := range []struct {
		args []string
		code int
	}{
		{at(right, "index", docs), 3},
		{at(right, "index", docs, "--json"), 3},
		{at(right, "query", question), 0},
		{at(right, "query", question, "--json", "--method", "basic"), 0},
		{at(wrong, "query", question, "--method", "text"), 1},
		{at(wrong, "index", docs, "--yes", "--json"), 1},
		{[]string{"status", "--json"}, 0},
		{[]string{"doctor"}, 0},
		{[]string{"export"}, 0},
	} {
		code, out, errs := command(t, p.env, run.args...)
		if code != run.code {
			t.Errorf("%v: exit %d, want %d\n%s%s", run.args, code, run.code, out, errs)
		}
		all.WriteString(out + errs)
	}
	files := 0
	for _, dir := range []string{p.env["NEORAG_HOME"], p.env["NEORAG_CACHE"]} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			all.WriteString(path)
			all.Write(body)
			files++
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 5 || !strings.Contains(all.String(), "may not read this") || !strings.Contains(all.String(), "msg=statement") {
		t.Fatalf("%d files; the runs print too little", files)
	}
	for _, form := range encodings(key) {
		if i := strings.Index(all.String(), form); i >= 0 {
			t.Errorf("the key as %q: ...%s...", form, all.String()[max(0, i-200):i])
		}
	}
}
