// Package personas has a model write questions about a corpus as a whole: it imagines users of
// the corpus, tasks of each user, and questions for each task (GraphRAG, section 3.2,
// algorithm 1).
package personas

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// Task is the task by which the calls are counted.
const Task = "questions"

// Options are how many questions of which corpus are wanted.
type Options struct {
	Description string             // of the corpus
	Personas    int                // 0 means 5
	Tasks       int                // of each persona; 0 means 5
	Questions   int                // for each task; 0 means 5
	Known       []evalrun.Question // that exist; they count, and are not asked for again
	Concurrency int                // calls at the same time; 0 means 1
	// Add is called with each new question, one at a time and in the same order on every run.
	Add func(evalrun.Question) error
	// Progress, unless nil, is called with the number of questions that there are.
	Progress func(done, total int)
}

func (o Options) withDefaults() Options {
	o.Personas, o.Tasks, o.Questions = cmp.Or(o.Personas, 5), cmp.Or(o.Tasks, 5), cmp.Or(o.Questions, 5)
	o.Concurrency = max(1, o.Concurrency)
	return o
}

// A Result is what was made.
type Result struct {
	Wanted     int `json:"wanted"`     // personas x tasks x questions
	Questions  int `json:"questions"`  // of the wanted ones, that there are now
	Made       int `json:"made"`       // now
	Duplicates int `json:"duplicates"` // left out because another question asks the same
}

// rounds is how often a list is asked for until it is long enough.
const rounds = 3

// A generator holds what there is already.
type generator struct {
	Options

	ask      prompts.Asker
	plan     []persona
	all      []string // texts of all questions
	result   Result
	numbered map[string]bool // ids that are taken
}

// A persona is a user with tasks.
type persona struct {
	name  string
	tasks []task
}

// A task of a persona has questions, and texts that were left out because another question asks
// the same.
type task struct {
	name                string
	questions, rejected []string
}

// Generate makes the questions that are missing. It is an error if the model fails; questions that
// were made before are kept.
func Generate(ctx context.Context, ask prompts.Asker, o Options) (Result, error) {
	g := &generator{Options: o.withDefaults(), ask: ask, numbered: map[string]bool{}}
	g.result.Wanted = g.Personas * g.Tasks * g.Questions
	g.know()
	if err := g.addPersonas(ctx); err != nil {
		return g.result, err
	}
	if err := g.addTasks(ctx); err != nil {
		return g.result, err
	}
	for range rounds {
		if err := g.addQuestions(ctx); err != nil {
			return g.result, err
		}
	}
	return g.result, nil
}

// know takes the personas, tasks and questions that exist.
func (g *generator) know() {
	for _, q := range g.Known {
		g.numbered[q.ID] = true
		g.all = append(g.all, q.Text)
		if q.Persona == "" || q.Task == "" {
			continue
		}
		t := g.taskOf(q.Persona, q.Task)
		t.questions = append(t.questions, q.Text)
	}
	for i := range min(g.Personas, len(g.plan)) {
		for _, t := range g.plan[i].tasks[:min(g.Tasks, len(g.plan[i].tasks))] {
			g.result.Questions += min(g.Questions, len(t.questions))
		}
	}
}

// taskOf returns a task of a persona, which it adds if necessary.
func (g *generator) taskOf(personaName, taskName string) *task {
	var p *persona
	for i := range g.plan {
		if g.plan[i].name == personaName {
			p = &g.plan[i]
		}
	}
	if p == nil {
		g.plan = append(g.plan, persona{name: personaName})
		p = &g.plan[len(g.plan)-1]
	}
	for i := range p.tasks {
		if p.tasks[i].name == taskName {
			return &p.tasks[i]
		}
	}
	p.tasks = append(p.tasks, task{name: taskName})
	return &p.tasks[len(p.tasks)-1]
}

func (g *generator) addPersonas(ctx context.Context) error {
	var names []string
	for _, p := range g.plan {
		names = append(names, p.name)
	}
	more, err := g.fill(ctx, prompts.Personas, prompts.Values{"description": g.Description}, names, g.Personas)
	for _, name := range more {
		g.plan = append(g.plan, persona{name: name})
	}
	return err
}

// addTasks asks for the tasks of several personas at the same time.
func (g *generator) addTasks(ctx context.Context) error {
	of := make([][]string, min(g.Personas, len(g.plan)))
	calls, cctx := errgroup.WithContext(ctx)
	calls.SetLimit(g.Concurrency)
	for i := range of {
		calls.Go(func() (err error) {
			p := g.plan[i]
			var names []string
			for _, t := range p.tasks {
				names = append(names, t.name)
			}
			of[i], err = g.fill(cctx, prompts.PersonaTasks, prompts.Values{"description": g.Description, "persona": p.name}, names, g.Tasks)
			return err
		})
	}
	err := calls.Wait()
	for i, more := range of {
		for _, name := range more {
			g.plan[i].tasks = append(g.plan[i].tasks, task{name: name})
		}
	}
	return err
}

