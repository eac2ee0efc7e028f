package service

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
)

// Links are paths on the server: they lead to the page of a document, with the words of a range marked, or
// of a report.

// MarkID is the id of the marked words on the page of a document. The fragment of a link names it, so that
// a browser scrolls there.
const MarkID = "words"

// DocumentHref returns the path of a document's page, at a range of its text unless the range is empty. By
// the quote, unless it is empty, the page finds that the text has changed since.
func DocumentHref(corpus, key string, start, end int, quote string) string {
	path := "/documents/" + url.PathEscape(corpus) + "/" + escapePath(graph.Local(key))
	if end <= start {
		return path
	}
	path += "?start=" + strconv.Itoa(start) + "&end=" + strconv.Itoa(end)
	if quote != "" {
		path += "&h=" + HashQuote(quote)
	}
	return path + "#" + MarkID
}

// HashQuote returns a short hash of a quote, whatever its white space.
func HashQuote(quote string) string { return graph.Hash(text.OneLine(quote))[:8] }

// ReportHref returns the path of a report's page, by the key of the report.
func ReportHref(key string) string {
	return "/reports/" + url.PathEscape(graph.CorpusOf(key)) + "/" + escapePath(graph.Local(key))
}

// ReportsHref returns the path of the page with the reports of a corpus.
func ReportsHref(corpus string) string { return "/reports/" + url.PathEscape(corpus) }

// IndexHref returns the path of the page where documents are added to a corpus.
func IndexHref(corpus string) string { return "/index/" + url.PathEscape(corpus) }

// MapHref returns the path of the map of a corpus.
func MapHref(corpus string) string { return "/map/" + url.PathEscape(corpus) }

// referenceHref returns the path of the page that shows what a reference rests on; empty if there is none.
func referenceHref(r cite.Reference) string {
	switch {
	case r.Document != "" && r.Corpus != "":
		return DocumentHref(r.Corpus, graph.DocumentKey(r.Corpus, r.Document), r.Start, r.End, r.Quote)
	case r.Kind == graph.KindReport:
		return ReportHref(r.Key)
	}
	return ""
}

func blockHref(b query.ContextBlock) string {
	corpus := graph.CorpusOf(b.Key)
	switch {
	case b.Document != "":
		return DocumentHref(corpus, graph.DocumentKey(corpus, b.Document), b.Start, b.End, "")
	case b.Kind == graph.KindReport:
		return ReportHref(b.Key)
	}
	return ""
}

// escapePath escapes each part of a path. If one is empty or made of dots, as in the URI of a web page,
// browsers and servers would shorten the path, so that the slashes are escaped too.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if part == "" || part == "." || part == ".." {
			return url.PathEscape(p)
		}
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
