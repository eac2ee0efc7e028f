//go:build unix

package localneo4j

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDetach looks at what the server's process takes over from this one: no
// open pipe, which would keep whoever reads it waiting, and no session.
func TestDetach(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil { // not closed on exec
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sleep", "30")
	detach(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := syscall.Close(ends[1]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.SetNonblock(ends[0], true); err != nil {
		t.Fatal(err)
	}
	r := os.NewFile(uintptr(ends[0]), "pipe")
	defer func() { _ = r.Close() }()
	if err := r.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("read of the pipe = %v, want its end: the child holds it", err)
	}
	if group, err := syscall.Getpgid(cmd.Process.Pid); err != nil || group != cmd.Process.Pid {
		t.Errorf("process group = %d, %v, want its own", group, err)
	}
}

// TestIsServer must not take another process, or one that ended, for ours.
func TestIsServer(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "sleep 30; true", homeFlag+"/data/one", configFlag+"/data/one/conf")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	// A program that begins shows no arguments for a moment.
	for begin := time.Now(); commandLine(pid) == "" && time.Since(begin) < 5*time.Second; {
		time.Sleep(time.Millisecond)
	}
	for home, want := range map[string]bool{"/data/one": true, "/data/on": false, "/data/two": false} {
		if got := isServer(pid, home, ""); got != want {
			t.Errorf("isServer(%q) = %v, want %v: %s", home, got, want, commandLine(pid))
		}
	}
	if isServer(os.Getpid(), "/data/one", "") {
		t.Error("this test is taken for the server")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); isServer(pid, "/data/one", "") && time.Since(begin) < 5*time.Second; {
		time.Sleep(5 * time.Millisecond)
	}
	if isServer(pid, "/data/one", "") {
		t.Error("a process that ended and was not waited for is taken for running")
	}
	_ = cmd.Wait()
}

// javaThatPrints is a program that prints a version as Java does.
func javaThatPrints(t *testing.T, text string) string {
	t.Helper()
	path := t.TempDir() + "/java"
	script := "#!/bin/sh\necho '" + text + "' >&2\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestJavaTooOldOrMissing(t *testing.T) {
	tests := []struct{ name, java, want string }{
		{"too old", javaThatPrints(t, `openjdk version "11.0.22" 2024-01-16`), "Java 11: Neo4j needs Java 17 or 21"},
		{"very old", javaThatPrints(t, `java version "1.8.0_402"`), "Java 8: Neo4j needs"},
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
	if _, err := (Options{Java: javaThatPrints(t, `openjdk version "21.0.2" 2024-01-16`)}).java(t.Context()); err != nil {
		t.Errorf("Java 21 is refused: %v", err)
	}
}

// TestInspect names what is missing and what to do about it.
func TestInspect(t *testing.T) {
	o := Options{
		Data: t.TempDir(), Cache: t.TempDir(), Mode: Java, Maven: "/nowhere/mvn",
		Java: javaThatPrints(t, `openjdk version "17.0.2" 2022-01-18`),
	}
	checks, err := Inspect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ok := map[string]bool{}
	for _, c := range checks {
		ok[c.Name] = c.OK
		if c.Detail == "" {
			t.Errorf("%s has no detail", c.Name)
		}
	}
	want := map[string]bool{"docker": true, "java": true, "jars": false, "maven": false, "server": false}
	if diff := cmp.Diff(want, ok); diff != "" {
		t.Errorf("checks (-want +got):\n%s\n%v", diff, checks)
	}
	if entries, err := os.ReadDir(o.Cache); err != nil || len(entries) > 0 {
		t.Errorf("Inspect left %v in the cache, %v", entries, err)
	}
}
