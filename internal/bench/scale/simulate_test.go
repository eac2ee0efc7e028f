package main

import (
	"math"
	"testing"
)

// TestSimulate compares the simulation with what follows from queueing theory.
func TestSimulate(t *testing.T) {
	t.Parallel()
	const calls = 40_000
	near := func(name string, got, want, share float64) {
		t.Helper()
		if math.Abs(got-want) > share*want {
			t.Errorf("%s: %.3f, want about %.3f", name, got, want)
		}
	}
	models := simulate(setup{Servers: 4, Slots: 16, Latency: 2, Write: .001}, calls, 1)
	near("limited by the models", models.PerSecond, 32, .02)
	near("their slots are in use", models.Calling, 1, .02)
	near("the process writes as often as calls end", models.Writing, 32*.001, .03)
	writes := simulate(setup{Servers: 64, Slots: 16, Latency: 2, Write: .01}, calls, 2)
	near("limited by the writes", writes.PerSecond, 100, .02)
	near("the process always writes", writes.Writing, 1, .02)
	near("calls in flight are calls a second times their latency", writes.Calling*64*16, 100*2, .03)
	narrow := simulate(setup{Servers: 4, Slots: 16, Latency: 2, Write: .0001, Window: 32}, calls, 3)
	near("limited by the window", narrow.PerSecond, 16, .02)

	failing := simulate(setup{Servers: 4, Slots: 16, Latency: 2, Write: .001, Life: 300, Restart: 100, AckWait: 60}, 10*calls, 4)
	near("servers that answer three quarters of the time", failing.PerSecond, .75*32, .15)
	near("calls lost with their server", failing.Repeated*10*calls, 16*4*(10*calls/failing.PerSecond)/400, .2)
	if models.Repeated != 0 || simulate(setup{Servers: 2, Slots: 2, Latency: 1, Life: 5, Restart: 1, AckWait: 1}, 1000, 5) != simulate(setup{Servers: 2, Slots: 2, Latency: 1, Life: 5, Restart: 1, AckWait: 1}, 1000, 5) {
		t.Error("calls are lost without a failure, or a seed has two results")
	}
}
