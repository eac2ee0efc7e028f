package known_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/known"
)

const address, model = "http://localhost:8080/v1", "small"

func learn(s *known.Server) {
	s.Learn(func(f *known.Facts) { f.Format, f.BatchTexts, f.Without = "json_object", 8, []string{"seed", "seed"} })
}

var learntLine = regexp.MustCompile(`"learnt": "[^"]*"`)

var learnt = known.Facts{Format: "json_object", BatchTexts: 8, Without: []string{"seed"}}

// stored writes a record and returns its folder and the path of its file.
func stored(t *testing.T) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "servers")
	learn((&known.Folder{Dir: dir}).Server(address, model))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 || !known.IsFile(filepath.Base(files[0])) {
		t.Fatalf("files %q, %v", files, err)
	}
	return dir, files[0]
}

// TestRecordsAreKept reads a record in another process's place.
func TestRecordsAreKept(t *testing.T) {
	t.Parallel()
	dir, path := stored(t)
	next := &known.Folder{Dir: dir}
	if diff := cmp.Diff(learnt, next.Server(address, model).Facts()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if one, other := next.Server(address, model), next.Server(address, model); one != other {
		t.Error("a model has two records")
	}
	for _, other := range []*known.Server{next.Server(address, "large"), next.Server("http://localhost:8081/v1", model)} {
		if diff := cmp.Diff(known.Facts{}, other.Facts()); diff != "" {
			t.Errorf("facts of another server or model (-want +got):\n%s", diff)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	records, err := next.Records()
	if err != nil || len(records) != 1 || records[0].Server != address || records[0].Model != model || !cmp.Equal(records[0].Facts, learnt) {
		t.Errorf("records %+v, %v", records, err)
	}
	if n, err := next.Forget(); n != 1 || err != nil {
		t.Errorf("%d forgotten, %v", n, err)
	}
	if got := (&known.Folder{Dir: dir}).Server(address, model).Facts(); !cmp.Equal(got, known.Facts{}) {
		t.Errorf("facts that were forgotten: %+v", got)
	}
}

// TestFilesThatAreIgnored reads files that are damaged, foreign, too old or too large: nothing is
// known then, and what is learnt next replaces the file.
func TestFilesThatAreIgnored(t *testing.T) {
	t.Parallel()
	ago := func(age time.Duration) func(string) string {
		return func(s string) string {
			return learntLine.ReplaceAllString(s, `"learnt": "`+time.Now().UTC().Add(-age).Format(time.RFC3339)+`"`)
		}
	}
	for name, change := range map[string]func(string) string{
		"empty":          func(string) string { return "" },
		"half":           func(s string) string { return s[:len(s)/2] },
		"not JSON":       func(s string) string { return "x" + s },
		"other type":     func(s string) string { return strings.Replace(s, `"json_object"`, "7", 1) },
		"too large":      func(s string) string { return s + strings.Repeat(" ", 1<<20) },
		"other server":   func(s string) string { return strings.Replace(s, "8080", "8081", 1) },
		"other model":    func(s string) string { return strings.Replace(s, "small", "large", 1) },
		"negative bound": func(s string) string { return strings.Replace(s, `"batch_texts": 8`, `"batch_texts": -8`, 1) },
		"old":            ago(known.MaxAge + time.Minute),
		"in the future":  ago(-48 * time.Hour),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path := stored(t)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := change(string(b))
			if changed == string(b) {
				t.Fatal("the file was not changed")
			}
			if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			folder := &known.Folder{Dir: dir}
			if records, err := folder.Records(); len(records) != 0 || err != nil {
				t.Errorf("records %+v, %v", records, err)
			}
			s := folder.Server(address, model)
			if got := s.Facts(); !cmp.Equal(got, known.Facts{}) {
				t.Errorf("facts %+v", got)
			}
			learn(s)
			if got := (&known.Folder{Dir: dir}).Server(address, model).Facts(); !cmp.Equal(got, learnt) {
				t.Errorf("facts learnt again: %+v", got)
			}
		})
	}
}

// TestAgeIsThatOfTheFirstFact learns more on the sixth day: that does not keep the first facts.
func TestAgeIsThatOfTheFirstFact(t *testing.T) {
	t.Parallel()
	dir, path := stored(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := time.Now().UTC().Add(-6 * 24 * time.Hour).Truncate(time.Second)
	old := learntLine.ReplaceAllString(string(b), `"learnt": "`+first.Format(time.RFC3339)+`"`)
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := &known.Folder{Dir: dir}
	folder.Server(address, model).Learn(func(f *known.Facts) { f.OneMessage = true })
	records, err := folder.Records()
	if err != nil || len(records) != 1 || !records[0].Learnt.Equal(first) || !records[0].Facts.OneMessage || records[0].Facts.BatchTexts != 8 {
		t.Errorf("records %+v, %v", records, err)
	}
}

// TestUnwritableFolder reports an error, and what was learnt holds for the process.
func TestUnwritableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warned error
	s := (&known.Folder{Dir: filepath.Join(file, "servers"), Warn: func(err error) { warned = err }}).Server(address, model)
	learn(s)
	if warned == nil || !cmp.Equal(s.Facts(), learnt) {
		t.Errorf("warned of %v, facts %+v", warned, s.Facts())
	}
}
