package localneo4j

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiagnose(t *testing.T) {
	tests := []struct {
		name, log, want string
		is              error
	}{
		{"disk", "java.io.IOException: No space left on device\n\tat java.base/x\n", "disk is full", ErrNoSpace},
		{"rights", "Caused by: java.nio.file.AccessDeniedException: /d/data", "may not write", nil},
		{"locked", "Caused by: org.neo4j.io.locker.FileLockException: Lock file has been locked by another process", "--data", ErrLocked},
		{"port", "java.net.BindException: Address already in use", "--bolt-port", ErrPortInUse},
		{"memory", "Error occurred during initialization of VM\nCould not reserve enough space for 9g object heap", "free memory", nil},
		{"old java", "java.lang.UnsupportedClassVersionError: x", "too old", ErrNoJava},
		{"unknown", "ERROR something else\n", "check its logs", nil},
		{"quota", "java.io.IOException: Disk quota exceeded", "disk is full", ErrNoSpace},
		{"no logs", "Caused by: java.lang.RuntimeException: Transaction logs are missing and recovery is not possible.", "first start was interrupted", nil},
		{"killed", "", "printed nothing", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := diagnose(Options{Data: t.TempDir()}, tt.log)
			if !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("diagnose = %v, want %q and %v", err, tt.want, tt.is)
			}
			if strings.Contains(err.Error(), "\tat ") {
				t.Errorf("the error shows a stack trace: %v", err)
			}
		})
	}
}

func TestReadTailIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tail := readTail(path)
	if len(tail) != tailBytes || lastLine(tail) != "line 19999" {
		t.Errorf("tail has %d bytes and ends with %q", len(tail), lastLine(tail))
	}
	if got, want := lastLines(tail, 2), "  line 19998\n  line 19999"; got != want {
		t.Errorf("lastLines = %q, want %q", got, want)
	}
}
