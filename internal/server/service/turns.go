package service

import "context"

// turns limits how many questions are answered at the same time. As many again may wait.
type turns struct{ admitted, running chan struct{} }

func newTurns(n int) turns {
	return turns{admitted: make(chan struct{}, 2*n), running: make(chan struct{}, n)}
}

// take waits for a turn, which end gives back. It does not wait if too many questions wait
// already: the error has the reason Busy.
func (t turns) take(ctx context.Context) (end func(), err error) {
	select {
	case t.admitted <- struct{}{}:
	default:
		return nil, NewError(Busy, "too many questions are being answered", "ask again in a moment")
	}
	select {
	case t.running <- struct{}{}:
		return func() { <-t.running; <-t.admitted }, nil
	case <-ctx.Done():
		<-t.admitted
		return nil, ctx.Err()
	}
}
