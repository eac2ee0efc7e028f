package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/tokens"
	"github.com/neorag/neorag/prompts"
)

// A Model is the chat models that answer questions.
type Model struct {
	Map, Answer llm.Chat
	Prompts     prompts.Set
}

// An Embedder turns texts into the vectors that the corpus has.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// The tasks by which calls are counted.
const (
	TaskMap     = "map"
	TaskAnswer  = "answer"
	TaskRewrite = "rewrite"
)

// modelConcurrency is how many calls run at once with a model.
const modelConcurrency = 16

// modelled answers by a model.
type modelled struct {
	*Model

	concurrency int
	reader      Reader
}

// A point is what a map call found. Its text carries [n] in the sequence of one answer.
type point struct {
	text  string
	score float64
}

// window is a part of the blocks as a model sees it.
type window struct {
	text    string
	kind    string // the word for its records in references
	offered map[report.Local]string
}

// show numbers the blocks of a window.
func show(blocks []block) window {
	w := window{kind: recordsWord(blocks), offered: map[report.Local]string{}}
	var b strings.Builder
	numbers := map[graph.Kind]int{}
	for _, block := range blocks {
		numbers[block.kind]++
		n := numbers[block.kind]
		w.offered[report.Local{Kind: block.kind, N: n}] = block.key
		fmt.Fprintf(&b, "%s %d: %s\n%s\n\n", recordWord(block.kind), n, report.Plain(block.title), strings.TrimSpace(report.Plain(block.text)))
	}
	w.text = strings.TrimSpace(b.String())
	return w
}

// recordWord heads a record of a kind in a prompt.
func recordWord(kind graph.Kind) string {
	if kind == graph.KindChunk {
		return "Source"
	}
	return string(kind)
}

func recordsWord(blocks []block) string {
	if len(blocks) > 0 && blocks[0].kind == graph.KindChunk {
		return "Sources"
	}
	return "Reports"
}

// mapReduce asks for points window by window, and for an answer from the best.
// What could not be read is named in the notes; when that is all there is no answer.
func (m modelled) mapReduce(ctx context.Context, q Question, blocks []block) (draft, error) {
	d := draft{items: len(blocks), written: true}
	for _, b := range blocks {
		d.tokens += b.tokens
	}
	kind := recordsWord(blocks)
	parts, err := m.readParts(ctx, q, partsOf(blocks, q.MapTokens))
	if err != nil {
		return draft{}, fmt.Errorf("map: %w", err)
	}
	lost, note, err := missing(parts, kind)
	if err != nil {
		return draft{}, err
	}
	if d.lost = lost; lost > 0 {
		d.notes = append(d.notes, note)
	}
	var numbers report.Numbers
	var points []point
	for _, p := range parts {
		if p.err == nil {
			found, removed := readPoints(p.answer, p.shown.offered, &numbers)
			points, d.dangling = append(points, found...), d.dangling+removed
		}
	}
	if len(points) == 0 {
		d.written = false
		return d, nil
	}
	return m.reduce(ctx, q, d, points, &numbers, blocks)
}

// ask gets the points of one window, as JSON.
func (m modelled) ask(ctx context.Context, q Question, w window) (string, error) {
	values := prompts.Values{"kind": w.kind, "question": q.Text, "context": w.text}
	return m.askJSON(ctx, TaskMap, prompts.Map, values, func(text string) error { _, err := pointsOf(text); return err })
}

// askJSON asks the model of the map for the JSON of a prompt, which valid accepts.
func (m modelled) askJSON(ctx context.Context, task, prompt string, values prompts.Values, valid func(string) error) (string, error) {
	p, err := m.Prompts.Get(prompt)
	if err != nil {
		return "", err
	}
	system, user := p.Render(values)
	res, err := m.Map.Chat(ctx, llm.Request{
		Task: task, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema: &llm.Schema{Name: prompt, JSON: p.Schema}, Valid: valid,
	})
	return res.Text, err
}

// pointsOf reads the list of points; unknown fields do no harm, and scores may
// stand in quotes.
func pointsOf(text string) ([]point, error) {
	var raw struct {
		Points []struct {
			Description string          `json:"description"`
			Score       json.RawMessage `json:"score"`
		} `json:"points"`
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("the points are not of the form asked for: %w", err)
	}
	points := make([]point, 0, len(raw.Points))
	for _, p := range raw.Points {
		score, err := scoreOf(p.Score)
		if err != nil {
			return nil, err
		}
		points = append(points, point{strings.TrimSpace(p.Description), score})
	}
	return points, nil
}

