package source

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// peakOf returns the most memory, in bytes, that any parser child used while f ran.
func peakOf(f func()) int64 {
	var peak int64
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			peak = max(peak, childrenPeak())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	f()
	close(done)
	watch.Wait()
	return peak
}

// childrenPeak returns the largest peak of the running parser children.
func childrenPeak() int64 {
	var peak int64
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		children, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		for pid := range strings.FieldsSeq(string(children)) {
			// A child that has not replaced its program yet shows the memory of this process.
			if name, _ := os.ReadFile("/proc/" + pid + "/cmdline"); strings.TrimRight(string(name), "\x00") != sandboxName {
				continue
			}
			status, _ := os.ReadFile("/proc/" + pid + "/status")
			for line := range strings.Lines(string(status)) {
				if kib, found := strings.CutPrefix(line, "VmHWM:"); found {
					n, err := strconv.ParseInt(strings.Fields(kib)[0], 10, 64)
					if err != nil {
						panic(fmt.Sprintf("%q: %v", line, err))
					}
					peak = max(peak, n<<10)
				}
			}
		}
	}
	return peak
}
