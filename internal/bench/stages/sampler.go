package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
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
			own, java := residentMB(os.Getpid()), residentMB(server)
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
	own = processorSeconds(os.Getpid())
	return own + processorSeconds(s.server), own
}

// processorSeconds returns the time that a process used the processors; 0 where /proc does not
// tell. Linux counts it in hundredths of a second.
func processorSeconds(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold spaces.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	sum := 0
	for _, field := range [][]byte{fields[user], fields[system]} {
		ticks, err := strconv.Atoi(string(field))
		if err != nil {
			return 0
		}
		sum += ticks
	}
	return float64(sum) / 100
}

// residentMB returns the resident memory of a process; 0 where /proc does not tell.
func residentMB(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return float64(pages*os.Getpagesize()) / 1e6
}
