package htmlmap_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/export"
	"github.com/neorag/neorag/internal/view/htmlmap"
	"github.com/neorag/neorag/internal/view/htmlmap/pagetest"
)

func page(t *testing.T, s htmlmap.Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := htmlmap.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageIsSmall checks that a page of 20,000 entities and 60,000 relationships has
// less than five megabytes.
func TestPageIsSmall(t *testing.T) {
	t.Parallel()
	text := page(t, pagetest.Source(20_000))
	t.Logf("20,000 entities, 60,000 relationships: %.2f MB", float64(len(text))/1e6)
	if len(text) > 5_000_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
	if len(text) < 1_500_000 {
		t.Errorf("the page has only %d bytes: texts are missing", len(text))
	}
}

// data unpacks the data of a page.
func data(t *testing.T, text string) map[string]any {
	t.Helper()
	_, rest, _ := strings.Cut(text, `<script id="data" type="application/octet-stream">`)
	packed, _, found := strings.Cut(rest, "</script>")
	if !found {
		t.Fatal("the page has no data")
	}
	plain, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed))))
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(plain, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPageIsSelfContained checks that, whatever texts contain, the page has only the
// elements of its template, and that its policy allows only its own script and style.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	text := page(t, pagetest.Hostile())
	for _, forbidden := range []string{"onerror", "<iframe", "http://", "https://", "@import", "url(", "alert(1)"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("the page contains %q", forbidden)
		}
	}
	counts := map[string]int{}
	z := html.NewTokenizer(strings.NewReader(text))
	for z.Next() != html.ErrorToken {
		if token := z.Token(); token.Type == html.StartTagToken {
			counts[token.Data]++
		}
	}
	if counts["script"] != 2 || counts["style"] != 1 || counts["link"] != 0 || counts["img"] != 0 {
		t.Errorf("elements: %v", counts)
	}
	for _, part := range []string{"script", "style"} {
		body := regexp.MustCompile(`(?s)<` + part + `>(.*?)</` + part + `>`).FindStringSubmatch(text)
		sum := sha256.Sum256([]byte(body[1]))
		if !strings.Contains(text, part+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy does not allow the %s", part)
		}
	}
	for _, rule := range []string{"default-src 'none'", "connect-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(text, rule) {
			t.Errorf("the policy lacks %s", rule)
		}
	}
}

func TestPageData(t *testing.T) {
	t.Parallel()
	s := pagetest.Source(200)
	d := data(t, page(t, s))
	rows := func(name string) []any { return d[name].([]any) }
	n := 0
	for e, err := range s.Entities {
		if err != nil {
			t.Fatal(err)
		}
		row := rows("entities")[n].([]any)
		if row[0] != e.Name || int(row[5].(float64)) != e.Degree {
			t.Errorf("entity %d is %v, want %s of degree %d", n, row, e.Name, e.Degree)
		}
		for _, at := range []int{3, 4} {
			if v := row[at].(float64); v < 0 || v > 65535 || v != float64(int(v)) {
				t.Errorf("entity %d is at %v", n, row[3:5])
			}
		}
		n++
	}
	if n != 200 || len(rows("entities")) != n || len(rows("edges")) != 3*n || len(rows("communities")) != len(s.Communities) || len(rows("reports")) != len(s.Communities) {
		t.Errorf("%d entities, %d edges, %d communities, %d reports", len(rows("entities")), len(rows("edges")), len(rows("communities")), len(rows("reports")))
	}
	report := rows("reports")[0].([]any)
	if refs := report[4].([]any); len(report[3].([]any)) != 5 || len(refs) != 11 || refs[0].([]any)[1] != "e" || refs[1].([]any)[1] != "r" || refs[1].([]any)[4].(float64) < 0 {
		t.Errorf("report %v", report)
	}
}

func TestSamePageSameBytes(t *testing.T) {
	t.Parallel()
	first, second := page(t, pagetest.Source(300)), page(t, pagetest.Source(300))
	if first != second {
		t.Error("two pages of the same graph differ")
	}
}

func TestEmptyPage(t *testing.T) {
	t.Parallel()
	d := data(t, page(t, htmlmap.Source{Graph: export.Graph{
		Corpus:        "empty",
		Entities:      func(func(graph.Entity, error) bool) {},
		Relationships: func(func(graph.Relationship, error) bool) {},
		Reports:       func(func(graph.Report, error) bool) {},
	}}))
	if len(d["entities"].([]any)) != 0 {
		t.Errorf("%v", d)
	}
}
