package localneo4j

import (
	"errors"
	"os"
	"strings"
	"testing"
)

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
