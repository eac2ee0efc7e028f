//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
)

const foundFile = "query: {mode: mix}\nneo4j: {uri: \"bolt://other:7687\"}\nserver: {data: data}\n"

// place of a test: a folder with a file of settings, and a data folder of the user.
type trustTest struct {
	*testing.T

	dir  string
	file string
	env  map[string]string
	TrustStore
}

func newTrustTest(t *testing.T) trustTest {
	t.Helper()
	root := t.TempDir()
	p := trustTest{T: t, dir: filepath.Join(root, "work"), env: map[string]string{}, TrustStore: TrustStore{Home: filepath.Join(root, "home")}}
	p.file = filepath.Join(p.dir, FileName)
	if err := errors.Join(os.Mkdir(p.dir, 0o700), os.WriteFile(p.file, []byte(foundFile), 0o600)); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p trustTest) load(dir string) *Config {
	p.Helper()
	c, err := Load(Sources{Dir: dir, Trust: p.TrustStore, Getenv: func(name string) string { return p.env[name] }})
	if err != nil {
		p.Fatal(err)
	}
	return c
}

// check loads the settings in a folder and checks whether the restricted ones count.
func (p trustTest) check(what, dir string, trusted bool) *Config {
	p.Helper()
	c := p.load(dir)
	ignored, _ := c.Ignored()
	uri, data := c.Text("neo4j.uri"), c.Text("server.data")
	switch {
	case c.Text("query.mode") != "mix":
		p.Errorf("%s: the mode is %q", what, c.Text("query.mode"))
	case trusted && (uri != "bolt://other:7687" || data != filepath.Join(dir, "data") || len(ignored) > 0):
		p.Errorf("%s: the values are %q and %q, %d are ignored", what, uri, data, len(ignored))
	case !trusted && (uri != "" || data != "" || len(ignored) != 2 || ignored[0].Where != filepath.Join(dir, FileName)+":2"):
		p.Errorf("%s: the values are %q and %q, ignored are %v", what, uri, data, ignored)
	}
	return c
}