// scoreOf reads a score from 0 to 100, which may stand in quotes or be a percentage.
func scoreOf(raw json.RawMessage) (float64, error) {
	score, err := strconv.ParseFloat(strings.Trim(string(raw), `" %`), 64)
	if err != nil || math.IsNaN(score) {
		return 0, fmt.Errorf("the score %s is no number", raw)
	}
	return min(max(score, 0), 100), nil
}

// readPoints takes the points that help, with their references checked.
func readPoints(text string, offered map[report.Local]string, numbers *report.Numbers) (points []point, removed int) {
	found, err := pointsOf(text)
	if err != nil {
		return nil, 0 // such an answer is not valid, and did not get here
	}
	for _, p := range found {
		if p.score <= 0 || p.text == "" {
			continue
		}
		checked, bad := report.CheckReferences(p.text, offered, numbers)
		removed += bad
		if checked != "" {
			points = append(points, point{checked, p.score})
		}
	}
	return points, removed
}

// reduce writes the answer from the best points that fit into the window, each once.
func (m modelled) reduce(ctx context.Context, q Question, d draft, points []point, numbers *report.Numbers, blocks []block) (draft, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return draft{}, err
	}
	points = joinPoints(points)
	refs := numbers.List()
	lines := make([]string, len(points))
	items := make([]rank.Item, len(points))
	for i, p := range points {
		lines[i] = fmt.Sprintf("Score %.0f: %s", p.score, asData(p.text, refs))
		items[i] = rank.Item{Tokens: counter.Count(lines[i])}
	}
	var kept []string
	for _, i := range rank.Pack(items, q.ReduceTokens).Kept {
		kept = append(kept, lines[i])
	}
	values := prompts.Values{"kind": recordsWord(blocks), "question": q.Text, "points": strings.Join(kept, "\n\n")}
	return m.write(ctx, q, d, prompts.Reduce, values, offeredOf(refs), blocks)
}

// answer writes the answer from blocks that fit into one window.
func (m modelled) answer(ctx context.Context, q Question, blocks []block) (draft, error) {
	d := draft{items: len(blocks), written: true}
	for _, b := range blocks {
		d.tokens += b.tokens
	}
	w := show(blocks)
	if slices.ContainsFunc(blocks, func(b block) bool { return b.kind != blocks[0].kind }) {
		return m.write(ctx, q, d, prompts.Local, prompts.Values{"question": q.Text, "context": w.text}, w.offered, blocks)
	}
	return m.write(ctx, q, d, prompts.Answer, prompts.Values{"kind": w.kind, "question": q.Text, "context": w.text}, w.offered, blocks)
}

// openReference is a reference that an answer ends in before it closes.
var openReference = regexp.MustCompile(`[ \t]*\[(?:D|Da|Dat|Data[^\]]*)?$`)

// write asks for the final text and reads its references.
// One that the model cut off is given with a note; it is never cached.
func (m modelled) write(ctx context.Context, q Question, d draft, prompt string, values prompts.Values, offered map[report.Local]string, blocks []block) (draft, error) {
	p, err := m.Prompts.Get(prompt)
	if err != nil {
		return draft{}, err
	}
	stage := "answering"
	if prompt == prompts.Reduce {
		stage = "reducing"
	}
	q.tell(stage, 0, 0)
	system, user := p.Render(values)
	req := llm.Request{Task: TaskAnswer, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}}
	s := &stream{offered: offered, deliver: q.Stream}
	if q.Stream != nil {
		req.Stream = s.write
		defer s.close()
	}
	res, err := m.Answer.Chat(ctx, req)
	if cut, ok := errors.AsType[*llm.AnswerError](err); ok && errors.Is(err, llm.ErrTruncated) {
		// What is there is paid for, and shown already where it is streamed.
		s.held = openReference.ReplaceAllString(s.held, "")
		if res.Text = openReference.ReplaceAllString(cut.Text, ""); strings.TrimSpace(res.Text) != "" {
			err = nil
			d.notes = append(d.notes, "The model cut this answer off at its limit of tokens, so that its end is missing: ask for less at once, or allow the model longer answers.")
		}
	}
	if err != nil {
		return draft{}, fmt.Errorf("%s: %w", prompt, err)
	}
	var numbers report.Numbers
	text, removed := report.CheckReferences(harmless(res.Text), offered, &numbers)
	text = harmless(text) // what stood around a reference may have become a link
	d.text, d.dangling = text, d.dangling+removed
	refs, byKey := numbers.List(), blocksByKey(blocks)
	if err := m.reader.quotable(ctx, refs, byKey); err != nil {
		return draft{}, err
	}
	d.statements = supports(text, refs, byKey)
	return d, nil
}
