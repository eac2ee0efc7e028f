package archtest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// fused matches an instruction of arm64 that multiplies and adds with one rounding.
var fused = regexp.MustCompile(`(?m)^.*\((\S+\.go:\d+)\)\s+FN?M(ADD|SUB)[DS]\s`)

// TestArithmeticIsPortable checks that the compiler fuses no multiplication with an
// addition where a result decides what is stored or found: scores that tie on one processor
// would differ on another, and with them communities, extractive reports, vectors and
// rankings. A conversion such as float64(x*y) prevents it.
func TestArithmeticIsPortable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"leiden", "query/rank", "text/textproc"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// #nosec G204 -- the arguments are constants
			cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-S", "../"+name)
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
		})
	}
}
