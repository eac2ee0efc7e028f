//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
)

const foundFile = "corpus: letters\nneo4j: {uri: \"bolt://other:7687\"}\nserver: {data: data}\n"

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
	case c.Text("corpus") != "letters":
		p.Errorf("%s: the corpus is %q", what, c.Text("corpus"))
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
		err = p.Trust(f.Path, f.Content)
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
				if err := p.Trust(f.Path, f.Content); !errors.Is(err, userfile.ErrUnsafe) {
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
