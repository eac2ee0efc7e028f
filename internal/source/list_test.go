package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// folder creates files below a new folder named docs. The name "a -> b" creates a
// symbolic link.
func folder(tb testing.TB, files map[string]string) string {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), "docs")
	for name, content := range files {
		link, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(root, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		var err error
		if isLink {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	return root
}

func uris(l Listing) []string {
	out := []string{}
	for _, f := range l.Files {
		out = append(out, f.URI)
	}
	return out
}

func list(tb testing.TB, o Options, paths ...string) Listing {
	tb.Helper()
	l, err := List(context.Background(), paths, o)
	if err != nil {
		tb.Fatalf("List(%v): %v", paths, err)
	}
	return l
}

func TestListFolder(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("d/", 4) + "deep.txt"
	for _, tc := range []struct {
		name  string
		files map[string]string
		o     Options
		want  []string
		fail  []string
	}{
		{
			"sorted, with known extensions, not hidden",
			map[string]string{"b.txt": "", "a/z.md": "", "a.html": "", "x.bin": "", "README": "", ".h.txt": "", ".git/c.txt": "", "UP.TXT": ""},
			Options{},
			[]string{"docs/UP.TXT", "docs/a.html", "docs/a/z.md", "docs/b.txt"},
			nil,
		},
		{
			"patterns",
			map[string]string{"a.txt": "", "b.log": "", "keep.log": "", "tmp/c.txt": "", "x/tmp/d.txt": "", "x/top.txt": "", "top.txt": "", "y/deep/er/e.md": ""},
			Options{Ignore: []string{"# no logs", "*.log", "!keep.log", "tmp/", "/top.txt", "y/**/e.md", ""}},
			[]string{"docs/a.txt", "docs/keep.log", "docs/x/top.txt"},
			nil,
		},
		{
			"ignore files apply to their folder, options override them",
			map[string]string{".neoragignore": "b.txt\n", "a.txt": "", "b.txt": "", "x/b.txt": "", "x/.neoragignore": "!b.txt\r\n/c.txt", "x/c.txt": "", "c.txt": ""},
			Options{Ignore: []string{"a.*"}},
			[]string{"docs/c.txt", "docs/x/b.txt"},
			nil,
		},
		{
			"links",
			map[string]string{
				"a.txt": "", "again.txt -> a.txt": "", "out.txt -> ../../secret.txt": "", "out -> /": "", "broken.txt -> nowhere": "",
				"self -> .": "", "x/up -> ..": "", "x/b.txt": "", "copy -> x": "", ".data/h.txt": "", "shown.txt -> .data/h.txt": "", "all -> .data": "",
			},
			Options{},
			[]string{"docs/a.txt", "docs/all/h.txt", "docs/x/b.txt"},
			nil,
		},
		{
			"too large, too deep",
			map[string]string{"a.txt": "12345", "b.txt": "123456", deep: ""},
			Options{MaxFileSize: 5, MaxDepth: 3},
			[]string{"docs/a.txt"},
			[]string{"docs/b.txt", "docs/d/d/d/d"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			root := folder(t, tc.files)
			l := list(t, tc.o, root)
			if diff := cmp.Diff(tc.want, uris(l)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			var failed []string
			for _, f := range l.Failures {
				failed = append(failed, f.URI)
				if f.Root != root || !strings.Contains(f.Err.Error(), f.URI) || strings.Contains(f.Err.Error(), "\n") {
					t.Errorf("failure %+v: want its root, and an error of one line with the URI", f)
				}
			}
			if diff := cmp.Diff(tc.fail, failed); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{root}, l.Roots); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestListGivenPaths(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": "a", "Makefile": "all:", "sub/b.txt": "b"})
	if got := list(t, Options{}, filepath.Join(root, "Makefile"), filepath.Join(root, "sub"), root, root+"/"); !cmp.Equal(uris(got), []string{"Makefile", "docs/a.txt", "docs/sub/b.txt", "sub/b.txt"}) {
		t.Errorf("URIs are %q", uris(got))
	}
	t.Chdir(filepath.Join(root, "sub"))
	if got := list(t, Options{}, ".", ".."); !cmp.Equal(uris(got), []string{"docs/a.txt", "docs/sub/b.txt", "sub/b.txt"}) {
		t.Errorf("URIs of . and .. are %q", uris(got))
	}
	link := filepath.Join(t.TempDir(), "corpus")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	got := list(t, Options{}, link)
	if !cmp.Equal(uris(got), []string{"corpus/a.txt", "corpus/sub/b.txt"}) || got.Roots[0] != link || got.Files[0].Root != link {
		t.Errorf("URIs of a linked folder are %q of root %q", uris(got), got.Roots)
	}
}

func TestListErrors(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.txt": "a", "sub/a.txt": "b", "empty/.hidden": "", "big/a.txt": "123456", "none/x.bin": ""})
	at := func(name string) string { return filepath.Join(root, name) }
	for _, tc := range []struct {
		paths   []string
		o       Options
		noInput bool
		want    string
	}{
		{[]string{at("a.txt"), at("missing")}, Options{}, true, "no such file or folder"},
		{[]string{at("empty")}, Options{}, true, "no file with a known extension"},
		{[]string{at("none")}, Options{}, true, "no file with a known extension"},
		{[]string{at("big")}, Options{MaxFileSize: 3}, true, "larger than the limit"},
		{[]string{at("a.txt"), at("sub/a.txt")}, Options{}, false, at("a.txt") + " and " + at("sub/a.txt")},
		{[]string{"-"}, Options{}, true, "standard input"},
		{[]string{"-"}, Options{Stdin: strings.NewReader("")}, true, "empty"},
		{[]string{"-"}, Options{Stdin: strings.NewReader("123456"), MaxFileSize: 5}, false, "larger than the limit"},
		{[]string{"-"}, Options{Stdin: iotest.ErrReader(errors.New("pipe broke"))}, false, "pipe broke"},
		{[]string{root}, Options{Ignore: []string{"[z-a]"}}, false, "[z-a]"},
	} {
		_, err := List(context.Background(), tc.paths, tc.o)
		if err == nil || errors.Is(err, ErrNoInput) != tc.noInput || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("List(%q): error %v, want one with %q (ErrNoInput: %t)", tc.paths, err, tc.want, tc.noInput)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := List(ctx, []string{root}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("List with a cancelled context: %v", err)
	}
}

func TestUnreadableFileFailsAlone(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.txt": "a", "b.txt": "b", "closed/c.txt": "c"})
	if err := errors.Join(os.Chmod(filepath.Join(root, "b.txt"), 0), os.Chmod(filepath.Join(root, "closed"), 0)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "closed"), 0o755) })
	unprivileged(t, root, func() {
		l := list(t, Options{}, root)
		if len(l.Failures) != 1 || l.Failures[0].URI != "docs/closed" || !errors.Is(l.Failures[0].Err, os.ErrPermission) {
			t.Errorf("failures are %v, want only the folder without permission", l.Failures)
		}
		if _, _, err := Read(context.Background(), l.Files[1], Options{}); !errors.Is(err, os.ErrPermission) || err.Error() != "read docs/b.txt: permission denied" {
			t.Errorf("Read of a file without permission: %v", err)
		}
	})
}

func TestStdin(t *testing.T) {
	t.Parallel()
	l := list(t, Options{Stdin: strings.NewReader("---\ntitle: Piped\n---\nMarley was dead.")}, "-", "-")
	if len(l.Files) != 1 || len(l.Roots) != 0 {
		t.Fatalf("List(-, -) = %+v, want one file and no root", l)
	}
	for range 2 { // standard input is read once, the document can be read again
		docs, _, err := Read(context.Background(), l.Files[0], Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := docs[0]; d.URI != "stdin" || d.Root != "" || d.Title != "Piped" || d.Text != "Marley was dead." {
			t.Errorf("document of standard input: %+v", d)
		}
		if sum, err := Hash(context.Background(), l.Files[0], Options{}); err != nil || sum != docs[0].SHA256 {
			t.Errorf("Hash = %s, %v, want %s", sum, err, docs[0].SHA256)
		}
	}
}

func TestCorporaAreReadable(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"lihuaworld/docs": 442, "wild/history/docs": 0, "wild/mathematics/docs": 0, "wild/nature/docs": 0, "wild/technology/docs": 0, "christmas-carol/docs": 5} {
		l := list(t, Options{}, filepath.Join(testcorpora.Dir(t), name))
		if len(l.Failures) > 0 || want > 0 && len(l.Files) != want {
			t.Errorf("%s: %d files, %d failures", name, len(l.Files), len(l.Failures))
		}
		for _, f := range l.Files {
			docs, _, err := Read(context.Background(), f, Options{})
			if err != nil {
				t.Errorf("%v", err)
				continue
			}
			d := docs[0]
			if strings.TrimSpace(d.Text) == "" || strings.ContainsAny(d.Text, "\x00\r") || d.Title == "" {
				t.Errorf("%s: title %q, text %s", f.URI, d.Title, strconv.Quote(d.Text[:min(60, len(d.Text))]))
			}
			if strings.HasPrefix(name, "lihua") && !strings.HasPrefix(d.Date, "2026-") {
				t.Errorf("%s has the date %q", f.URI, d.Date)
			}
		}
	}
}

func TestSkippedFilesAreCounted(t *testing.T) {
	t.Parallel()
	l := list(t, Options{Ignore: []string{"*.bin"}}, folder(t, map[string]string{
		"a.txt": "A", "b.EXE": "b", "c.exe": "c", "d.xyz": "d", "sub/LICENSE": "e", "f.bin": "ignored", ".g": "hidden",
	}))
	if diff := cmp.Diff(map[string]int{".exe": 2, ".xyz": 1, "": 1}, l.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if got, want := SkippedNote(l.Skipped), "4 files of other kinds were skipped (2 .exe, 1 without an extension, 1 .xyz)"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	for want, skipped := range map[string]map[string]int{
		"": nil, "1 file of another kind was skipped (1 .doc)": {".doc": 1},
	} {
		if got := SkippedNote(skipped); got != want {
			t.Errorf("note of %v: %q, want %q", skipped, got, want)
		}
	}
}

func TestFilesWithoutTextFail(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"a.html": "<!DOCTYPE html><title>App</title><div id=app></div><script>start()</script>", "b.md": "---\ntitle: B\n---\n", "c.txt": " \n\n",
		"d.docx": wordFile(t, wordBody("")),
	} {
		if doc, err := read(t, name, content); err == nil || !strings.Contains(err.Error(), "read "+name+": no text in it") {
			t.Errorf("%s: text %q, error %v", name, doc.Text, err)
		}
	}
	if _, err := read(t, "empty.txt", ""); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}
