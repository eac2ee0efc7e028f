package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/bench/proc"
)

// settled is the time after which memory should not grow.
const settled = time.Minute

// A sampler follows what the program uses, and how busy the processors are.
type sampler struct {
	pid, neo4j int
	begin      time.Time
	cpu        [3]float64 // seconds of the processors: of the program, of the server, and of all processes
	at         []moment
	done       chan struct{}
	running    sync.WaitGroup
}

type moment struct {
	after   time.Duration
	mb      float64
	threads int
}

func startSampler(pid, neo4j int) *sampler {
	s := &sampler{pid: pid, neo4j: neo4j, begin: time.Now(), done: make(chan struct{})}
	s.cpu = s.used()
	s.running.Go(func() {
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for {
			s.at = append(s.at, moment{time.Since(s.begin), proc.ResidentMB(pid), proc.Threads(pid)})
			select {
			case <-ticker.C:
			case <-s.done:
				return
			}
		}
	})
	return s
}

func (s *sampler) stop() {
	close(s.done)
	s.running.Wait()
	took := time.Since(s.begin).Seconds()
	for i, now := range s.used() {
		s.cpu[i] = (now - s.cpu[i]) / took
	}
}

func (s *sampler) used() [3]float64 {
	return [3]float64{proc.CPUSeconds(s.pid), proc.CPUSeconds(s.neo4j), proc.BusySeconds()}
}

// print prints the memory of the program, and the processors that it and the server used.
func (s *sampler) print(w io.Writer, name string) {
	first, last := s.at[0], s.at[len(s.at)-1]
	peak, threads := 0., 0
	settledMB, least, most := 0., 0., 0.
	for _, m := range s.at {
		peak, threads = max(peak, m.mb), max(threads, m.threads)
		if m.after < settled {
			continue
		}
		if settledMB == 0 {
			settledMB, least = m.mb, m.mb
		}
		least, most = min(least, m.mb), max(most, m.mb)
	}
	_, _ = fmt.Fprintf(w, "%s: memory at the start %.0f MB, after a minute %.0f MB, then %.0f to %.0f MB, at the end %.0f MB, peak %.0f MB; %d threads; processors: program %.2f, Neo4j %.2f, other processes %.2f\n",
		name, first.mb, settledMB, least, most, last.mb, peak, threads, s.cpu[0], s.cpu[1], s.cpu[2]-s.cpu[0]-s.cpu[1])
}
