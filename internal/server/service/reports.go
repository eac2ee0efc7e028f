package service

import (
	"cmp"
	"context"
	"errors"
	"html/template"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/view/reportbook"
)

// Reports returns the list of the reports of a corpus, by level: of one level, or of all for -1. It is empty
// if there are no reports yet.
func (s *Service) Reports(ctx context.Context, corpus string, level int) ([]reportbook.Entry, error) {
	book, err := s.book(ctx, corpus)
	if err != nil || book == nil {
		return []reportbook.Entry{}, err
	}
	entries := []reportbook.Entry{}
	for _, e := range book.Entries {
		if level < 0 || e.Level == level {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Report reads a report by its label, key or title. A key may lack its corpus.
func (s *Service) Report(ctx context.Context, corpus, name string) (reportbook.Report, error) {
	r, _, err := s.report(ctx, corpus, name)
	return r, err
}

// report reads a report with the book that it is in.
func (s *Service) report(ctx context.Context, corpus, name string) (reportbook.Report, *reportbook.Book, error) {
	missing := NewError(NotFound, "there is no report "+name+" in the corpus "+corpus, "the list of reports has the labels; a new index run may have replaced a report")
	book, err := s.book(ctx, corpus)
	if err != nil || book == nil {
		return reportbook.Report{}, nil, cmp.Or(err, error(missing))
	}
	entry, err := book.Find(name)
	if errors.Is(err, reportbook.ErrUnknownReport) {
		entry, err = book.Find(corpus + "/" + name)
	}
	if errors.Is(err, reportbook.ErrUnknownReport) {
		return reportbook.Report{}, nil, missing
	}
	if err != nil {
		return reportbook.Report{}, nil, err
	}
	reports, err := book.Read(ctx, []reportbook.Entry{entry})
	if err != nil || len(reports) == 0 {
		return reportbook.Report{}, nil, cmp.Or(err, error(missing))
	}
	return reports[0], book, nil
}

// ReportsHTML returns the tree of the reports of a corpus as a part of a page; empty before the first are written.
func (s *Service) ReportsHTML(ctx context.Context, corpus string) (template.HTML, error) {
	book, err := s.book(ctx, corpus)
	if err != nil || book == nil {
		return "", err
	}
	return book.ContentsHTML(func(_ graph.Kind, key string) string { return ReportHref(key) })
}

// ReportHTML returns a report as a part of a page, and its title. Its links lead to the pages of reports and
// to the texts that the rest of what it cites is from.
func (s *Service) ReportHTML(ctx context.Context, corpus, name string) (title string, page template.HTML, err error) {
	r, book, err := s.report(ctx, corpus, name)
	if err != nil {
		return "", "", err
	}
	hrefs, err := s.citedHrefs(ctx, r)
	if err != nil {
		return "", "", err
	}
	page, err = book.ReportHTML(r, ReportsHref(corpus), func(kind graph.Kind, key string) string {
		switch kind {
		case graph.KindReport:
			return ReportHref(key)
		case graph.KindDocument:
			return DocumentHref(corpus, key, 0, 0, "")
		default:
			return hrefs[graph.Reference{Kind: kind, Key: key}]
		}
	})
	return r.Title, page, err
}

// citedHrefs returns the paths of the texts that the citations of a report rest on.
func (s *Service) citedHrefs(ctx context.Context, r reportbook.Report) (map[graph.Reference]string, error) {
	var keys []string
	for _, c := range r.References {
		keys = append(keys, c.Chunk)
	}
	spans, err := cite.Resolver{Evidence: retrieve.NewReader(s.options.Store, retrieve.Corpus{Name: graph.CorpusOf(r.Key)})}.Spans(ctx, keys)
	if err != nil {
		return nil, err
	}
	hrefs := map[graph.Reference]string{}
	for _, c := range r.References {
		if at, ok := spans[c.Chunk]; ok && c.Document != "" {
			hrefs[graph.Reference{Kind: c.Kind, Key: c.Key}] = DocumentHref(graph.CorpusOf(r.Key), c.Document, at.Start, at.End, "")
		}
	}
	return hrefs, nil
}

// book opens the reports of a corpus; nil if it has none.
func (s *Service) book(ctx context.Context, corpus string) (*reportbook.Book, error) {
	if _, err := s.shown(ctx, corpus); err != nil {
		return nil, err
	}
	book, err := reportbook.Open(ctx, s.options.Store, corpus)
	if errors.Is(err, reportbook.ErrNoReports) {
		return nil, nil //nolint:nilnil // a corpus without reports is not an error
	}
	return book, err
}
