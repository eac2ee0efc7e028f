package source

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
)

// readAll reads a file with that content. Each failure is its line and its error
// without the name of the file.
func readAll(tb testing.TB, name, content string, fields map[string]string) (docs []graph.Document, failures []string, err error) {
	tb.Helper()
	f := File{URI: name, Path: "-", Content: []byte(content)}
	o := Options{Fields: fields}
	docs, failed, err := Read(context.Background(), f, o)
	for _, f := range failed {
		if f.URI != name || !strings.HasPrefix(f.Err.Error(), "read "+name+": ") || strings.Contains(f.Err.Error(), "\n") {
			tb.Errorf("failure %+v: want one line that names the file", f)
		}
		failures = append(failures, fmt.Sprintf("%d: %s", f.Line, strings.TrimPrefix(f.Err.Error(), fmt.Sprintf("read %s: line %d: ", name, f.Line))))
	}
	return docs, failures, err
}

var hashID = regexp.MustCompile(`#[0-9a-f]{16}\b`)

// brief returns each document on one line, with #hash for the ids of records without one.
func brief(docs []graph.Document) (lines []string) {
	for _, d := range docs {
		parts := []string{d.URI, d.Title, d.Date, d.Text}
		for _, name := range []string{"place", "tags", "date", "n", "column 3"} {
			if v, ok := d.Metadata[name]; ok {
				parts = append(parts, name+"="+v)
			}
		}
		lines = append(lines, hashID.ReplaceAllString(strings.Join(parts, "|"), "#hash"))
	}
	return lines
}

