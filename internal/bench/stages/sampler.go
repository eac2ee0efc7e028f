package main

import (
	"os"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/bench/proc"
)

// A sampler follows the resident memory of this process and of the server, and the time of
// the processors that they use.
type sampler struct {
	server       int
	mu           sync.Mutex
	goMB, javaMB float64
	cpu, goCPU   float64 // when take was last called
	done         chan struct{}
	running      sync.WaitGroup
}

func startSampler(server int) *sampler {
	s := &sampler{server: server, done: make(chan struct{})}
	s.cpu, s.goCPU = s.cpuSeconds()
	s.running.Go(func() {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for {
			own, java := proc.ResidentMB(os.Getpid()), proc.ResidentMB(server)
			s.mu.Lock()
			s.goMB, s.javaMB = max(s.goMB, own), max(s.javaMB, java)
			s.mu.Unlock()
			select {
			case <-ticker.C:
			case <-s.done:
				return
			}
		}
	})
	return s
}

// take returns a figure with the peaks, and the time of the processors, since the last call.
func (s *sampler) take(name string, took time.Duration) figure {
	s.mu.Lock()
	defer s.mu.Unlock()
	cpu, own := s.cpuSeconds()
	f := figure{name: name, seconds: took.Seconds(), cpu: cpu - s.cpu, goCPU: own - s.goCPU, goMB: s.goMB, javaMB: s.javaMB}
	s.goMB, s.javaMB, s.cpu, s.goCPU = 0, 0, cpu, own
	return f
}

func (s *sampler) stop() {
	close(s.done)
	s.running.Wait()
}

// cpuSeconds returns the time that both processes, and this one, used the processors since
// they started.
func (s *sampler) cpuSeconds() (both, own float64) {
	own = proc.CPUSeconds(os.Getpid())
	return own + proc.CPUSeconds(s.server), own
}
