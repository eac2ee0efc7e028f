package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const output = `{"Action":"run","Package":"github.com/neorag/neorag/internal/a","Test":"TestOne"}
{"Action":"pass","Package":"github.com/neorag/neorag/internal/a","Test":"TestOne","Elapsed":25}
not JSON
{"Action":"pass","Package":"github.com/neorag/neorag/internal/a","Test":"TestTwo/x/y","Elapsed":30.5}
{"Action":"pass","Package":"github.com/neorag/neorag/internal/a","Test":"TestTwo/x","Elapsed":40}
{"Action":"fail","Package":"github.com/neorag/neorag/internal/a","Test":"TestTwo/z","Elapsed":1}
{"Action":"fail","Package":"github.com/neorag/neorag/internal/a","Test":"TestTwo","Elapsed":50}
{"Action":"fail","Package":"github.com/neorag/neorag/internal/a","Elapsed":95}
{"Action":"pass","Package":"github.com/neorag/neorag/internal/b","Test":"TestThree","Elapsed":2}
{"Action":"pass","Package":"github.com/neorag/neorag/internal/b","Elapsed":3}
`

func TestReport(t *testing.T) {
	times, slow := filepath.Join(t.TempDir(), "tests.json"), filepath.Join(t.TempDir(), "slow.txt")
	write(t, times, output)
	write(t, slow, "# a comment\ninternal/a.TestTwo compares many\n")
	var report, check strings.Builder
	if err := run(&report, slow, false, []string{times}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(`
 seconds    tests  package, whose tests take 58 s in all
    95.0     56.5  internal/a
     3.0      2.0  internal/b

 seconds  slowest tests
    30.5  internal/a.TestTwo/x/y
    25.0  internal/a.TestOne
     2.0  internal/b.TestThree
     1.0  internal/a.TestTwo/z
`, report.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if err := run(&check, slow, true, []string{times}); err == nil {
		t.Error("slow tests are not an error")
	}
	if diff := cmp.Diff("internal/a took 95 s; make it faster, or add it with a reason to "+slow+"\n"+
		"internal/a.TestOne took 25 s; make it faster, or add it with a reason to "+slow+"\n", check.String()); diff != "" {
		t.Errorf("check (-want +got):\n%s", diff)
	}
	write(t, slow, "internal/a many tests\ninternal/a.TestOne a large file\ninternal/a.TestTwo compares many\n")
	if err := run(&check, slow, true, []string{times}); err != nil {
		t.Errorf("all are in the list: %v", err)
	}
	write(t, slow, "internal/a.TestOne\n")
	if err := run(&check, slow, true, []string{times}); err == nil || !strings.Contains(err.Error(), "has no reason") {
		t.Errorf("no reason: %v", err)
	}
	write(t, slow, "# none\n")
	write(t, times, output+`{"Action":"pass","Package":"github.com/neorag/neorag/internal/b","Test":"TestMany","Elapsed":4200}`)
	check.Reset()
	if err := run(&check, slow, true, []string{times}); err == nil || strings.Contains(check.String(), "TestOne") || !strings.Contains(check.String(), "TestMany") {
		t.Errorf("on a slow machine: %v\n%s", err, &check)
	}
	write(t, slow, "internal/a many tests\n")
	if err := run(&check, slow, true, []string{filepath.Join(t.TempDir(), "none.json")}); err != nil {
		t.Errorf("no test ran: %v", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
