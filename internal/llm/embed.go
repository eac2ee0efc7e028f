package llm

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/sys/panicerr"
)

// A BatchEmbedder embeds any number of texts: equal texts only once, texts in the cache
// without a call, and all others in batches. Every vector has length 1.
type BatchEmbedder struct {
	next      observedEmbedder // observer, retries, budget, limit, provider
	cache     *Cache
	batch     Batch
	memory    *batchMemory
	providers []string // fingerprints of the servers, as in cachedChat
	meter     *Meter
	price     Price
	context   int // of a text; 0 bounds nothing
	dimension atomic.Int64
	asked     atomic.Bool // the dimension was read from a vector of the server, not of the cache
	changed   atomic.Bool // the dimension differs from that which Probe returned
}

// ErrDimension means that the vectors of a model have another length than those in the
// cache. Probe returns the new one; until then nothing is embedded, so that nobody gets
// vectors of both.
var ErrDimension = errors.New("the model returns vectors of another length than before")

// Model returns the name of the model.
func (v *BatchEmbedder) Model() string { return v.next.Model() }

// Dimension returns the number of dimensions of the vectors, 0 before the first vector
// is known.
func (v *BatchEmbedder) Dimension() int {
	if d := v.dimension.Load(); d > 0 {
		return int(d)
	}
	return v.next.Dimension()
}

// probeText is embedded to learn the dimension of a model.
const probeText = "dimension"

// Probe returns the dimension. If it is not known, it embeds a text to learn it; the
// result is in the cache the next time. After ErrDimension it asks the server again.
func (v *BatchEmbedder) Probe(ctx context.Context) (int, error) {
	if d := v.dimension.Load(); d > 0 && !v.changed.Swap(false) {
		return int(d), nil
	}
	if _, _, err := v.Embed(ctx, []string{probeText}); err != nil {
		return 0, fmt.Errorf("find the dimension of %s: %w", v.Model(), err)
	}
	return v.Dimension(), nil
}

// Embed returns a vector of length 1 for each text. It fails with a TextError for a text
// that the server refuses or that is empty, which is also an ErrEmptyText. Vectors that
// arrived before an error are in the cache.
func (v *BatchEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	job := &embedJob{BatchEmbedder: v, places: map[string][]int{}, out: make([][]float32, len(texts))}
	err := v.checkChanged()
	if err == nil {
		err = cmp.Or(job.run(ctx, texts), v.checkChanged())
	}
	if job.used.Cost == 0 { // a budget has counted it otherwise
		job.used.Cost = v.price.Cost(job.used)
	}
	v.meter.count(ctx, TaskEmbed, job.used, Usage{}, err == nil && job.used.Calls == 0, err)
	if err != nil {
		return nil, job.used, err
	}
	return job.out, job.used, nil
}

// checkChanged returns ErrDimension until Probe has returned the new dimension.
func (v *BatchEmbedder) checkChanged() error {
	if v.changed.Load() {
		return fmt.Errorf("embed: %s: %w", v.Model(), ErrDimension)
	}
	return nil
}

// TaskEmbed is the task under which a Meter counts embedding.
const TaskEmbed = "embed"

// An embedJob is one call of Embed.
type embedJob struct {
	*BatchEmbedder
	places map[string][]int // indices of each distinct text in out
	out    [][]float32

	mu       sync.Mutex
	used     Usage
	err      error // of the failed text that comes first, so that it is the same in every run
	errIndex int   // index of that text
}

