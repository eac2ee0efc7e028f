package testcorpora

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// A Call is a call of a model that a reader answered.
type Call struct{ Prompt, Answer string }

// Calls reads a recording of calls: JSON lines, compressed by gzip.
func Calls(tb testing.TB, name string) (all []Call) {
	tb.Helper()
	file, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call Call
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			tb.Fatal(err)
		}
		all = append(all, call)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}
