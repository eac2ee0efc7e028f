//go:build unix

package localneo4j

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeProgram writes an executable script. Another process writes it: a file that this process
// has open for writing cannot be executed, and a child that another test starts at that moment
// inherits it (go.dev/issue/22315).
func writeProgram(t *testing.T, path, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `cat >"$1" && chmod 700 "$1"`, "sh", path)
	cmd.Stdin = strings.NewReader("#!/bin/sh\n" + script)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("write %s: %v: %s", path, err, out)
	}
}

// javaThatPrints returns a program that prints a version as Java does.
func javaThatPrints(t *testing.T, text string) string {
	t.Helper()
	path := t.TempDir() + "/java"
	writeProgram(t, path, "echo '"+text+"' >&2\n")
	return path
}

// javaThatRuns returns a program with a usable version that runs a script as the server.
func javaThatRuns(t *testing.T, script string) string {
	t.Helper()
	path := t.TempDir() + "/java"
	text := `if [ "$1" = -version ]; then echo 'openjdk version "17.0.2"'; exit; fi` + "\n" + script + "\n"
	writeProgram(t, path, text)
	return path
}

func TestJavaTooOldOrMissing(t *testing.T) {
	tests := []struct{ name, java, want string }{
		{"too old", javaThatPrints(t, `openjdk version "11.0.22" 2024-01-16`), "Java 11: Neo4j 5.26.30 needs Java 17 or 21"},
		{"very old", javaThatPrints(t, `java version "1.8.0_402"`), "Java 8: Neo4j 5"},
		{"no version", javaThatPrints(t, `hello`), "no version"},
		{"missing", "/nowhere/java", "JAVA_HOME"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Up(t.Context(), Options{Data: t.TempDir(), Mode: Java, Java: tt.java})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), ErrNoJava.Error()) {
				t.Errorf("Up = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestJavaWithVectors checks that SIMD instructions are used where Java has them: small
// runtimes do not start with a module that they lack.
func TestJavaWithVectors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, script string
		release      int
		simd         bool
	}{
		{"Java 17", `echo 'openjdk version "17.0.2"'`, 17, false},
		{"Java 21", `echo 'openjdk version "21.0.2"'`, 21, true},
		{"Java 21 without the module", `[ "$1" = -version ] || exit 1; echo 'openjdk version "21.0.2"'`, 21, false},
	} {
		program := t.TempDir() + "/java"
		writeProgram(t, program, tt.script+"\n")
		got, err := Options{Java: program}.java(t.Context())
		if want := (javaRuntime{program, tt.release, tt.simd}); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, want)
		}
		if slices.Contains((Options{Data: "/data"}).arguments("/cache/lib", got.simd), vectorModule) != tt.simd {
			t.Errorf("%s: the module is not loaded as %v demands", tt.name, tt.simd)
		}
	}
}

// TestFailedFirstStart checks that databases which a first start left half made are
// removed, and no others.
func TestFailedFirstStart(t *testing.T) {
	t.Parallel()
	options(t) // the jars
	for _, tt := range []struct {
		name, script string
		before, kept bool
	}{
		{"first start", "exit 1", false, false},
		{"later start", "exit 1", true, true},
		{"ended after its start", "echo 'INFO  Started.'", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := Options{Data: t.TempDir(), Mode: Java, NoFetch: true, Java: javaThatRuns(t, "mkdir -p data/databases/system data/transactions/system\n"+tt.script)}
			if tt.before {
				err := errors.Join(os.MkdirAll(databasesPath(o.Data)+"/system", 0o700), os.WriteFile(passwordPath(o.Data), []byte("secret"), 0o600))
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := Up(t.Context(), o); err == nil || !strings.Contains(err.Error(), "ended while starting") {
				t.Fatalf("Up = %v, want that the server ended", err)
			}
			for _, dir := range []string{"databases", "transactions"} {
				if _, err := os.Stat(filepath.Join(o.Data, "data", dir)); (err == nil) != tt.kept {
					t.Errorf("%s after the failed start: %v, want kept: %v", dir, err, tt.kept)
				}
			}
		})
	}
}

// TestJavaOfVersions checks that each version of Neo4j has its own oldest Java.
func TestJavaOfVersions(t *testing.T) {
	t.Parallel()
	java := javaThatPrints(t, `openjdk version "17.0.2"`)
	for version, says := range map[string]string{"": "", "2026.08.1": "Java 17: Neo4j 2026.08.1 needs Java 21 or 25"} {
		_, err := Options{Java: java, Version: version}.java(t.Context())
		if (err == nil) != (says == "") || err != nil && (!strings.Contains(err.Error(), says) || !errors.Is(err, ErrNoJava)) {
			t.Errorf("%q: %v, want %q", version, err, says)
		}
	}
}
