// Package hyde answers from the chunks nearest to passages that a model writes (HyDE, section 3.2).
package hyde

import (
	"context"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "hyde",
	Summary: "the chunks nearest to passages that a model writes as if they answered the question (HyDE); needs a chat model",
	Profile: query.Profile{
		Reads:      "the chunks nearest to the question and to passages that a model writes as if they answered it",
		Use:        "questions worded differently from the text",
		Uses:       []query.Artifact{query.Vectors},
		NeedsModel: true,
		Paper:      query.Paper{Name: "HyDE", Section: "3.2", URL: "https://arxiv.org/abs/2212.10496"},
		Calls:      "2",
		Cost:       query.CostOf(2, 2, 7549, 8148, 85, 257),
	},
	Traces:  []query.Trace{Passages{}},
	Prompts: []string{prompts.HyDE},
	Settings: []query.Setting{
		query.OwnSetting("hyde", "passages", func(s *Settings, n int) { s.Passages = n }),
	},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
}, rankChunks)

// Settings are the settings of hyde. The zero value has the defaults.
type Settings struct {
	Passages int // that the model writes, at most 8; 0 means 1
}

// WritePassages has the model write a number of passages that could answer the question. If it fails,
// passages is empty, and a note says so.
func WritePassages(ctx context.Context, r query.Request, number int) (passages, notes []string, err error) {
	r.Step("passages", 0, 0)
	main, err := mainLanguage(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	passages, err = expand.Passages(ctx, r.Asker(expand.TaskPassages), r.Text, main, min(max(number, 1), expand.MaxPassages))
	return query.Fallback(ctx, passages, err, nil, "The model wrote no passage, so the search used the question alone")
}

// mainLanguage returns the English name of the language that most of the documents are in, "" if they have
// none in common: a passage in another language is less similar to theirs.
func mainLanguage(ctx context.Context, r query.Request) (string, error) {
	main := ""
	for i, c := range r.Reader.Corpora {
		code, err := r.Reader.Store.MainLanguage(ctx, c.Name)
		if err != nil || code == "" || i > 0 && code != main {
			return "", err
		}
		main = code
	}
	return language.NameOf(main), nil
}

// rankChunks ranks chunks by the mean of the vectors of the question and of the passages that the model
// writes. The model that answers does not see the passages.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	passages, notes, err := WritePassages(ctx, r, query.SettingsOf[Settings](r.Question, "hyde").Passages)
	if err != nil {
		return retrieve.Ranking{}, nil, err
	}
	r.Step("retrieving", 0, 0)
	found, err := r.Reader.SearchByMean(ctx, append([]string{r.Text}, passages...), r.VectorHits())
	found.Notes = notes
	if len(passages) == 0 {
		return found, nil, err
	}
	return found, func([]retrieve.Chunk) query.Trace { return Passages(passages) }, err
}

// Passages are what the model wrote to search for. They are not evidence.
type Passages []string

// TraceName is part of query.Trace.
func (Passages) TraceName() string { return "passages" }

// Print prints the passages.
func (p Passages) Print(w io.Writer) {
	fmt.Fprint(w, "\nThe search was for the question and for what the model wrote, which is not evidence:\n")
	for _, passage := range p {
		fmt.Fprintf(w, "    %s\n", passage)
	}
}
