package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// wellFormed is a script command: it parses a file by its extension and requires a
// minimum number of elements, lists or rows of each name:
//
//	wellformed FILE NAME COUNT...
func wellFormed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args)%2 != 1 {
		ts.Fatalf("usage: wellformed FILE NAME COUNT...")
	}
	var counts map[string]int
	var err error
	switch text := ts.ReadFile(args[0]); filepath.Ext(args[0]) {
	case ".csv":
		var rows [][]string
		rows, err = csv.NewReader(strings.NewReader(text)).ReadAll()
		counts = map[string]int{"rows": len(rows) - 1}
	case ".json":
		var object map[string]any
		err = json.Unmarshal([]byte(text), &object)
		counts = map[string]int{}
		for name, value := range object {
			list, _ := value.([]any)
			counts[name] = len(list)
		}
	default:
		counts, err = elements(text)
	}
	ts.Check(err)
	for i := 1; i < len(args); i += 2 {
		least, err := strconv.Atoi(args[i+1])
		ts.Check(err)
		if counts[args[i]] < least {
			ts.Fatalf("%s has %d of %s, want at least %d", args[0], counts[args[i]], args[i], least)
		}
	}
}

// elements counts the elements of an XML document by name.
func elements(text string) (map[string]int, error) {
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts, nil
		}
		if err != nil {
			return nil, err
		}
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
		}
	}
}
