package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNames adds files with names of all kinds.
func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.txt": "a.txt", "A Christmas Carol (1843).txt": "A Christmas Carol (1843).txt", "Ärzte.md": "Ärzte.md", "文書.pdf": "文書.pdf", "a..b.txt": "a..b.txt",
		"/etc/passwd.txt": "passwd.txt", "../../a.txt": "a.txt", `..\..\a.txt`: "a.txt", `C:\Users\a.txt`: "a.txt", "a/": "", "..": "", ".": "", "": "", "/": "",
		".hidden": "", "a/.hidden": "", "...": "", "a.txt.": "", "a.txt ": "", "CON": "", "con.txt": "", "Lpt1.tar.gz": "", "nul .txt": "", "console.txt": "console.txt",
		"a\x00b.txt": "", "a\nb.txt": "", "a\x7fb": "", "a:b.txt": "", "a|b": "", "a?b": "", "a*b": "", "a<b": "", `a"b`: "", "a#b.txt": "",
		"a\u202etxt.exe": "", "a\u200bb.txt": "", "a\xff.txt": "", strings.Repeat("a", 200): strings.Repeat("a", 200), strings.Repeat("a", 201): "",
	} {
		got, err := cleanName(name)
		if got != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, ErrName) {
			t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
		}
	}
}

// FuzzNames checks what no name may be.
func FuzzNames(f *testing.F) {
	f.Add("a.txt")
	f.Add(`..\..`)
	f.Fuzz(func(t *testing.T, name string) {
		got, err := cleanName(name)
		if err == nil && (!filepath.IsLocal(got) || filepath.Base(got) != got || strings.ContainsAny(got, `/\`) || strings.HasPrefix(got, ".")) {
			t.Errorf("%q becomes %q", name, got)
		}
	})
}

// TestAddAndDelete adds, replaces, lists and deletes files.
func TestAddAndDelete(t *testing.T) {
	t.Parallel()
	f := Folder{Path: filepath.Join(t.TempDir(), "documents")}
	add := func(name, text string) {
		t.Helper()
		if _, err := f.Add(t.Context(), "news", name, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := f.Corpora(); len(names) != 0 || err != nil {
		t.Errorf("corpora of no folder: %v, %v", names, err)
	}
	if paths := f.Paths("news"); paths != nil {
		t.Errorf("paths of no folder: %v", paths)
	}
	add("b.txt", "one")
	add("a.txt", "two")
	add("b.txt", "three")
	list, err := f.List("news")
	if err != nil || len(list) != 2 || list[0].Name != "a.txt" || list[1].Size != 5 {
		t.Errorf("list: %+v, %v", list, err)
	}
	if err := f.Delete("news", "a.txt"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"a.txt", "../news/b.txt", "", ".", "..", "x/b.txt"} {
		if err := f.Delete("news", name); !errors.Is(err, ErrNoFile) {
			t.Errorf("delete %q: %v", name, err)
		}
	}
	if err := f.Delete("other", "b.txt"); !errors.Is(err, ErrNoFile) {
		t.Errorf("delete in no folder: %v", err)
	}
	if diff := cmp.Diff([]string{"b.txt"}, names(t, f.Of("news"))); diff != "" {
		t.Error(diff)
	}
	f.Others = map[string][]string{"old": {"/srv/old"}}
	if got, err := f.Corpora(); err != nil || !cmp.Equal(got, []string{"news", "old"}) {
		t.Errorf("corpora: %v, %v", got, err)
	}
}

// TestFailedAdd ends uploads early: the file keeps its text, and nothing is left.
func TestFailedAdd(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir()}
	if _, err := f.Add(t.Context(), "news", "a.txt", strings.NewReader("kept")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken connection")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx     context.Context //nolint:containedctx // of one case
		content io.Reader
		want    error
	}{
		"a broken connection": {t.Context(), io.MultiReader(strings.NewReader("new"), failing{broken}), broken},
		"a client that left":  {cancelled, strings.NewReader("new"), context.Canceled},
		"too large":           {t.Context(), io.LimitReader(endless{}, MaxFile+1), ErrTooLarge},
		"without an end":      {t.Context(), endless{}, ErrTooLarge},
	} {
		if _, err := f.Add(tt.ctx, "news", "a.txt", tt.content); !errors.Is(err, tt.want) || strings.Contains(err.Error(), f.Path) {
			t.Errorf("%s: error %v, want %v without a path", name, err, tt.want)
		}
		raw, err := os.ReadFile(filepath.Join(f.Of("news"), "a.txt"))
		if err != nil || string(raw) != "kept" {
			t.Errorf("%s: the file has %q, %v", name, raw, err)
		}
		if diff := cmp.Diff([]string{"a.txt"}, names(t, f.Of("news"))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestLinks has links in the folder of a corpus: nothing outside of it is written, listed or deleted.
func TestLinks(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: t.TempDir()}
	if err := os.Mkdir(f.Of("news"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.Symlink(outside, filepath.Join(f.Of("news"), name)); err != nil {
			t.Skip("this system makes no symbolic links")
		}
	}
	if list, err := f.List("news"); err != nil || len(list) != 0 {
		t.Errorf("list: %v, %v", list, err)
	}
	if err := f.Delete("news", "b.txt"); !errors.Is(err, ErrNoFile) {
		t.Errorf("delete a link: %v", err)
	}
	if _, err := f.Add(t.Context(), "news", "a.txt", strings.NewReader("inside")); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile(outside)
	if err != nil || string(raw) != "outside" {
		t.Errorf("the file outside has %q, %v", raw, err)
	}
	if err := os.Symlink(filepath.Dir(outside), f.Of("linked")); err != nil {
		t.Fatal(err)
	}
	if names, err := f.Corpora(); err != nil || !cmp.Equal(names, []string{"news"}) {
		t.Errorf("corpora: %v, %v", names, err)
	}
}

// TestSweep deletes what a killed process left, and no upload that another process with the same folder may be writing.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir()}
	if _, err := f.Add(t.Context(), "news", "a.txt", strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"dead": 2 * uploadAge, "alive": uploadAge / 2} {
		path, written := filepath.Join(f.Of("news"), temporaryPrefix+name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Sweep(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{temporaryPrefix + "alive", "a.txt"}, names(t, f.Of("news"))); diff != "" {
		t.Error(diff)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
