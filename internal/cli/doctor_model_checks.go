package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/tokens"
)

// A modelCheck is one check of a model. try returns what it found, or an error that says what is wrong.
type modelCheck struct {
	name, task string
	try        func(context.Context, *modelTrial) (string, error)
}

// modelChecks are made in their order.
var modelChecks = []modelCheck{
	{"extract", extract.TaskExtract, tryExtraction},
	{"report", report.TaskReport, tryReport},
	{"answer", synth.TaskAnswer, tryAnswer},
	{"language", synth.TaskAnswer, tryLanguage},
	{"embed", llm.TaskEmbed, tryEmbedding},
}

// The text of the checks, which no model can have read, and what it states.
var (
	trialSentences = []string{
		"Marie Keller founded the Harbour Museum in Lisbon in 1987.",
		"Her brother Tomas Keller designed the building of the Harbour Museum.",
		"The Harbour Museum shows ships that were built in Porto.",
	}
	trialEntities = []graph.Entity{
		{Name: "Marie Keller", Type: "person", Description: "Marie Keller founded the Harbour Museum."},
		{Name: "Harbour Museum", Type: "organization", Description: "The Harbour Museum in Lisbon shows ships."},
		{Name: "Lisbon", Type: "location", Description: "The Harbour Museum is in Lisbon."},
		{Name: "Tomas Keller", Type: "person", Description: "Tomas Keller designed the building of the Harbour Museum."},
		{Name: "Porto", Type: "location", Description: "Ships of the Harbour Museum were built in Porto."},
	}
	trialRelationships = []graph.Relationship{
		{SourceName: "Marie Keller", TargetName: "Harbour Museum", Description: trialSentences[0]},
		{SourceName: "Harbour Museum", TargetName: "Lisbon", Description: "The Harbour Museum is in Lisbon."},
		{SourceName: "Marie Keller", TargetName: "Tomas Keller", Description: "Tomas Keller is the brother of Marie Keller."},
		{SourceName: "Tomas Keller", TargetName: "Harbour Museum", Description: trialSentences[1]},
		{SourceName: "Harbour Museum", TargetName: "Porto", Description: trialSentences[2]},
	}
)

const (
	trialQuestion       = "Who founded the Harbour Museum?"
	trialName           = "Marie Keller" // its answer
	trialGermanQuestion = "Wer hat das Harbour Museum gegründet, wer hat das Gebäude entworfen, und woher kommen die Schiffe?"
)

func trialText() string { return strings.Join(trialSentences, " ") }

// tryExtraction extracts in one call. A model may miss one entity.
func tryExtraction(ctx context.Context, t *modelTrial) (string, error) {
	chat, err := t.models.chat(extract.TaskExtract)
	if err != nil {
		return "", err
	}
	m := &extract.Model{Chat: chat, Prompts: t.models.prompts, Gleanings: -1, Format: t.format}
	x, err := m.Chunk(ctx, graph.Chunk{Key: "trial", Text: trialText()})
	if err != nil {
		return "", err
	}
	var missing []string
	for _, e := range trialEntities {
		if !slices.ContainsFunc(x.Entities, func(found graph.EntityRecord) bool { return isName(found.Name, e.Name) }) {
			missing = append(missing, e.Name)
		}
	}
	related := 0
	for _, r := range trialRelationships {
		if slices.ContainsFunc(x.Relationships, func(found graph.RelationshipRecord) bool {
			return isName(found.Source, r.SourceName) && isName(found.Target, r.TargetName) || isName(found.Source, r.TargetName) && isName(found.Target, r.SourceName)
		}) {
			related++
		}
	}
	detail := fmt.Sprintf("found %d of %d entities and %d of %d relationships", len(trialEntities)-len(missing), len(trialEntities), related, len(trialRelationships))
	if len(missing) > 1 || related == 0 {
		if len(missing) > 0 {
			detail += ", without " + strings.Join(missing, ", ")
		}
		return "", errors.New(detail)
	}
	return detail, nil
}

// isName reports whether a model wrote a name, in any case and with or without an article.
func isName(written, name string) bool {
	return strings.EqualFold(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(written)), "the "), name)
}

