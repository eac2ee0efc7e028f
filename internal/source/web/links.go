package web

import (
	"bytes"
	"iter"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// links yields the normalised addresses that the links of a page have, in their order. Links that are
// not to be followed, by rel or by the page, and links of other schemes are left out.
func links(page *url.URL, content []byte) iter.Seq[*url.URL] {
	return func(yield func(*url.URL) bool) {
		base, nofollow := head(page, content)
		if nofollow {
			return
		}
		for tag, attributes := range tags(content, "a") {
			href, ok := attributes["href"]
			if tag != "a" || !ok || hasWord(attributes["rel"], "nofollow") {
				continue
			}
			if u := resolve(base, href); u != nil && !yield(u) {
				return
			}
		}
	}
}

// head returns the address that links are relative to, and whether the page asks not to follow any.
func head(page *url.URL, content []byte) (base *url.URL, nofollow bool) {
	for tag, attributes := range tags(content, "base", "meta") {
		if href, ok := attributes["href"]; ok && tag == "base" && base == nil {
			base = resolve(page, href)
		}
		name := strings.TrimSpace(attributes["name"])
		if tag == "meta" && (strings.EqualFold(name, "robots") || strings.EqualFold(name, defaultUserAgent)) {
			content := attributes["content"]
			nofollow = nofollow || hasWord(content, "nofollow") || hasWord(content, "none")
		}
	}
	if base == nil {
		base = page
	}
	return base, nofollow
}

// tags yields the start tags of some names with their attributes.
func tags(content []byte, names ...string) iter.Seq2[string, map[string]string] {
	return func(yield func(string, map[string]string) bool) {
		z := html.NewTokenizer(bytes.NewReader(content))
		for {
			switch z.Next() {
			case html.ErrorToken: // the end
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				raw, more := z.TagName()
				name := string(raw)
				if !slices.Contains(names, name) {
					continue
				}
				if !yield(name, attributesOf(z, more)) {
					return
				}
			}
		}
	}
}

// attributesOf returns the attributes of a tag; of those with the same name, the first.
func attributesOf(z *html.Tokenizer, more bool) map[string]string {
	attributes := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, ok := attributes[string(key)]; !ok {
			attributes[string(key)] = string(value)
		}
	}
	return attributes
}

// lineBreaks are removed from addresses in HTML.
var lineBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// resolve returns the address that a link has, or nil if it is not one of a page.
func resolve(base *url.URL, href string) *url.URL {
	if len(href) > maxAddress {
		return nil
	}
	to, err := url.Parse(lineBreaks.Replace(strings.Trim(href, " \t\n\f\r")))
	if err != nil {
		return nil
	}
	u, err := normalise(base.ResolveReference(to))
	if err != nil {
		return nil
	}
	return u
}

// hasWord reports whether a list, separated by spaces or commas, has a word.
func hasWord(list, word string) bool {
	for w := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r,", r) }) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}
