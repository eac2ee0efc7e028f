package html

import (
	"cmp"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/neorag/neorag/internal/source/parse"
)

// dateNames are the names under which pages declare when they were published, the surest first.
var dateNames = []string{
	"article:published_time", "datepublished", "dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date",
	"citation_publication_date", "pubdate", "publishdate", "publish_date", "date",
}

var publishedInJSON = regexp.MustCompile(`"datePublished"\s*:\s*"([^"]+)"`)

// pageDate returns the date that a page declares, or "". A name with several dates, as in a list of
// articles, has none.
func pageDate(root *html.Node) string {
	found := map[string]string{}
	add := func(name, date string) {
		if before, known := found[name]; known && before != date {
			date = ""
		}
		found[name] = date
	}
	for n := range root.Descendants() {
		name := strings.ToLower(cmp.Or(attribute(n, "property"), attribute(n, "name"), attribute(n, "itemprop")))
		switch {
		case n.DataAtom == atom.Meta:
			add(name, parse.Date(attribute(n, "content")))
		case n.DataAtom == atom.Time && (hasAttribute(n, "pubdate") || name == "datepublished"):
			add("datepublished", parse.Date(cmp.Or(attribute(n, "datetime"), textContent(n))))
		case n.DataAtom == atom.Script && attribute(n, "type") == "application/ld+json":
			for _, match := range publishedInJSON.FindAllStringSubmatch(textContent(n), -1) {
				add("datepublished", parse.Date(match[1]))
			}
		}
	}
	for _, name := range dateNames {
		if found[name] != "" {
			return found[name]
		}
	}
	return ""
}
