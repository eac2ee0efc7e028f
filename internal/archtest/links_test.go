package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link       = regexp.MustCompile(`\]\(([^)\s:]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	codeBlocks = regexp.MustCompile("(?ms)^```.*?^```")
)

// TestLinks checks that what a document links to in this repository exists, headings included.
func TestLinks(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, docs...) {
		for _, m := range link.FindAllStringSubmatch(codeBlocks.ReplaceAllString(readFile(t, page), ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if anchor != "" && !anchors(readFile(t, path))[anchor] {
				t.Errorf("%s: %s has no heading #%s", page, path, anchor)
			}
		}
	}
}

// anchors returns the names of the headings of a document, as GitHub makes them.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(codeBlocks.ReplaceAllString(text, ""), -1) {
		name := notAnchor.ReplaceAllString(strings.ToLower(h[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}
