package cli

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// How long a command may take to end after a signal. A command that the next run continues ends a
// transaction and gives its lease back. One that handles signals, or starts and stops a server, has
// its own limits.
const (
	stopTime          = 5 * time.Second
	resumableStopTime = time.Minute
	messageTime       = 500 * time.Millisecond // for the message, which may block as well
)

// endByForce ends the process, unless the returned function is called, when a cancelled command
// does not end by itself: a call of the system, such as the opening of a pipe or of a file on a
// server that is gone, ends with nothing else.
func endByForce(ctx context.Context, env *environment) func() {
	if env.Exit == nil {
		return func() {}
	}
	var mu sync.Mutex
	var timers []*time.Timer
	ended := false
	stop := context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		limit := stopTime
		if env.resumable.Load() {
			limit = resumableStopTime
		}
		if ended || env.handlesSignals.Load() {
			return
		}
		timers = append(timers,
			time.AfterFunc(limit, func() {
				fmt.Fprintf(env.messages(), "neorag: interrupted: the command does not answer and is ended after %v\n", limit)
			}),
			time.AfterFunc(limit+messageTime, func() { env.Exit(exitInterrupted) }))
	})
	return func() {
		stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
		for _, t := range timers {
			t.Stop()
		}
	}
}

// end prints an error and ends the process, where that is possible. Nothing that the command
// opened is closed.
func (env *environment) end(err error) {
	if env.Exit != nil {
		env.Exit(env.printError(err))
	}
}
