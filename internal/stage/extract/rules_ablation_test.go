package extract

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rareElsewhere is how often a word of one sample may occur in all others and still count
// as that sample's own.
const rareElsewhere = 3

// fittedCode is what rules list in code that only the samples show.
var fittedCode = []struct{ file, old, without string }{
	{"rules_names.go", `case "old", "poor", "dear":`, `case "":`},
	{"rules_type_cues.go", ` typhoon hurricane cyclone `, ` `},
}

// TestRulesQualityWithoutSampleWords measures what the rules would find on the sample had
// the word lists been written without it: it runs TestRulesQuality without the listed
// words that only this one of the test corpora contains.
func TestRulesQualityWithoutSampleWords(t *testing.T) {
	t.Parallel()
	sample := wordCounts(strings.Join(readFiles(t, "christmas-carol/docs/*.txt"), "\n"))
	others := wordCounts(strings.Join(slices.Concat(readFiles(t, "lihuaworld/docs/*.txt"), readFiles(t, "wild/*/docs/*")), "\n"))
	removed := map[string]bool{}
	overlay := map[string]string{}
	dir := t.TempDir()
	replace := func(path, text string) {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		overlay[path] = filepath.Join(dir, strconv.Itoa(len(overlay)))
		if err := os.WriteFile(overlay[path], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lists, err := filepath.Glob("../../text/textproc/lists/*.txt")
	if err != nil || len(lists) < 40 {
		t.Fatalf("%d word lists: %v", len(lists), err)
	}
	for _, path := range lists {
		comment, words, _ := strings.Cut(readFile(t, path), "\n")
		kept := slices.DeleteFunc(strings.Fields(words), func(w string) bool {
			if sample[w] == 0 || others[w] > rareElsewhere {
				return false
			}
			removed[w] = true
			return true
		})
		replace(path, comment+"\n"+strings.Join(kept, " ")+"\n")
	}
	for _, c := range fittedCode {
		code := readFile(t, c.file)
		if strings.Count(code, c.old) != 1 {
			t.Fatalf("%s has %q %d times, want once", c.file, c.old, strings.Count(code, c.old))
		}
		replace(c.file, strings.Replace(code, c.old, c.without, 1))
	}
	if len(removed) < 50 {
		t.Fatalf("only %d words are removed", len(removed))
	}
	words := strings.Join(slices.Sorted(maps.Keys(removed)), " ")
	t.Logf("without %d words: %s", len(removed), words)
	files, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	replacement := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(replacement, files, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-overlay", replacement, "-count=1", "-vet=off", "-v", "-run", "^TestRulesQuality$", ".")
	cmd.Env = append(os.Environ(), ablatedEnv+"="+words)
	out, err := cmd.CombinedOutput()
	figures := regexp.MustCompile(`figure: .*`).FindAllString(string(out), -1)
	t.Logf("without these words:\n%s", strings.Join(figures, "\n"))
	if err != nil || len(figures) == 0 {
		t.Errorf("measure without these words: %v\n%s", err, out)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var countedWord = regexp.MustCompile(`\pL+(?:['-]\pL+)*`)

// wordCounts counts the words of a text in lower case. A word with a hyphen or an
// apostrophe counts for its parts as well.
func wordCounts(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range countedWord.FindAllString(strings.ReplaceAll(strings.ToLower(text), "’", "'"), -1) {
		counts[w]++
		if parts := strings.FieldsFunc(w, func(r rune) bool { return r == '\'' || r == '-' }); len(parts) > 1 {
			for _, part := range parts {
				counts[part]++
			}
		}
	}
	return counts
}
