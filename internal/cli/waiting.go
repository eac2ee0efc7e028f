package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/llm"
)

// waitingText says what calls to models wait for, "" if there are no calls: what the calls to
// each server wait for, then the calls in flight.
func waitingText(s llm.ActivityState, now time.Time) string {
	var parts []string
	for _, w := range s.Waits {
		parts = append(parts, waitText(w, now))
	}
	switch {
	case s.InFlight == 1:
		parts = append(parts, "1 call in flight")
	case s.InFlight > 1:
		parts = append(parts, fmt.Sprintf("%d calls in flight", s.InFlight))
	}
	return strings.Join(parts, ", ")
}

// waitText says what the calls to one server wait for.
func waitText(w llm.Wait, now time.Time) string {
	next := "soon"
	if left := w.Until.Sub(now).Round(time.Second); left > 0 {
		next = fmt.Sprintf("in %.0f s", left.Seconds())
	}
	switch {
	case w.Reason == llm.WaitBudget:
		return "the cost of calls in flight, because the budget may not allow more"
	case w.Reason == llm.WaitRate:
		return fmt.Sprintf("the limit of %.0f %s a minute of the model server %s (next call %s)", w.PerMinute, w.Unit, w.Server, next)
	case w.Status == 0:
		return fmt.Sprintf("the model server %s (no answer, next try %s)", w.Server, next)
	default:
		return fmt.Sprintf("the model server %s (%d, next try %s)", w.Server, w.Status, next)
	}
}
