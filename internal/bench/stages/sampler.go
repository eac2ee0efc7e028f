package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// A sampler follows the resident memory of this process and of the server.
type sampler struct {
	mu           sync.Mutex
	goMB, javaMB float64
	done         chan struct{}
	running      sync.WaitGroup
}

func startSampler(server int) *sampler {
	s := &sampler{done: make(chan struct{})}
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

// take returns the peaks since the last call.
func (s *sampler) take() (goMB, javaMB float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	goMB, javaMB = s.goMB, s.javaMB
	s.goMB, s.javaMB = 0, 0
	return goMB, javaMB
}

func (s *sampler) stop() {
	close(s.done)
	s.running.Wait()
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
