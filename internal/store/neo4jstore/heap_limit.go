package neo4jstore

import (
	"context"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

// heapInterval is how often limitHeap looks: reading the metric takes about a microsecond.
const heapInterval = 10 * time.Millisecond

// limitHeap returns a context that ends with usercypher.ErrSize once the memory in use by this
// process has grown by more than that many bytes; 0 means no limit. The driver reads a record
// as a whole before it passes it on, however large it is, but notices between two chunks of
// 64 KB that its context has ended. The returned function ends the watch.
func limitHeap(ctx context.Context, most int64) (context.Context, func()) {
	if most <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	limit := liveHeap() + uint64(most)
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(heapInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if liveHeap() > limit {
					cancel(usercypher.ErrSize)
				}
			}
		}
	})
	return ctx, func() {
		cancel(nil)
		watch.Wait()
	}
}

// liveHeap returns the bytes that the last garbage collection found in use.
func liveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
