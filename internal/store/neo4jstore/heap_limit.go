package neo4jstore

import (
	"context"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

const (
	// heapInterval is how often limitHeap looks: reading the metric takes about a microsecond.
	heapInterval = 5 * time.Millisecond
	// decodeTime is how long the driver may take to notice that its context has ended.
	decodeTime = 20 * time.Millisecond
)

// limitHeap returns a context that ends with usercypher.ErrSize once the memory in use by this
// process has grown by more than the limit of a query, if it has one. Meanwhile garbage is
// collected as soon as both together reach the limit. The driver reads a record as a whole
// before it passes it on, however large it is. It notices between two chunks of 64 KB that its
// context has ended, but not while it decodes the record, which may take a multiple of the bytes
// that were read: q.TooLarge is called then. The returned function ends the watch.
func limitHeap(ctx context.Context, q usercypher.Query) (context.Context, func()) {
	if q.MaxBytes <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	limit := readMetric("/gc/heap/live:bytes") + q.MaxBytes
	memory := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(memory, readMetric("/memory/classes/total:bytes")-readMetric("/memory/classes/heap/released:bytes")+q.MaxBytes))
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(heapInterval)
		defer tick.Stop()
		for readMetric("/gc/heap/live:bytes") <= limit {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
		}
		err := fmt.Errorf("%w: more than %d MB", usercypher.ErrSize, q.MaxBytes>>20)
		cancel(err)
		select {
		case <-ended:
		case <-time.After(decodeTime):
			if q.TooLarge != nil {
				q.TooLarge(err)
			}
		}
	})
	return ctx, func() {
		close(ended)
		watch.Wait()
		cancel(nil)
		debug.SetMemoryLimit(memory)
	}
}

// readMetric returns a metric of the runtime: live bytes are those that the last garbage
// collection found in use.
func readMetric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
