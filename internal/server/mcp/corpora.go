package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text"
)

type corporaInput struct {
	Corpus string `json:"corpus,omitempty"`
}

type corporaOutput struct {
	Corpora []corpus         `json:"corpora"`
	Methods []service.Method `json:"methods"`
}

type corpus struct {
	Corpus        string   `json:"corpus"`
	Created       string   `json:"created"`
	Updated       string   `json:"updated,omitempty"`
	Mode          string   `json:"mode"`
	Documents     int      `json:"documents,omitempty"`
	Chunks        int      `json:"chunks,omitempty"`
	Entities      int      `json:"entities,omitempty"`
	Relationships int      `json:"relationships,omitempty"`
	Reports       []report `json:"reports"`
}

type report struct {
	Report string `json:"report"`
	Title  string `json:"title"`
}

// maxTitles is how many titles of reports an overview has.
const maxTitles = 50

// addCorpora adds the tool that gives an overview.
func (s *Server) addCorpora() {
	addTool(s, sdk.Tool{
		Name:        "corpora",
		Description: "List corpora and methods of search; of one corpus: size, age, and titles of its top reports.",
	}, func(func(string) *jsonschema.Schema) {}, s.corpora)
}

func (s *Server) corpora(ctx context.Context, in corporaInput) (corporaOutput, string, error) {
	out := corporaOutput{Corpora: []corpus{}, Methods: s.Service.Methods()}
	if in.Corpus == "" {
		list, err := s.Service.Corpora(ctx)
		if err != nil {
			return out, "", err
		}
		for _, c := range list {
			out.Corpora = append(out.Corpora, corpus{Corpus: c.Corpus, Created: date(c.Created), Mode: c.Mode, Reports: []report{}})
		}
		if len(list) == 1 {
			in.Corpus, out.Corpora = list[0].Corpus, nil
		}
	}
	if in.Corpus != "" {
		c, err := s.overview(ctx, in.Corpus)
		if err != nil {
			return out, "", err
		}
		out.Corpora = []corpus{c}
	}
	return out, out.readable(), nil
}

// overview describes a corpus.
func (s *Server) overview(ctx context.Context, name string) (corpus, error) {
	o, err := s.Service.Overview(ctx, name, maxTitles)
	if err != nil {
		return corpus{}, err
	}
	out := corpus{
		Corpus: name, Created: date(o.Created), Mode: o.Mode, Reports: []report{},
		Documents: o.Counts.Documents, Chunks: o.Counts.Chunks, Entities: o.Counts.Entities, Relationships: o.Counts.Relationships,
	}
	if o.Updated != nil {
		out.Updated = date(*o.Updated)
	}
	for _, e := range o.Reports {
		out.Reports = append(out.Reports, report{e.Label, text.OneLine(e.Title)})
	}
	return out, nil
}

func date(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// indexedBy returns in words how a corpus was indexed.
func indexedBy(mode string) string {
	if mode == "offline" {
		return "without a model"
	}
	return "with " + text.OneLine(mode)
}

// readable returns the list for a model.
func (o corporaOutput) readable() string {
	var b strings.Builder
	if len(o.Corpora) == 0 {
		b.WriteString("No corpus is indexed yet.\n")
	}
	for _, c := range o.Corpora {
		fmt.Fprintf(&b, "Corpus %s, made %s %s", c.Corpus, c.Created, indexedBy(c.Mode))
		if c.Updated != "" {
			fmt.Fprintf(&b, ", updated %s", c.Updated)
		}
		if c.Documents > 0 {
			fmt.Fprintf(&b, ": %d documents, %d chunks, %d entities, %d relationships", c.Documents, c.Chunks, c.Entities, c.Relationships)
		}
		b.WriteString("\n")
		if len(c.Reports) > 0 {
			lines := make([]string, len(c.Reports))
			for i, r := range c.Reports {
				lines[i] = r.Report + ": " + r.Title
			}
			fmt.Fprintf(&b, "Reports on its largest groups of entities:\n%s\n", fenced(strings.Join(lines, "\n")))
		}
	}
	b.WriteString("Methods:\n")
	for _, m := range o.Methods {
		fmt.Fprintf(&b, "- %s: %s\n", m.Method, m.About)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
