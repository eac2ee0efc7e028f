package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFoldersOfTheUser checks that no folder is used that depends on the working
// directory or that all users share.
func TestFoldersOfTheUser(t *testing.T) {
	for _, tt := range []struct {
		name, home  string
		env         map[string]string
		data, cache string // errors, "" for none
	}{
		{name: "a home", home: t.TempDir()},
		{name: "no home", data: "set NEORAG_HOME", cache: "set NEORAG_CACHE"},
		{name: "no home, with NEORAG_HOME", env: map[string]string{"NEORAG_HOME": t.TempDir()}, cache: "set NEORAG_CACHE"},
		{name: "a relative home", home: "home", data: "set NEORAG_HOME", cache: "set NEORAG_CACHE"},
		{name: "a relative NEORAG_HOME", home: t.TempDir(), env: map[string]string{"NEORAG_HOME": ".neorag"}, data: "does not depend on the working directory"},
		{name: "relative XDG folders", home: t.TempDir(), env: map[string]string{"XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache"}},
	} {
		t.Setenv("HOME", tt.home)
		t.Setenv("USERPROFILE", tt.home)
		getenv := func(name string) string { return tt.env[name] }
		for what, got := range map[string]struct {
			of   func(func(string) string) (string, error)
			want string
		}{"DataDir": {DataDir, tt.data}, "CacheDir": {CacheDir, tt.cache}} {
			dir, err := got.of(getenv)
			switch {
			case got.want != "" && (err == nil || !strings.Contains(err.Error(), got.want)):
				t.Errorf("%s: %s: got %q, %v, want the error %q", tt.name, what, dir, err, got.want)
			case got.want == "" && (err != nil || !filepath.IsAbs(dir) || dir == filepath.Join(os.TempDir(), "neorag")):
				t.Errorf("%s: %s: got %q, %v", tt.name, what, dir, err)
			}
		}
	}
}
