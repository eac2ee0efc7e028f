package localneo4j

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// settings parses a neo4j.conf.
func settings(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			all[key] = value
		}
	}
	return all
}

func TestConfListensOnLoopbackOnly(t *testing.T) {
	for _, http := range []int{7474, NoHTTP} {
		for key, value := range settings((Options{HeapMB: 1, PageCacheMB: 1}).conf(7687, http)) {
			if strings.Contains(key, "listen_address") && !strings.HasPrefix(value, "127.0.0.1") {
				t.Errorf("HTTP port %d: %s=%s", http, key, value)
			}
		}
	}
	if got := settings((Options{}).conf(7687, NoHTTP))["server.http.enabled"]; got != "false" {
		t.Errorf("server.http.enabled = %q without HTTP", got)
	}
}

// The hash is the hash of salt and password, hashed 1023 more times.
func TestCredential(t *testing.T) {
	line := credential("correct horse")
	if other := credential("correct horse"); other == line {
		t.Error("two credentials have the same salt")
	}
	fields := strings.FieldsFunc(strings.TrimSpace(line), func(r rune) bool { return r == ':' || r == ',' })
	if len(fields) != 5 || fields[0] != "neo4j" || fields[1] != "SHA-256" || fields[4] != "1024" {
		t.Fatalf("credential = %q", line)
	}
	salt, err := hex.DecodeString(fields[3])
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte("correct horse"))
	sum := h.Sum(nil)
	for range 1023 {
		next := sha256.Sum256(sum)
		sum = next[:]
	}
	if got := hex.EncodeToString(sum); got != fields[2] {
		t.Errorf("hash = %s, want %s", fields[2], got)
	}
}

func TestPasswordIsCreatedOnce(t *testing.T) {
	o := Options{Data: t.TempDir(), HeapMB: 1, PageCacheMB: 1}
	if err := o.prepare(1, NoHTTP); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(passwordPath(o.Data))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.TrimSpace(string(first))); n < 24 {
		t.Errorf("password has %d characters, want 24 or more", n)
	}
	if err := o.prepare(1, NoHTTP); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(passwordPath(o.Data)); string(again) != string(first) {
		t.Error("the password changed")
	}
	if err := os.MkdirAll(filepath.Join(o.Data, "data", "databases", "system"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(passwordPath(o.Data)); err != nil {
		t.Fatal(err)
	}
	if err := o.prepare(1, NoHTTP); err == nil || !strings.Contains(err.Error(), passwordPath(o.Data)) {
		t.Errorf("prepare without the password of the data = %v", err)
	}
}

// A plugin must not replace a class of the checked jars: Java takes the first one on the
// class path.
func TestCheckedJarsComeFirst(t *testing.T) {
	args := (Options{Data: "/data", Trusted: true}).arguments("/cache/lib", false)
	at := slices.Index(args, "-cp")
	want := []string{filepath.Join("/cache/lib", "*"), filepath.Join("/data", "plugins", "*")}
	if at < 0 || !slices.Equal(filepath.SplitList(args[at+1]), want) {
		t.Errorf("arguments are %q, want the class path %q", args, want)
	}
}

// A folder that the user did not choose must not run code: neither Java nor Neo4j, which
// loads procedures by itself, may find its plugins.
func TestNoPluginsOfUntrustedFolders(t *testing.T) {
	o := Options{Data: "/data", Cache: "/cache"}
	args := o.arguments("/cache/lib", false)
	at := slices.Index(args, "-cp")
	if at < 0 || args[at+1] != filepath.Join("/cache/lib", "*") {
		t.Errorf("arguments are %q, want only checked jars on the class path", args)
	}
	conf := o.conf(1, NoHTTP)
	for line := range strings.Lines(conf) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name == "server.directories.plugins" {
			if strings.HasPrefix(value, "/data") || !strings.HasPrefix(value, "/cache") {
				t.Errorf("plugins are loaded from %s", value)
			}
			return
		}
	}
	t.Errorf("the folder of plugins is the default:\n%s", conf)
}

// TestUntrustedFolders prepares data folders that a file of settings names and that hold
// more than data.
func TestUntrustedFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	write := func(name string) func(string) error {
		return func(data string) error {
			path := filepath.Join(data, name)
			return errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("server.jvm.additional=-javaagent:evil.jar"), 0o600))
		}
	}
	link := func(name string) func(string) error {
		return func(data string) error {
			path := filepath.Join(data, name)
			return errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(filepath.Join(data, "elsewhere"), path))
		}
	}
	for name, tt := range map[string]struct {
		plant func(data string) error
		want  string // in the error, "" for a folder that is used
	}{
		"nothing":                 {func(string) error { return nil }, ""},
		"data":                    {write("data/databases/neo4j/store"), ""},
		"a plugin":                {write("plugins/evil.jar"), ""},
		"another configuration":   {write("conf/neo4j.conf"), ""}, // is overwritten
		"configuration of logs":   {write("conf/server-logs.xml"), "server-logs.xml would configure the server"},
		"nested configuration":    {write("conf/neo4j.conf.d/a"), "would configure the server"},
		"a link to a folder":      {link("logs"), "is not a regular file"},
		"a link to no file":       {link("logs/console.log"), "is not a regular file"},
		"a link in the databases": {link("data/databases/neo4j/store"), "is not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Data: t.TempDir(), HeapMB: 1, PageCacheMB: 1}
			var said []string
			o.Progress = func(line string) { said = append(said, line) }
			elsewhere := filepath.Join(o.Data, "elsewhere")
			if err := errors.Join(os.Mkdir(elsewhere, 0o700), tt.plant(o.Data)); err != nil {
				t.Fatal(err)
			}
			err := o.prepare(1, NoHTTP)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "--data")) {
				t.Errorf("prepare: got %v, want %q", err, tt.want)
			}
			if noted := len(said) == 1 && strings.Contains(said[0], "are not loaded"); noted != (name == "a plugin") {
				t.Errorf("it says %q", said)
			}
			conf, _ := os.ReadFile(filepath.Join(o.Data, "conf", confFile))
			if strings.Contains(string(conf), "javaagent") && tt.want == "" {
				t.Errorf("the planted configuration is used:\n%s", conf)
			}
			o.Trusted = true
			if err := o.prepare(1, NoHTTP); err != nil && name != "a link to a folder" {
				t.Errorf("prepare of a trusted folder: %v", err)
			}
		})
	}
}