func (p trustTest) trust(file string) {
	p.Helper()
	f, err := ReadRestricted(file)
	if err == nil {
		err = p.Trust(f)
	}
	if err != nil {
		p.Fatal(err)
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	p := newTrustTest(t)
	p.check("found", p.dir, false)
	p.trust(p.file)
	p.check("trusted", p.dir, true)
	if err := os.WriteFile(p.file, []byte(foundFile+"# edited\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.check("edited", p.dir, false)
	p.trust(p.file)
	p.check("trusted again", p.dir, true)
	if known, err := p.Revoke(p.file); !known || err != nil {
		t.Errorf("Revoke: got %v, %v", known, err)
	}
	p.check("revoked", p.dir, false)
	if known, err := p.Revoke(p.file); known || err != nil {
		t.Errorf("Revoke again: got %v, %v", known, err)
	}
	p.env["NEO4J_URI"] = "bolt://mine:7687"
	if ignored, _ := p.load(p.dir).Ignored(); len(ignored) != 1 || ignored[0].Name != "server.data" {
		t.Errorf("with a variable for one of two settings, ignored are %v", ignored)
	}
}

// TestTrustIsOfOnePlace checks that trust belongs to a file in one folder.
func TestTrustIsOfOnePlace(t *testing.T) {
	t.Parallel()
	p := newTrustTest(t)
	p.trust(p.file)
	other := filepath.Join(filepath.Dir(p.dir), "other")
	linked, link := filepath.Join(filepath.Dir(p.dir), "linked"), filepath.Join(filepath.Dir(p.dir), "link to work")
	if err := errors.Join(
		os.Mkdir(other, 0o700), os.WriteFile(filepath.Join(other, FileName), []byte(foundFile), 0o600),
		os.Mkdir(linked, 0o700), os.Symlink(p.file, filepath.Join(linked, FileName)), os.Symlink(p.dir, link),
	); err != nil {
		t.Fatal(err)
	}
	p.check("the same file in another folder", other, false)
	p.check("a link to the trusted file", linked, false)
	p.check("the folder by another name", link, true)
	p.trust(filepath.Join(linked, FileName))
	p.check("a trusted link", linked, true)
	if err := os.WriteFile(p.file, []byte(foundFile+"# edited\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.check("a trusted link to a file that was edited", linked, false)
	p.Home = ""
	p.check("without a data folder", other, false)
}

// TestTrustOfOthers checks that records are only believed where nobody else can write.
func TestTrustOfOthers(t *testing.T) {
	t.Parallel()
	type paths struct{ home, folder, record string }
	for name, change := range map[string]func(paths) error{
		"a data folder for all": func(at paths) error { return os.Chmod(at.home, 0o777) },
		"a folder of the group": func(at paths) error { return os.Chmod(at.folder, 0o770) },
		"a record of the group": func(at paths) error { return os.Chmod(at.record, 0o660) },
		"a record that is a link": func(at paths) error {
			return errors.Join(os.Rename(at.record, at.home+"/r"), os.Symlink(at.home+"/r", at.record))
		},
		"a record that is a pipe":  func(at paths) error { return errors.Join(os.Remove(at.record), syscall.Mkfifo(at.record, 0o600)) },
		"a record of another user": func(at paths) error { return os.Chown(at.record, 12345, 12345) },
		"a folder of another user": func(at paths) error { return os.Chown(at.folder, 12345, 12345) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasSuffix(name, "another user") && os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			p := newTrustTest(t)
			p.trust(p.file)
			at, err := place(p.file)
			if err != nil {
				t.Fatal(err)
			}
			if err := change(paths{p.Home, p.folder(), p.record(at)}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.check(name, p.dir, false).Ignored(); err == nil {
				t.Error("there is no reason why the record was not believed")
			}
			f, err := ReadRestricted(p.file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "folder") {
				if err := p.Trust(f); !errors.Is(err, userfile.ErrUnsafe) {
					t.Errorf("Trust: %v", err)
				}
			}
		})
	}
}

// TestFoundPipe checks that a pipe in place of the file is an error and no wait.
func TestFoundPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, FileName), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Load(Sources{Dir: dir, Getenv: func(string) string { return "" }})
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("Load: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("Load waits for the pipe")
	}
}

func TestReadRestricted(t *testing.T) {
	t.Parallel()
	p := newTrustTest(t)
	f, err := ReadRestricted(p.file)
	if err != nil || len(f.Restricted) != 2 || f.Restricted[0].Name != "neo4j.uri" || f.Restricted[1].Text() != "data" || f.Restricted[1].Where != p.file+":3" {
		t.Errorf("got %+v, %v", f.Restricted, err)
	}
	if err := os.WriteFile(p.file, []byte(DefaultFile()), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := ReadRestricted(p.file); err != nil || len(f.Restricted) > 0 {
		t.Errorf("a file of defaults: got %+v, %v", f.Restricted, err)
	}
}

// TestTrustCoversReferences changes each file that trusted settings have the program obey: the
// change must end the trust and be named.
func TestTrustCoversReferences(t *testing.T) {
	t.Parallel()
	const text = "prompts: words/prompts\nextract: {examples: ../examples.json}\nsource: {ocr_command: \"sh ./tools/ocr.sh --lang eng\"}\n"
	const unrelated = "words/prompts/README.md"
	write := func(t *testing.T, p trustTest, name string) {
		t.Helper()
		path := filepath.Join(p.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(t.Name()+name+time.Now().String()), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]struct {
		file   string // that changes
		remove bool
		kept   bool // the trust stays
	}{
		"an edited prompt":         {file: "words/prompts/report.md"},
		"a removed prompt":         {file: "words/prompts/report.md", remove: true},
		"a new prompt":             {file: "words/prompts/answer.md"},
		"a new schema":             {file: "words/prompts/report.schema.json"},
		"a new domain":             {file: "words/prompts/domain.json"},
		"edited examples":          {file: "../examples.json"},
		"removed examples":         {file: "../examples.json", remove: true},
		"an edited script":         {file: "tools/ocr.sh"},
		"a removed script":         {file: "tools/ocr.sh", remove: true},
		"a file of a word":         {file: "eng"},
		"what no setting names":    {file: "notes.md", kept: true},
		"what no prompt is called": {file: unrelated, kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTrustTest(t)
			if err := os.WriteFile(p.file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"words/prompts/report.md", unrelated, "../examples.json", "tools/ocr.sh"} {
				write(t, p, file)
			}
			p.trust(p.file)
			if c := p.load(p.dir); c.Text("prompts") != filepath.Join(p.dir, "words/prompts") {
				t.Fatalf("trusted, the prompts are in %q", c.Text("prompts"))
			}
			if change.remove {
				if err := os.Remove(filepath.Join(p.dir, change.file)); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, p, change.file)
			}
			c := p.load(p.dir)
			ignored, err := c.Ignored()
			if change.kept {
				if len(ignored) > 0 || err != nil {
					t.Errorf("ignored are %v, %v", ignored, err)
				}
				return
			}
			changed, known := errors.AsType[*ChangedError](err)
			if !known || !slices.Equal(changed.Files, []string{change.file}) || len(ignored) != 3 || c.Text("prompts") != "" {
				t.Errorf("ignored are %d, prompts are in %q: %v", len(ignored), c.Text("prompts"), err)
			}
			p.trust(p.file)
			if ignored, err := p.load(p.dir).Ignored(); len(ignored) > 0 || err != nil {
				t.Errorf("trusted again, ignored are %v, %v", ignored, err)
			}
		})
	}
}

// TestTrustOfPipes checks that a prompt that is a pipe ends the trust and is not waited for.
func TestTrustOfPipes(t *testing.T) {
	t.Parallel()
	p := newTrustTest(t)
	if err := os.WriteFile(p.file, []byte("prompts: prompts\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.trust(p.file)
	if err := errors.Join(os.Mkdir(filepath.Join(p.dir, "prompts"), 0o700), syscall.Mkfifo(filepath.Join(p.dir, "prompts", "report.md"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if ignored, err := p.load(p.dir).Ignored(); len(ignored) != 1 || err == nil {
		t.Errorf("ignored are %v, %v", ignored, err)
	}
}
