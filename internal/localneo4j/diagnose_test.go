package localneo4j

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestDiagnose(t *testing.T) {
	tests := []struct {
		name, log, want string
		is              error
	}{
		{"disk", "java.io.IOException: No space left on device\n\tat java.base/x\n", "disk is full", nil},
		{"rights", "Caused by: java.nio.file.AccessDeniedException: /d/data", "may not write", nil},
		{"locked", "Caused by: org.neo4j.io.locker.FileLockException: Lock file has been locked by another process", "--data", ErrLocked},
		{"port", "java.net.BindException: Address already in use", "--bolt-port", ErrPortInUse},
		{"memory", "Error occurred during initialization of VM\nCould not reserve enough space for 9g object heap", "free memory", nil},
		{"old java", "java.lang.UnsupportedClassVersionError: x", "too old", ErrNoJava},
		{"unknown", "ERROR something else\n", "look at its logs", nil},
		{"killed", "", "printed nothing", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := diagnose(Options{Data: "/d"}, tt.log)
			if !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("diagnose = %v, want %q and %v", err, tt.want, tt.is)
			}
			if strings.Contains(err.Error(), "\tat ") {
				t.Errorf("a stack trace is shown: %v", err)
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

// TestHandshakeRefusesOthers: a port that takes connections is no Neo4j.
func TestHandshakeRefusesOthers(t *testing.T) {
	for name, reply := range map[string]string{"web server": "HTTP/1.1 400 Bad Request\r\n\r\n", "silent end": "", "no common version": "\x00\x00\x00\x00"} {
		t.Run(name, func(t *testing.T) {
			l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			done := make(chan struct{})
			go func() {
				defer close(done)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, len(hello)))
				_, _ = conn.Write([]byte(reply))
				_ = conn.Close()
			}()
			if err := handshake(t.Context(), l.Addr().String()); !errors.Is(err, errNoBolt) {
				t.Errorf("handshake = %v, want %v", err, errNoBolt)
			}
			<-done
		})
	}
}

func TestClaim(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if _, err := claim(t.Context(), port, "--bolt-port"); !errors.Is(err, ErrPortInUse) || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("claim of a port in use = %v", err)
	}
	_ = l.Close()
	if got, err := claim(t.Context(), port, "--bolt-port"); got != port || err != nil {
		t.Errorf("claim of a free port = %d, %v", got, err)
	}
	if got, err := claim(t.Context(), 0, ""); got == 0 || err != nil {
		t.Errorf("claim of any port = %d, %v", got, err)
	}
}

func TestDamagedState(t *testing.T) {
	data := t.TempDir()
	if _, err := Find(data); !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), "neorag up") {
		t.Errorf("Find in an empty folder = %v", err)
	}
	if err := os.WriteFile(statePath(data), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(data); err == nil || !strings.Contains(err.Error(), statePath(data)) {
		t.Errorf("Find with a damaged state = %v", err)
	}
}
