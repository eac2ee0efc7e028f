package main

import (
	"slices"
	"time"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// A phaseFigure is a part of a run, which ends with the last answer of its task. The phases of a run
// are as long as the run, and the seconds that they lose make up what it takes longer than its
// calls.
type phaseFigure struct {
	Name string  `json:"name"`
	From float64 `json:"from"` // seconds from the start of the process
	To   float64 `json:"to"`
	Lost float64 `json:"lost"` // seconds for which all places together were empty
}

// phasesOf splits a run of some seconds, whose server accepted requests on some places. It ends
// the start at the first chunk, because until then there is at most one call.
func phasesOf(requests []llmtest.Request, start time.Time, latency, wall float64, places int) []phaseFigure {
	var calls []float64 // when they began
	first, last := wall, map[string]float64{}
	for _, r := range requests {
		if r.Refused {
			continue
		}
		at, task := r.At.Sub(start).Seconds(), fakemodel.Task(r)
		calls = append(calls, at)
		last[task] = max(last[task], at+latency)
		if task == prompts.Extract {
			first = min(first, at)
		}
	}
	var phases []phaseFigure
	from := 0.
	add := func(name string, to float64) {
		if to > from {
			phases = append(phases, phaseFigure{name, from, to, emptyPlaces(calls, latency, from, to, places)})
			from = to
		}
	}
	add("start", first)
	add("chunks", slices.Max([]float64{last[prompts.Extract], last[prompts.GleanList], last[prompts.Claims]}))
	add("descriptions", last[prompts.Summarise])
	add("reports", last[prompts.Report])
	add("vectors", last[fakemodel.Embed])
	add("end", wall)
	return phases
}

// emptyPlaces returns the seconds between two times that calls do not fill, divided by the places.
func emptyPlaces(calls []float64, latency, from, to float64, places int) float64 {
	filled := 0.
	for _, at := range calls {
		filled += max(0, min(at+latency, to)-max(at, from))
	}
	return to - from - filled/float64(places)
}
