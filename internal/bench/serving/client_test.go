package main

import (
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	for _, tt := range []struct {
		sorted []time.Duration
		share  float64
		want   time.Duration
	}{
		{nil, .5, 0},
		{hundred[:1], .95, 1},
		{hundred, .5, 50},
		{hundred, .95, 95},
		{hundred, .99, 99},
		{hundred, 1, 100},
		{hundred[:3], .5, 2},
	} {
		if got := percentile(tt.sorted, tt.share); got != tt.want {
			t.Errorf("percentile(%d durations, %v) = %d, want %d", len(tt.sorted), tt.share, got, tt.want)
		}
	}
}

// TestOpenLoop has no call end before all have begun: a loop that waits for answers would not end.
func TestOpenLoop(t *testing.T) {
	t.Parallel()
	const n = 20
	begun, all := make(chan struct{}, n), make(chan struct{})
	go func() {
		defer close(all)
		for range n {
			<-begun
		}
	}()
	samples, err := openLoop(t.Context(), 1000, n*time.Millisecond, func(i int) sample {
		begun <- struct{}{}
		<-all
		return sample{status: 200 + i}
	})
	if err != nil || len(samples) != n {
		t.Fatalf("%d samples, error %v", len(samples), err)
	}
	for i, s := range samples {
		if s.status != 200+i {
			t.Errorf("sample %d has status %d", i, s.status)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	seen := map[question]bool{}
	for i := range 2 * different {
		q := questionAt(i, 1000)
		if again := questionAt(i+2*different, 1000); again != q {
			t.Errorf("question %d is %v and then %v", i, q, again)
		}
		seen[q] = true
	}
	if len(seen) < 2*different*9/10 {
		t.Errorf("%d different questions of %d", len(seen), 2*different)
	}
}
