package html

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/neorag/neorag/internal/source/parse"
)

// isXHTML reports whether a page is XML, in which any element may be closed where it begins.
func isXHTML(name, page string) bool {
	return parse.Extension(name) == ".xhtml" || strings.HasPrefix(strings.TrimSpace(page[:min(len(page), 100)]), "<?xml")
}

// void are the elements that have no content in HTML either.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true,
	"param": true, "source": true, "track": true, "wbr": true,
}

var (
	declarations = regexp.MustCompile(`(?s)<!DOCTYPE[^>\[]*\[.*?\]\s*>`)
	literalText  = regexp.MustCompile(`(?s)<!\[CDATA\[.*?\]\]>`)
)

// closeElements gives an element such as <title/> its end tag: the parser of HTML takes the rest
// of the page for its content. It removes declarations, and escapes literal text, which HTML does
// not have.
func closeElements(page string) string {
	page = declarations.ReplaceAllString(page, "<!DOCTYPE html>")
	page = literalText.ReplaceAllStringFunc(page, func(s string) string {
		return html.EscapeString(s[len("<![CDATA[") : len(s)-len("]]>")])
	})
	tokens := html.NewTokenizer(strings.NewReader(page))
	var b strings.Builder
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if !errors.Is(tokens.Err(), io.EOF) {
				return page
			}
			return b.String()
		}
		raw := string(tokens.Raw())
		if kind == html.SelfClosingTagToken {
			tokens.NextIsNotRawText()
			name, _ := tokens.TagName()
			if tag := string(name); !void[tag] {
				b.WriteString(strings.TrimSuffix(raw, "/>") + "></" + tag + ">")
				continue
			}
		}
		b.WriteString(raw)
	}
}