func TestRecords(t *testing.T) {
	t.Parallel()
	noText := `no text in field "text": name the field that holds it with --field text=NAME; fields are `
	for _, tc := range []struct {
		name, file, raw string
		fields          map[string]string
		docs, failures  []string
	}{
		{
			"csv", "a.csv", "id,title,date,text,place\n7,Seven,2024-03-01,\"One, \"\"two\"\"\nthree\",Rome\n,,not yet,Next,\n", nil,
			[]string{"a.csv#7|Seven|2024-03-01|One, \"two\"\nthree|place=Rome", "a.csv#hash|a #hash||Next|date=not yet"},
			nil,
		},
		{
			"semicolons", "a.csv", "text;place\nA, b, c;Rome\nB;Bonn\n", nil,
			[]string{"a.csv#hash|a #hash||A, b, c|place=Rome", "a.csv#hash|a #hash||B|place=Bonn"},
			nil,
		},
		{"tabs", "a.tsv", "text\tplace\nA, b\tRome\n", nil, []string{"a.tsv#hash|a #hash||A, b|place=Rome"}, nil},
		{"bars", "a.csv", "text|place\nA; b|Rome\n", nil, []string{"a.csv#hash|a #hash||A; b|place=Rome"}, nil},
		{"one column", "a.csv", "text\nA\n\nB\n", nil, []string{"a.csv#hash|a #hash||A", "a.csv#hash|a #hash||B"}, nil},
		{"utf-16 and a mark", "a.csv", "\xff\xfet\x00e\x00x\x00t\x00\r\x00\n\x00\xeb\x00", nil, []string{"a.csv#hash|a #hash||ë"}, nil},
		{"renamed", "a.csv", "Body,text,key\nA,Rome,x\n", map[string]string{"text": "body", "id": "key"}, []string{"a.csv#x|a #x||A"}, nil},
		{"a column without a name", "a.csv", "id,text,\nx,A,B\n", nil, []string{"a.csv#x|a #x||A|column 3=B"}, nil},
		{
			"date in the name", "2024-05-06 log.csv", "text\nA\nTime: 2024-05-06 10:30\n", nil,
			[]string{"2024-05-06 log.csv#hash|2024-05-06 log #hash|2024-05-06|A", "2024-05-06 log.csv#hash|2024-05-06 log #hash|2024-05-06T10:30|Time: 2024-05-06 10:30"},
			nil,
		},
		{
			"bad rows", "a.csv", "id,text\n1,A\n2\n3,C,D\n4,\n5,E\n6,x\"y\n7,G\n", nil,
			[]string{"a.csv#1|a #1||A", "a.csv#5|a #5||E", `a.csv#6|a #6||x"y`, "a.csv#7|a #7||G"},
			[]string{"3: " + noText + `"id"`, "4: row has 3 fields, header has 2", "5: " + noText + `"id"`},
		},
		{
			"a quote without end", "a.csv", "id,text\n1,A\n2,\"B\n3,C\n", nil,
			[]string{"a.csv#1|a #1||A"},
			[]string{"3: a quotation mark is not closed; lines 3 to 4 are lost"},
		},
		{
			"a quote that another one closes", "a.csv", "id,text\n1,\"A\n2,B\n3,\"C\"\n4,D\n", nil,
			[]string{"a.csv#4|a #4||D"},
			[]string{"2: a quotation mark is not closed; lines 2 to 4 are lost"},
		},
		{"one column of another name", "a.csv", "body\nA, b\n", nil, []string{"a.csv#hash|a #hash||A, b"}, nil},
		{
			"columns of one name", "a.csv", "place,n,n,n\nRome,1,2,3\n", nil,
			[]string{"a.csv#hash|Rome||Place: Rome. N: 1. N 2: 2. N 3: 3.|place=Rome|n=1", "a.csv|a||The table a has 1 row. Its columns are: Place, N, N 2, N 3."},
			nil,
		},
		{
			"two equal ids", "a.csv", "id,text\nx,A\ny,B\nx,C\n", nil,
			[]string{"a.csv#x|a #x||A", "a.csv#y|a #y||B"},
			[]string{`4: id "x" is already used by line 2: ids must be unique`},
		},
		{
			"two equal ids in lines", "a.jsonl", "{\"id\":1,\"text\":\"A\"}\n\n{\"id\":\"1\",\"text\":\"B\"}", nil,
			[]string{"a.jsonl#1|a #1||A"},
			[]string{`3: id "1" is already used by line 1: ids must be unique`},
		},
		{
			"empty rows, and fields that are missing or empty in addition", "a.csv", "id,text,place\n,,\n1,A\n2,B,Rome,,\n,,,,\n", nil,
			[]string{"a.csv#1|a #1||A", "a.csv#2|a #2||B|place=Rome"},
			nil,
		},
		{"quotes after a space", "a.csv", "id, text, place\n1, \"A, b\", Rome\n", nil, []string{"a.csv#1|a #1||A, b|place=Rome"}, nil},
		{
			"a comma in each line with semicolons", "a.csv", "name;place, land;n\nAnna;Kiel, DE;1\n", nil,
			[]string{"a.csv#hash|Anna||Name: Anna. Place, land: Kiel, DE. N: 1.|n=1", "a.csv|a||The table a has 1 row. Its columns are: Name, Place, land, N."},
			nil,
		},
		{
			"titles above the header", "a.csv", "Crew list;;\n;;\nname;place;n\nAnna;Kiel;1\n", nil,
			[]string{"a.csv#hash|Anna||Name: Anna. Place: Kiel. N: 1.|place=Kiel|n=1", "a.csv|a||Crew list\nThe table a has 1 row. Its columns are: Name, Place, N."},
			nil,
		},
		{"notes above the header", "a.csv", "# exported\n\nid,text\n1,A\n", nil, []string{"a.csv#1|a #1||A"}, nil},
		{
			"quotes with backslashes", "a.csv", `id,text` + "\n" + `1,"She said \"yes\" twice, here."` + "\n", nil,
			[]string{`a.csv#1|a #1||She said "yes" twice, here.`},
			nil,
		},
		{
			"a line that names the separator", "a.csv", "sep=;\r\nid;text\n1;A, b\n2\n", nil,
			[]string{"a.csv#1|a #1||A, b"},
			[]string{"4: " + noText + `"id"`},
		},
		{
			"quotes in a table with tabs", "a.tsv", "id\ttext\n1\t\"Hello\" said Anna.\n2\ta 5\" pipe\n3\t\"Unclosed\n4\t\"a \"\"b\"\"\"\n\n5\t\t\n", nil,
			[]string{`a.tsv#1|a #1||"Hello" said Anna.`, `a.tsv#2|a #2||a 5" pipe`, `a.tsv#3|a #3||"Unclosed`, `a.tsv#4|a #4||a "b"`},
			[]string{"7: " + noText + `"id"`},
		},
		{
			"a table without a text", "cars.csv", "model,fuel_type,horsepower,date\nbuick skylark 320,gas,165,1970-01-01\nother,,,\n", nil,
			[]string{"cars.csv#hash|buick skylark 320|1970-01-01|Model: buick skylark 320. Fuel type: gas. Horsepower: 165. Date: 1970-01-01.", "cars.csv#hash|other||Model: other.", "cars.csv|cars||The table cars has 2 rows. Its columns are: Model, Fuel type, Horsepower, Date."},
			nil,
		},
		{
			"several columns make the text", "a.csv", "id,Title,body,n\n1,Ships,Anna sails.,3\n2,,Jonas stays.,\n",
			map[string]string{"text": "title, body", "a.txt:text": "n"},
			[]string{"a.csv#1|Ships||Ships\n\nAnna sails.|n=3", "a.csv#2|a #2||Jonas stays."},
			nil,
		},
		{
			"objects without a text", "cars.json", `[{"id": 7, "hp": 165, "model": "skylark", "tags": ["a", "b"], "more": {"x": 1}}]`, nil,
			[]string{`cars.json#7|skylark||Hp: 165. Id: 7. Model: skylark. More x: 1. Tags: a, b.|tags=["a","b"]`, "cars.json|cars||The table cars has 1 row. Its columns are: Hp, Id, Model, More, Tags."},
			nil,
		},
		{
			"values in objects and lists", "a.json", `[{"type": "Feature", "properties": {"name": "Kiel", "size": 3, "old": null, "is": true}, "at": {"xy": [10.1, 54.3], "more": {}}},
				{"items": [{"Q": "Who?", "n": 1}, {"Q": "When?"}], "vector": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}]`, nil,
			[]string{
				"a.json#hash|Kiel||At xy: 10.1, 54.3. Properties name: Kiel. Properties size: 3. Properties is: true. Type: Feature.",
				"a.json#hash|Who?||Items Q: Who? Items n: 1. Items Q: When?",
				"a.json|a||The table a has 2 rows. Its columns are: At, Properties, Type, Items, Vector.",
			},
			nil,
		},
		{
			"a text in an object", "a.jsonl", `{"id": 1, "body": {"text": "A.", "n": 2}, "tags": [{"x": "B"}, {"x": "C"}]}`,
			map[string]string{"text": "body.text, tags.x"},
			[]string{`a.jsonl#1|a #1||A.` + "\n\nB\n\nC" + `|tags=[{"x":"B"},{"x":"C"}]`},
			nil,
		},
		{
			"texts with parts", "a.jsonl", `{"id":1,"text":["See ",{"type":"link","text":"x.org"}," now."]}` + "\n" + `{"id":2,"text":[{"text":"A."},{"text":"B."}]}` + "\n" + `{"id":3,"text":[{"n":1}]}`, nil,
			[]string{"a.jsonl#1|a #1||See x.org now.", "a.jsonl#2|a #2||A.\n\nB.", `a.jsonl#3|a #3||[{"n":1}]`},
			nil,
		},
		{
			"conversations", "a.jsonl", `{"messages":[{"role":"user","content":"Where is Anna?"},{"role":"assistant","content":[{"type":"text","text":"In Kiel."}]}],"n":1}` + "\n" + `{"conversations":[{"from":"human","value":"Who?"}]}` + "\n" + `{"messages":[{"n":2}]}`, nil,
			[]string{"a.jsonl#hash|a #hash||user: Where is Anna?\n\nassistant: In Kiel.|n=1", "a.jsonl#hash|a #hash||human: Who?", "a.jsonl#hash|a #hash||Messages n: 2."},
			nil,
		},
		{
			"values as databases write them", "a.jsonl", `{"id":{"$oid":"ab"},"text":"A","date":{"$date":"2024-01-02T10:00:00Z"}}` + "\n" + `{"id":2,"text":"B","date":1704103200}` + "\n" + `{"id":3,"text":"C","date":{"$date":{"$numberLong":"1704103200000"}}}`, nil,
			[]string{"a.jsonl#ab|a #ab|2024-01-02T10:00|A", "a.jsonl#2|a #2|2024-01-01T10:00|B", "a.jsonl#3|a #3|2024-01-01T10:00|C"},
			nil,
		},
		{
			"an object without a text", "pack.json", `{"name": "x", "version": "1"}`, nil,
			[]string{"pack.json#hash|x||Name: x. Version: 1.", "pack.json|pack||The table pack has 1 row. Its columns are: Name, Version."},
			nil,
		},
		{
			"numbers that JSON does not have", "a.json", `[{"id":1.0,"text":"A NaN","n":NaN},{"id":1e3,"text":"B","n":-Infinity},{"text":"C","n":[Infinity]}]`, nil,
			[]string{"a.json#1|a #1||A NaN", "a.json#1000|a #1000||B", "a.json#hash|a #hash||C|n=[null]"},
			nil,
		},
		{
			"records in an object", "a.json", `{"data": [{"id":1,"text":"A"},{"id":2,"name":"B"}], "total": 2, "tags": ["x"]}`, nil,
			[]string{"a.json#1|a #1||A", "a.json#2|B||Id: 2. Name: B."},
			nil,
		},
		{"lines that are indented", "a.jsonl", "{\n \"id\": 1,\n \"text\": \"A\"\n}\n{\n \"id\": 2,\n \"text\": \"B\"\n}\n", nil, []string{"a.jsonl#1|a #1||A", "a.jsonl#2|a #2||B"}, nil},
		{"a text that is a list", "a.jsonl", `{"id":1,"text":["A.","B."]}`, nil, []string{"a.jsonl#1|a #1||A.\n\nB."}, nil},
		{
			"json", "a.json", `[{"text":"A","id":7,"tags":["x", {"y": 1.50}],"n":12345678901234567890},` + "\n\n" + `{"text":"B","title":null,"n":true}]`, nil,
			[]string{`a.json#7|a #7||A|tags=["x",{"y":1.50}]|n=12345678901234567890`, "a.json#hash|a #hash||B|n=true"},
			nil,
		},
		{"one object", "a.json", `{"text":"A"}`, nil, []string{"a.json#hash|a #hash||A"}, nil},
		{"objects in a row", "a.json", "{\"text\":\"A\"}\n{\"text\":\"B\"}", nil, []string{"a.json#hash|a #hash||A", "a.json#hash|a #hash||B"}, nil},
		{"no elements", "a.json", " [ ] ", nil, nil, nil},
		{
			"bad elements", "a.json", "[{\"text\":\"A\"},\n\"B\",\n{\"body\":\"C\"},\nnull,\n{\"text\":\"E\"},\n{]", nil,
			[]string{"a.json#hash|a #hash||A", "a.json#hash|C||Body: C.", "a.json#hash|a #hash||E"},
			[]string{"2: not a JSON object", "4: not a JSON object", "6: invalid character ']' looking for beginning of object key string; the rest of the file is ignored"},
		},
		{"an array without end", "a.json", "[{\"text\":\"A\"}\n", nil, []string{"a.json#hash|a #hash||A"}, []string{"2: unterminated array"}},
		{
			"deep", "a.json", `[{"text":"A","n":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `},{"text":"B"}]`, nil,
			[]string{"a.json#hash|a #hash||B"},
			[]string{"1: nested deeper than 64 levels"},
		},
		{
			"json lines", "a.jsonl", "{\"text\":\"A\"}\r\n\r\n{\"text\":\n[1]\n{\"text\":\"B\",\"id\":\"x y\"}", nil,
			[]string{"a.jsonl#hash|a #hash||A", "a.jsonl#x y|a #x y||B"},
			[]string{"3: unexpected end of JSON input", "4: not a JSON object"},
		},
	} {
		docs, failures, err := readAll(t, tc.file, tc.raw, tc.fields)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.docs, brief(docs)); diff != "" {
			t.Errorf("%s: documents (-want +got):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.failures, failures); diff != "" {
			t.Errorf("%s: failures (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestRecordFilesThatFail(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, raw, want string }{
		{"no rows", "a.csv", "", "the first line must name the columns"},
		{"binary", "a.json", "\x00\x01\x02\x03\x00\x00\x00", "binary data"},
		{"no JSON", "a.json", "hello", "line 1: invalid character 'h'"},
		{"empty JSON", "a.json", "  ", "empty: write an array"},
		{"a JSON bomb", "a.json", strings.Repeat("[", 1_000_000), "exceeded max depth"},
	} {
		docs, failures, err := readAll(t, tc.file, tc.raw, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "read "+tc.file+": ") || !strings.Contains(err.Error(), tc.want) || len(docs)+len(failures) > 0 {
			t.Errorf("%s: got %v, %v, error %v, want only an error with %q", tc.name, brief(docs), failures, err, tc.want)
		}
	}
}

func TestRecordLimits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("id,text\n")
	for range 5000 {
		b.WriteString("x\n")
	}
	_, failures, err := readAll(t, "a.csv", b.String(), nil)
	if last := failures[len(failures)-1]; err != nil || len(failures) != maxRecordFailures || !strings.Contains(last, "line 1001 and 4000 more records") {
		t.Errorf("5000 bad rows: %d failures, last %q, %v", len(failures), last, err)
	}
	b.Reset()
	b.WriteString(`{"text":"A"`)
	for i := range 500 {
		fmt.Fprintf(&b, `,"field %03d":"%s"`, i, strings.Repeat("é", 5000))
	}
	docs, _, err := readAll(t, "a.json", b.String()+"}", nil)
	if err != nil || len(docs) != 1 || len(docs[0].Metadata) != parse.MaxMetadata {
		t.Fatalf("500 fields: %d documents, %v", len(docs), err)
	}
	if v := docs[0].Metadata["field 000"]; len(v) > 4<<10 || !strings.HasSuffix(v, "é…") {
		t.Errorf("a long value has %d bytes, want at most the limit, with an ellipsis", len(v))
	}
	_, failures, err = readAll(t, "a.jsonl", `{"text":"`+strings.Repeat("x", maxRecord)+"\"}\n"+`{"text":"A","id":"`+strings.Repeat("x", 500)+`"}`, nil)
	if err != nil || len(failures) != 2 {
		t.Errorf("a record that is too long, and an id that is: failures %v, error %v", failures, err)
	}
	long := strings.Repeat("x", maxRecord)
	for name, raw := range map[string]string{
		"a.json":  "[{\"text\":\"" + long + long + "\"},\n{\"text\":\"A\"},\n{\"text\":\"" + long + "\"}]",
		"b.json":  "\n{\"text\":\"" + long + long + "\"}\n{\"text\":\"A\"}{\"text\":\"" + long + "\"}",
		"a.jsonl": "{\"text\":\"" + long + long + "\"}\n{\"text\":\"A\"}\n{\"text\":\"" + long + "\"}",
		"a.csv":   "text\n" + long + long + "\nA\n\"" + long + "\"\n",
	} {
		docs, failures, err := readAll(t, name, raw, nil)
		if err != nil || len(docs) != 1 || docs[0].Text != "A" || len(failures) != 2 || !strings.Contains(failures[1], "record has 1677") {
			t.Errorf("%s: documents %.200v, failures %v, error %v, want the second record, and two that are too long", name, brief(docs), failures, err)
		}
	}
}

// TestIDsOfRecordsWithoutOne checks that a record without an id keeps its name and its
// title when records are inserted before it.
func TestIDsOfRecordsWithoutOne(t *testing.T) {
	t.Parallel()
	ids := func(raw string) (list []string) {
		docs, failures, err := readAll(t, "a.csv", raw, nil)
		if err != nil || len(failures) > 0 {
			t.Errorf("%q: failures %v, error %v", raw, failures, err)
		}
		for _, d := range docs {
			id := strings.TrimPrefix(d.URI, "a.csv#")
			if d.Title != "a #"+id {
				t.Errorf("%q: document %q has the title %q", raw, d.URI, d.Title)
			}
			list = append(list, id)
		}
		return list
	}
	docs, _, err := readAll(t, "a.csv", "text,place\nA,Rome\nB,Bonn\nC,Rome\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := docs[0].SHA256[:16], docs[1].SHA256[:16], docs[2].SHA256[:16]
	for _, tc := range []struct {
		name, raw string
		want      []string
	}{
		{"in order", "text,place\nA,Rome\nB,Bonn\n", []string{a, b}},
		{"one is inserted", "text,place\nC,Rome\nA,Rome\nB,Bonn\n", []string{c, a, b}},
		{"ids are empty", "text,id,place\nA,,Rome\nB,,Bonn\n", []string{a, b}},
		{"an id is a row number", "id,text,place\n2,C,Rome\n,A,Rome\n", []string{"2", a}},
		{"equal records", "text,place\nA,Rome\nA,Rome\nB,Bonn\nA,Rome\n", []string{a, a + "-2", b, a + "-3"}},
	} {
		if diff := cmp.Diff(tc.want, ids(tc.raw)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestRecordHashDependsOnTheContentAlone(t *testing.T) {
	t.Parallel()
	hash := func(raw string) string {
		docs, _, err := readAll(t, "a.csv", raw, nil)
		if err != nil {
			t.Fatal(err)
		}
		return docs[len(docs)-1].SHA256
	}
	base := hash("id,text,place\nx,A,Rome\n")
	for raw, same := range map[string]bool{
		"id,text,place\nw,W,Bonn\nx,A,Rome\n": true,
		"place;text;id\nRome;A;y\n":           true,
		"id,text,place\nx,A,Bonn\n":           false,
		"id,text,city\nx,A,Rome\n":            false,
		"id,text,title\nx,A,Rome\n":           false,
		"id,text,place\nx,B,Rome\n":           false,
	} {
		if got := hash(raw) == base; got != same {
			t.Errorf("%q has the same hash: %t, want %t", raw, got, same)
		}
	}
	f := File{URI: "a.csv", Content: []byte("id,text\nx,A\ny\n")}
	entries, failures, err := Survey(context.Background(), f, Options{})
	if err != nil || len(failures) != 1 || len(entries) != 1 || entries[0].URI != "a.csv#x" || !HasRecords(f) {
		t.Errorf("Survey = %v, %v, %v", entries, failures, err)
	}
	f = File{URI: "a.txt", Content: []byte("A")}
	if entries, _, err := Survey(context.Background(), f, Options{}); err != nil || len(entries) != 1 || entries[0].URI != "a.txt" || HasRecords(f) {
		t.Errorf("Survey of a text file = %v, %v", entries, err)
	}
}