// tryReport writes the report of a community of the entities.
func tryReport(ctx context.Context, t *modelTrial) (string, error) {
	chat, err := t.models.chat(report.TaskReport)
	if err != nil {
		return "", err
	}
	counter, err := tokens.Get("")
	if err != nil {
		return "", err
	}
	in := trialCommunity()
	m := &report.Model{Counter: counter, Chat: chat, Prompts: t.models.prompts}
	r, err := m.Report(ctx, in, report.Pack(in, report.Options{Room: m.Room(ctx)}, counter))
	if err != nil {
		return "", err
	}
	if len(r.References) == 0 {
		return "", errors.New("the report cites no record" + dropped(r.DroppedReferences))
	}
	return fmt.Sprintf("a report of %d tokens that cites %d of the records", r.NTokens, len(r.References)) + dropped(r.DroppedReferences), nil
}

// dropped says how many citations of records that do not exist were removed; "" for none.
func dropped(references int) string {
	if references == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d that do not exist", references)
}

// trialCommunity returns a community of the entities of the text.
func trialCommunity() report.Input {
	in := report.Input{Community: graph.Community{Key: "trial", Final: true}}
	degree := map[string]int{}
	for _, r := range trialRelationships {
		degree[r.SourceName]++
		degree[r.TargetName]++
		r.Key, r.Source, r.Target, r.Weight = r.SourceName+" "+r.TargetName, r.SourceName, r.TargetName, 1
		in.Relationships = append(in.Relationships, r)
	}
	for _, e := range trialEntities {
		e.Key, e.Degree, e.Frequency = e.Name, degree[e.Name], 1
		in.Entities = append(in.Entities, e)
		in.Community.Members = append(in.Community.Members, e.Key)
	}
	return in
}

// tryAnswer asks a question in the language of the text.
func tryAnswer(ctx context.Context, t *modelTrial) (string, error) {
	d, err := askTrial(ctx, t, trialQuestion)
	if err != nil {
		return "", err
	}
	if !strings.Contains(strings.ToLower(d.Text), strings.ToLower(trialName)) {
		return "", fmt.Errorf("the answer does not contain the name %s, which the text gives", trialName)
	}
	if err := checkLanguage(d, language.English); err != nil {
		return "", err
	}
	return "the answer is right and cites the source" + dropped(d.Dangling), nil
}

// tryLanguage asks a question in another language than the text's.
func tryLanguage(ctx context.Context, t *modelTrial) (string, error) {
	d, err := askTrial(ctx, t, trialGermanQuestion)
	if err == nil {
		err = checkLanguage(d, language.German)
	}
	if err != nil {
		return "", err
	}
	return "answers a German question about an English text in German", nil
}

// askTrial answers a question about the text, with citations.
func askTrial(ctx context.Context, t *modelTrial, question string) (synth.Draft, error) {
	chat, err := t.models.chat(synth.TaskAnswer)
	if err != nil {
		return synth.Draft{}, err
	}
	g := synth.Generative{Model: &synth.Model{Map: chat, Answer: chat, Prompts: t.models.prompts}, Concurrency: 1}
	block := synth.ChunkBlock(retrieve.Chunk{ChunkRow: neo4jstore.ChunkRow{Chunk: graph.Chunk{Key: "trial", Text: trialText()}, DocumentTitle: "Museums"}, Score: 1})
	d, err := g.Answer(ctx, synth.Request{Question: question}, []synth.Block{block})
	if err == nil {
		err = t.lastError() // of an answer that was cut off, and is used as far as it goes
	}
	if err == nil && len(d.Records) == 0 {
		err = errors.New("the answer cites no source" + dropped(d.Dangling))
	}
	return d, err
}

// checkLanguage returns an error if an answer is in another language than the question. A short text
// may be in any.
func checkLanguage(d synth.Draft, want language.Language) error {
	if got := language.Of(cite.StripNumbers(d.Text)); got != want && got != language.Unknown {
		return &languageError{want: want, got: got}
	}
	return nil
}

// A languageError is an answer in another language than its question.
type languageError struct{ want, got language.Language }

func (e *languageError) Error() string {
	return fmt.Sprintf("the question is in %s and the answer in %s", cmp.Or(e.want.Name(), string(e.want)), cmp.Or(e.got.Name(), string(e.got)))
}

// tryEmbedding embeds the sentences in one call.
func tryEmbedding(ctx context.Context, t *modelTrial) (string, error) {
	embedder, err := t.models.embedder(t.models.embedding)
	if err != nil {
		return "", err
	}
	vectors, err := embedder.Embed(ctx, trialSentences)
	if err == nil {
		err = embedder.CheckDimension()
	}
	if err != nil {
		return "", err
	}
	for i, v := range vectors {
		if slices.Equal(v, vectors[(i+1)%len(vectors)]) {
			return "", errors.New("different sentences have equal vectors")
		}
	}
	return fmt.Sprintf("vectors of %d dimensions", embedder.Dimension()), nil
}