func (j *embedJob) run(ctx context.Context, texts []string) error {
	var missing []string
	var refused *TextError // the first text that the server refused before
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return &TextError{Index: i, Err: ErrEmptyText}
		}
		j.places[text] = append(j.places[text], i)
	}
	for i, text := range texts {
		if j.places[text][0] != i {
			continue
		}
		if vector, ok := j.cached(text); ok && j.fits(vector) {
			if err := j.place(text, vector, false); err != nil {
				return err
			}
			continue
		}
		if err := j.memory.refusal(text); err != nil {
			refused = cmp.Or(refused, &TextError{Index: i, Err: err})
			continue
		}
		missing = append(missing, text)
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(j.batch.Concurrent)
	for _, batch := range j.memory.split(missing) {
		g.Go(func() error {
			if gctx.Err() != nil {
				return gctx.Err()
			}
			err := panicerr.Catch(func() error { return j.embed(gctx, batch) })
			if err != nil {
				j.fail(j.places[batch[0]][0], err)
			}
			return err
		})
	}
	_ = g.Wait() // its error is the first in time; j.err is the first by position
	switch {
	case j.err == nil && ctx.Err() == nil && refused != nil:
		return refused
	case j.err == nil:
		return ctx.Err()
	}
	return j.err
}

// fail records an error of the batch that begins with the text at an index. It keeps the
// error of the first text, but prefers one that is not merely the cancellation by
// another error.
func (j *embedJob) fail(index int, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	canceled := errors.Is(err, context.Canceled)
	if j.err == nil || !canceled && (index < j.errIndex || errors.Is(j.err, context.Canceled)) {
		j.err, j.errIndex = err, index
	}
}

// place stores the vector of a text at every index of the output whose input is that
// text. It needs no lock, because no two goroutines embed the same text. fresh means that
// the vector is not from the cache.
func (j *embedJob) place(text string, vector []float32, fresh bool) error {
	if err := j.checkDimension(int64(len(vector)), fresh); err != nil {
		return err
	}
	for _, i := range j.places[text] {
		j.out[i] = vector
	}
	return nil
}

// fits reports whether a vector of the cache has the length of the others: the model may
// have returned vectors of another length when it was stored.
func (v *BatchEmbedder) fits(vector []float32) bool {
	d := v.dimension.Load()
	return d == 0 || d == int64(len(vector))
}

// checkDimension compares the length of a vector with the length of all others. What the server
// sends first replaces what is known from the cache.
func (v *BatchEmbedder) checkDimension(n int64, fresh bool) error {
	known := v.dimension.Load()
	if known == 0 && v.dimension.CompareAndSwap(0, n) {
		known = n
	}
	if !fresh && known == n {
		return nil
	}
	if fresh && v.asked.CompareAndSwap(false, true) {
		if known = v.dimension.Swap(n); known != n {
			v.changed.Store(true)
			return fmt.Errorf("embed: %s: %w: %d instead of %d", v.Model(), ErrDimension, n, known)
		}
	}
	if known = v.dimension.Load(); known == n {
		return nil
	}
	return fmt.Errorf("embed: %s returned vectors of %d and of %d dimensions: check models.embedding.base_url and models.embedding.model, or set another cache_dir",
		v.Model(), known, n)
}

// normalise returns the vector scaled to length 1.
func normalise(vector []float32) ([]float32, error) {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if norm := math.Sqrt(sum); norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm) {
		out := make([]float32, len(vector))
		for i, x := range vector {
			out[i] = float32(float64(x) / norm)
		}
		return out, nil
	}
	return nil, errors.New("the server sent a vector that cannot be normalised (all zeros, NaN or infinite)")
}

// cached returns the vector of a text from the cache.
func (v *BatchEmbedder) cached(text string) ([]float32, bool) {
	if v.cache.off() {
		return nil, false
	}
	for _, provider := range v.providers {
		key, err := vectorKey(provider, v.Model(), text)
		if err != nil {
			return nil, false
		}
		b, ok := v.cache.get(kindVector, key)
		if !ok || len(b) == 0 || len(b)%4 != 0 {
			continue
		}
		vector := make([]float32, len(b)/4)
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return vector, true
	}
	return nil, false
}

// store writes the vector of a text to the cache.
func (v *BatchEmbedder) store(text string, vector []float32) {
	if v.cache.off() {
		return
	}
	key, err := vectorKey(v.providers[0], v.Model(), text)
	if err == nil {
		b := make([]byte, 0, 4*len(vector))
		for _, x := range vector {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		err = v.cache.put(kindVector, key, b)
	}
	v.cache.warn(err)
}
