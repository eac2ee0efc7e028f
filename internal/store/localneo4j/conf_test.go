package localneo4j

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
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
	args := (Options{Data: "/data"}).arguments("/cache/lib", false)
	at := slices.Index(args, "-cp")
	want := []string{filepath.Join("/cache/lib", "*"), filepath.Join("/data", "plugins", "*")}
	if at < 0 || !slices.Equal(filepath.SplitList(args[at+1]), want) {
		t.Errorf("arguments are %q, want the class path %q", args, want)
	}
}
