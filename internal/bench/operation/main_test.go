package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOnScreen checks that progress, which a program overwrites in its line, is not taken for
// its answer.
func TestOnScreen(t *testing.T) {
	t.Parallel()
	const typed = "\r\x1b[Kanswering 1 s\r\x1b[K\x1b[1mIngrid\x1b[0m Solberg.\r\nReferences\r\n"
	if diff := cmp.Diff("Ingrid Solberg.\nReferences\n", onScreen(typed)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTables checks that cases that could not be run count neither as right nor as faults, and
// that what a program printed does not break the table.
func TestTables(t *testing.T) {
	t.Parallel()
	cases := []testCase{{kind: "slips", name: "one", right: "x"}, {kind: "slips", name: "two", right: "y"}, {kind: "bounds", name: "three", right: "z"}}
	results := [][]result{
		{{verdict: right, got: "a|b\nc"}, {verdict: broken, got: "no server"}, {verdict: fault, got: "<br>"}},
		{{verdict: fault}, {verdict: fault}, {verdict: fault}},
	}
	var out strings.Builder
	printTable(&out, cases, results)
	printCounts(&out, cases, results)
	const want = `| kind | case | what is right | what happened | | before | |
|---|---|---|---|---|---|---|
| slips | one | x | a\|b c | ok |  | fault |
| slips | two | y | no server | not run |  | fault |
| bounds | three | z | &lt;br> | fault |  | fault |

| kind | right | before |
|---|---:|---:|
| bounds | 0 of 1 | 0 of 1 |
| slips | 1 of 1 (1 not run) | 0 of 2 |
| all | 1 of 2 (1 not run) | 0 of 3 |
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
