package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Documents of the benchmark of readers: those that there are, and those that the update
// adds.
const (
	readDocuments  = 2000
	addedDocuments = 400
)

// readers prints how long questions take while nothing is written, and while an update
// runs.
func (b *bench) readers(ctx context.Context) error {
	const corpus = "bench_readers"
	all, err := sections()
	if err != nil {
		return err
	}
	if len(all) < readDocuments+addedDocuments {
		return fmt.Errorf("there are only %d sections", len(all))
	}
	return b.onFolder(ctx, corpus, func(dir string) error {
		index := func(first, last int) error {
			for i := first; i < last; i++ {
				if err := writeSection(dir, i, all[i]); err != nil {
					return err
				}
			}
			_, err := b.exec(ctx, "index", "--offline", "--quiet", "--corpus", corpus, dir)
			return err
		}
		if err := index(0, readDocuments); err != nil {
			return err
		}
		for _, method := range readMethods { // the server plans them
			if _, err := b.exec(ctx, "query", "--offline", "--corpus", corpus, "--method", method, readersQuestion); err != nil {
				return err
			}
		}
		idle, err := b.askUntil(ctx, corpus, time.After(20*time.Second))
		if err != nil {
			return err
		}
		updated, ended := make(chan error, 1), make(chan time.Time)
		go func() {
			updated <- index(readDocuments, readDocuments+addedDocuments)
			close(ended)
		}()
		busy, err := b.askUntil(ctx, corpus, ended)
		if err := <-updated; err != nil {
			return err
		}
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(b.w, "%d documents, while %d are added; median of whole processes\n", readDocuments, addedDocuments)
		for i, method := range readMethods {
			before, during := median(idle[i]), median(busy[i])
			_, _ = fmt.Fprintf(b.w, "query --method %-7s idle %4.0f ms (%d), during the update %4.0f ms (%d), %.2f times\n", method,
				before.Seconds()*1000, len(idle[i]), during.Seconds()*1000, len(busy[i]), during.Seconds()/before.Seconds())
		}
		return nil
	})
}

const readersQuestion = "What is known about the history of the railway?"

// readMethods are the methods that are asked.
var readMethods = []string{"basic", "local", "light", "global"}

// askUntil asks by each method in turn until end, and returns the times by method.
func (b *bench) askUntil(ctx context.Context, corpus string, end <-chan time.Time) (times [][]time.Duration, err error) {
	times = make([][]time.Duration, len(readMethods))
	for {
		for i, method := range readMethods {
			run, err := b.exec(ctx, "query", "--offline", "--quiet", "--corpus", corpus, "--method", method, readersQuestion)
			if err != nil {
				return times, err
			}
			times[i] = append(times[i], run.took)
		}
		select {
		case <-end:
			return times, nil
		default:
		}
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
