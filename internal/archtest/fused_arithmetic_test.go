package archtest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// fused matches an instruction of arm64 that multiplies and adds with one rounding.
var fused = regexp.MustCompile(`(?m)^.*\((\S+\.go:\d+)\)\s+FN?M(ADD|SUB)[DS]\s`)

// TestLeidenIsPortable checks that the compiler fuses no multiplication with an addition
// in Leiden: gains that tie on one processor would differ on another, and with them the
// communities. A conversion such as float64(x*y) prevents it.
func TestLeidenIsPortable(t *testing.T) {
	t.Parallel()
	// #nosec G204 -- the arguments are constants
	cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-S", "../leiden")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	if len(out) < 100_000 {
		t.Fatalf("%d bytes of assembly, want those of a package", len(out))
	}
	for _, m := range fused.FindAllStringSubmatch(string(out), -1) {
		t.Errorf("%s: a product is added without rounding", m[1])
	}
}
