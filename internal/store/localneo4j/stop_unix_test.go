//go:build unix

package localneo4j

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStopWaitsForWrites stops servers that do not end at once: one that still writes may
// finish, one that writes nothing is killed.
func TestStopWaitsForWrites(t *testing.T) {
	t.Parallel()
	const patience = 2 * time.Second // of which the writing server needs several
	for name, tt := range map[string]struct {
		onSignal string
		ends     bool
	}{
		"writes":  {"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do echo $i >>store; sleep 0.2; done; echo done >ended; exit", true},
		"is idle": {":", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said []string
			o, err := Options{Data: t.TempDir(), HTTPPort: NoHTTP, Progress: func(text string) { said = append(said, text) }}.complete()
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(t.TempDir(), "java")
			writeProgram(t, program, "trap '"+tt.onSignal+"' TERM\necho ready\nwhile true; do sleep 0.1; done\n")
			st, err := o.spawn(t.Context(), javaRuntime{program: program}, "lib")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = kill(st.PID) })
			for begin := time.Now(); !strings.Contains(readTail(consolePath(o.Data)), "ready"); time.Sleep(5 * time.Millisecond) {
				if time.Since(begin) > time.Minute {
					t.Fatal("the program does not start")
				}
			}
			if err := o.stop(t.Context(), st, patience); err != nil {
				t.Error(err)
			}
			if ended := exists(filepath.Join(o.Data, "ended")); ended != tt.ends || st.alive() {
				t.Errorf("the server ended itself: %v, want %v; still alive: %v; %q", ended, tt.ends, st.alive(), said)
			}
			if text := strings.Join(said, "\n"); strings.Contains(text, "still writing") != tt.ends || strings.Contains(text, "is killed") == tt.ends {
				t.Errorf("messages: %q", said)
			}
		})
	}
}