// fill asks for more items of a list until it has as many as wanted, or some rounds have passed.
func (g *generator) fill(ctx context.Context, prompt string, values prompts.Values, have []string, want int) (more []string, err error) {
	known := have
	for range rounds {
		missing := want - len(have) - len(more)
		if missing <= 0 {
			break
		}
		items, err := g.items(ctx, prompt, values, known, missing)
		if err != nil {
			return more, err
		}
		fresh, _ := distinct(items, known)
		fresh = fresh[:min(missing, len(fresh))]
		more, known = append(more, fresh...), append(slices.Clip(known), fresh...)
	}
	return more, nil
}

// addQuestions asks for the questions that tasks lack, for several tasks at the same time, and adds
// them in the order of the tasks.
func (g *generator) addQuestions(ctx context.Context) error {
	type slot struct {
		persona, task int
		items         chan []string
	}
	var slots []slot
	for i := range min(g.Personas, len(g.plan)) {
		for k := range min(g.Tasks, len(g.plan[i].tasks)) {
			if len(g.plan[i].tasks[k].questions) < g.Questions {
				slots = append(slots, slot{i, k, make(chan []string, 1)})
			}
		}
	}
	calls, cctx := errgroup.WithContext(ctx)
	calls.SetLimit(g.Concurrency + 1) // one goroutine only adds
	calls.Go(func() error {
		for _, s := range slots {
			select {
			case <-cctx.Done():
				return cctx.Err()
			case items := <-s.items:
				if err := g.add(s.persona, s.task, items); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, s := range slots {
		p, t := g.plan[s.persona].name, g.plan[s.persona].tasks[s.task]
		calls.Go(func() error {
			values := prompts.Values{"description": g.Description, "persona": p, "task": t.name}
			items, err := g.items(cctx, prompts.PersonaQuestions, values, append(slices.Clip(t.questions), t.rejected...), g.Questions-len(t.questions))
			s.items <- items
			return err
		})
	}
	return calls.Wait()
}

// add adds the questions of a task that no other question equals.
func (g *generator) add(personaIndex, taskIndex int, items []string) error {
	p := &g.plan[personaIndex]
	t := &p.tasks[taskIndex]
	fresh, same := distinct(items, g.all)
	g.result.Duplicates += len(same)
	t.rejected = append(t.rejected, same...)
	for _, q := range fresh[:min(len(fresh), g.Questions-len(t.questions))] {
		t.questions, g.all = append(t.questions, q), append(g.all, q)
		if err := g.Add(evalrun.Question{ID: g.id(personaIndex, taskIndex, len(t.questions)), Text: q, Persona: p.name, Task: t.name}); err != nil {
			return err
		}
		g.result.Made++
		g.result.Questions++
		if g.Progress != nil {
			g.Progress(g.result.Questions, g.result.Wanted)
		}
	}
	return nil
}

// id returns the next free id of a question of a task, such as p1t2q3.
func (g *generator) id(personaIndex, taskIndex, n int) string {
	for ; ; n++ {
		id := fmt.Sprintf("p%dt%dq%d", personaIndex+1, taskIndex+1, n)
		if !g.numbered[id] {
			g.numbered[id] = true
			return id
		}
	}
}

// maxItem is the longest item of a list, in bytes.
const maxItem = 400

// items asks for a list.
func (g *generator) items(ctx context.Context, prompt string, values prompts.Values, known []string, count int) ([]string, error) {
	all := prompts.Values{"count": strconv.Itoa(count), "known": cmp.Or(strings.Join(known, "\n"), "none")}
	maps.Copy(all, values)
	items, err := prompts.Ask(ctx, g.ask, prompt, all, parseItems)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", prompt, err)
	}
	return items, nil
}

// parseItems reads the one list of an answer. Each item becomes one line.
func parseItems(answer string) ([]string, error) {
	var raw map[string][]string
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the answer is not of the form asked for: %w", err)
	}
	var items []string
	for _, list := range raw {
		for _, item := range list {
			if item = text.Truncate(text.OneLine(item), maxItem); item != "" {
				items = append(items, item)
			}
		}
	}
	if len(items) == 0 {
		return nil, errors.New("the list is empty")
	}
	return items, nil
}
