package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bannedWords are words and phrases at which readers stop, each with what to write
// instead. A pattern is a regular expression for whole words, in which a space matches
// a line break too. What its group matches, if it has one, is allowed.
var bannedWords = []struct{ pattern, instead string }{
	{`anew`, "again, or from scratch"},
	{`beside`, "next to, with, or in addition to"},
	{`but for`, "except"},
	{`at once`, "concurrently, immediately, or in one step"},
	{`so many`, "the number: n, at most n, a given number of"},
	{`parted`, "separated"},
	{`astray`, "misplaced, or lost"},
	{`blanks`, "spaces"},
	{`thereof|whereof|wherein|whereupon|thereupon`, "a sentence that names the thing"},
	{`whichever|whosoever|whoever|to whom`, "a sentence that names who or which"},
	{`of (?:its|their) own( \w+)?`, "its own X, or a separate X"},
	{`says? (?:that|whether)`, "reports whether, or shows that"},
	{`tells? (?:that|whether|how|what|which)`, "reports whether, returns, or shows"},
	{`hears|(?:is|are|be) told|gets? to know`, "is called with, receives, or learns"},
	{`stands? (?:in|for|where|beside|between|behind|around|at|on|there|here|once|twice|alone|before|above)`, "is, is in, means, or occurs"},
	{`what (?:answers|waits|stands|is) there`, "a sentence that names the thing"},
	{`(there (?:is|are) no|(?:is|are) no (?:longer|more|less|fewer|better|worse|other|different))|(?:is|are) no \w+`, "is not a X"},
	{`(?:go|goes|went) on`, "continue"},
	{`hangs? (?:on|upon)`, "depends on"},
	{`speaks? (?:to|of|for|no)`, "answers, mentions, or uses"},
	{`(such as those of)|(?:is|are|be|was|were|than|as|or|also|else|not|only|means|equals|returns) (?:that|those) of`, "the X of, or X's"},
	{`(?:and|which|whose|where|while|without|except|given|,|;|:|\.) (?:that|those) of`, "the X of, or X's"},
	{`of before`, "previous"},
	{`(?:make|makes|made|making) (?:\w+ )?again`, "rebuild, regenerate, or replace"},
	{`as before,? at first|at first (?:that|those|\d\S*|\w+ and)`, "the corpus's value; X for a new corpus"},
	{`(?:keep|keeps|kept|keeping|counted|stays?) apart`, "separate"},
	{`there are none`, "none exist, or without any"},
	{`(?:corpus|corpora) remembers?`, "stored with the corpus"},
	{`(?:empty|free|idle|unused) places|places (?:for|of) calls`, "slots"},
}

// TestWords fails on a banned word in the comments and string literals of the program,
// in the comments of statements, in documentation, scripts and the map. Tests, prompts,
// word lists and the texts of examples are not read.
func TestWords(t *testing.T) {
	t.Parallel()
	all := proseOf(t, filepath.Join("..", ".."))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		for _, f := range bannedIn(all[path]) {
			t.Errorf("%s:%d: %q: write %s", path, f.line, f.words, f.instead)
		}
	}
}

// TestBannedWords checks the table on sentences, and that only comments and strings of
// Go code are read.
func TestBannedWords(t *testing.T) {
	t.Parallel()
	const code = `package anew

// Zero stands
// for none. There is no file, and the file is no longer read.
var beside = "\tthe score\nis no number" // parted

// The text is made again. Its language is
// that of the corpus, its values such as those of before.
`
	var got []string
	for _, f := range bannedIn(proseOfGo(t, "code.go", []byte(code))) {
		got = append(got, fmt.Sprint(f.line, " ", f.words))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"3 stands for", "5 is no number", "5 parted", "7 is that of", "7 made again", "8 of before"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A finding is a banned phrase in a text.
type finding struct {
	line           int
	words, instead string
}

var bannedPatterns = sync.OnceValue(func() []*regexp.Regexp {
	patterns := make([]*regexp.Regexp, len(bannedWords))
	for i, w := range bannedWords {
		patterns[i] = regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(w.pattern, " ", `\s+`) + `)\b`)
	}
	return patterns
})

// bannedIn returns the banned phrases of a text.
func bannedIn(text []byte) (found []finding) {
	for i, pattern := range bannedPatterns() {
		for _, at := range pattern.FindAllSubmatchIndex(text, -1) {
			if len(at) > 2 && at[2] >= 0 {
				continue // allowed
			}
			words := strings.Join(strings.Fields(string(text[at[0]:at[1]])), " ")
			found = append(found, finding{1 + bytes.Count(text[:at[0]], []byte("\n")), words, bannedWords[i].instead})
		}
	}
	return found
}

// proseOf returns what people read in the files below root, by path. Everything else
// in a file is replaced by spaces, so that lines keep their numbers.
func proseOf(t *testing.T, root string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	unread := []string{"prompts", "testdata", "lists", "bin"}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(unread, d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		prose := func(body []byte) []byte { return body }
		switch filepath.Ext(path) {
		case ".go":
			if strings.HasSuffix(path, "_test.go") {
				return nil
			}
			prose = func(body []byte) []byte { return proseOfGo(t, path, body) }
		case ".cypher":
			prose = func(body []byte) []byte { return regexp.MustCompile(`(?m)^[^/\n].*`).ReplaceAll(body, nil) }
		case ".md", ".sh", ".js", ".html", ".tmpl", ".yml", ".yaml":
		default:
			if d.Name() != "Makefile" {
				return nil
			}
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		all[rel] = prose(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// proseOfGo replaces by spaces what is neither in a comment nor in a string literal.
// The marks of comments, and what a literal escapes, become spaces too.
func proseOfGo(t *testing.T, path string, body []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, body, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len(body))
	for i, c := range body {
		if out[i] = ' '; c == '\n' {
			out[i] = c
		}
	}
	keep := func(n ast.Node) {
		begin, end := files.Position(n.Pos()).Offset, files.Position(n.End()).Offset
		text := regexp.MustCompile(`//|\\[nt]`).ReplaceAll(body[begin:end], []byte("  "))
		copy(out[begin:end], text)
	}
	for _, group := range f.Comments {
		keep(group)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			keep(literal)
		}
		return true
	})
	return out
}
