package source

import (
	"fmt"
	"os"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// A parser child of the tests ends with an error if it has an environment. Variables
// are initialized before the function that makes this process a child.
var _ = func() bool {
	if len(os.Args) == 1 && os.Args[0] == sandboxName && len(os.Environ()) > 0 {
		fmt.Fprintf(os.Stderr, "environment of the child: %q\n", os.Environ())
		os.Exit(77)
	}
	return true
}()

// TestChildSeesNoSecrets reads a file in a child process while the environment has a
// secret.
func TestChildSeesNoSecrets(t *testing.T) {
	t.Setenv("MISTRAL_API_KEY", "secret")
	raw := []byte(pdftest.OnePage(pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET")))
	sandbox := NewSandbox()
	defer sandbox.Close()
	if _, _, _, err := sandbox.read(t.Context(), raw, graph.Document{URI: "a.pdf"}, false); err != nil {
		t.Error(err)
	}
}
