//go:build unix && !darwin

package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBrowserSeesNoSecrets checks the arguments and the environment of the program that
// opens the browser.
func TestBrowserSeesNoSecrets(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "record")
	script := "#!/bin/sh\nenv >'" + record + "'\necho \"opened $1\" >>'" + record + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("MISTRAL_API_KEY", "secret-of-mistral")
	t.Setenv("NEO4J_PASSWORD", "secret-of-neo4j")
	t.Setenv("DISPLAY", ":7")
	if err := OpenBrowser(t.Context(), "http://127.0.0.1:7474"); err != nil {
		t.Fatal(err)
	}
	text := ""
	for begin := time.Now(); !strings.Contains(text, "opened ") && time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		b, _ := os.ReadFile(record)
		text = string(b)
	}
	if !strings.Contains(text, "opened http://127.0.0.1:7474\n") || !strings.Contains(text, "DISPLAY=:7\n") || strings.Contains(text, "secret-of-") {
		t.Errorf("the program got:\n%s", text)
	}
}
