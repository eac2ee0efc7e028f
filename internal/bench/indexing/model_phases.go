package main

import (
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// A phaseFigure is a part of a run, which ends with the last answer of its task. The phases of a run
// are as long as the run, and the seconds that they lose make up what it takes longer than its
// calls.
type phaseFigure struct {
	Name string  `json:"name"`
	From float64 `json:"from"` // seconds from the start of the process
	To   float64 `json:"to"`
	Lost float64 `json:"lost"` // seconds for which all slots together were idle
}

// phases splits a run by its tasks, with calls that began at some times on some slots. The start
// ends at the first chunk, because until then there is at most one call.
func (f *modelFigure) phases(tasks map[string]taskFigure, calls []float64, slots int) []phaseFigure {
	var phases []phaseFigure
	from := 0.
	add := func(name string, to float64) {
		if to > from {
			phases = append(phases, phaseFigure{name, from, to, idleTime(calls, f.Latency, from, to, slots)})
			from = to
		}
	}
	add("start", tasks[prompts.Extract].First)
	add("chunks", max(tasks[prompts.Extract].Last, tasks[prompts.GleanList].Last, tasks[prompts.Claims].Last))
	add("descriptions", tasks[prompts.Summarise].Last)
	add("reports", tasks[prompts.Report].Last)
	add("vectors", tasks[fakemodel.Embed].Last)
	add("end", f.Wall)
	return phases
}

// idleTime returns the seconds between two times that calls do not fill, divided by the slots.
func idleTime(calls []float64, latency, from, to float64, slots int) float64 {
	filled := 0.
	for _, at := range calls {
		filled += max(0, min(at+latency, to)-max(at, from))
	}
	return to - from - filled/float64(slots)
}
