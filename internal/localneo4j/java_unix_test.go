//go:build unix

package localneo4j

import (
	"os"
	"strings"
	"testing"
)

// javaThatPrints returns a program that prints a version as Java does.
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
	if _, release, err := (Options{Java: javaThatPrints(t, `openjdk version "21.0.2" 2024-01-16`)}).java(t.Context()); err != nil || release != 21 {
		t.Errorf("Java 21 is taken for %d: %v", release, err)
	}
}
