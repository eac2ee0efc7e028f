package leiden_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/leiden"
)

// Graphs of the test data, and graphs made by the graph generator in the folder that
// NEORAG_BENCH_GRAPHS names.
var (
	smallGraphs = []string{"jazz", "celegans_metabolic", "hep-th", "PGPgiantcompo", "kg8k", "kg15k"}
	largeGraphs = []string{"lfr10k_3", "lfr100k_3", "rmat18", "lfr1m_3"}
)

// readBinary reads a graph in the format of the generator: number of nodes, number of
// edges, then the ends and the weight of each edge, all little endian.
func readBinary(path string) (*leiden.Graph, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	order := binary.LittleEndian
	b := leiden.NewBuilder(int(order.Uint64(data)))
	for at := 16; at < len(data); at += 16 {
		var w float64
		if _, err := binary.Decode(data[at+8:at+16], order, &w); err != nil {
			return nil, err
		}
		if err := b.Add(order.Uint32(data[at:]), order.Uint32(data[at+4:]), w); err != nil {
			return nil, err
		}
	}
	return b.Build()
}

// benchGraphs runs a sub-benchmark for each graph that exists, with one worker and with
// two.
func benchGraphs(b *testing.B, run func(b *testing.B, g *leiden.Graph, workers int)) {
	both := func(b *testing.B, g *leiden.Graph) {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) { run(b, g, workers) })
		}
	}
	for _, name := range smallGraphs {
		b.Run(name, func(b *testing.B) { both(b, load(b, name)) })
	}
	folder := os.Getenv("NEORAG_BENCH_GRAPHS")
	for _, name := range largeGraphs {
		b.Run(name, func(b *testing.B) {
			if folder == "" {
				b.Skip("set NEORAG_BENCH_GRAPHS to a folder with the generator's graphs")
			}
			g, err := readBinary(filepath.Join(folder, name+".bin"))
			if errors.Is(err, fs.ErrNotExist) {
				b.Skip("not generated")
			}
			if err != nil {
				b.Fatal(err)
			}
			both(b, g)
		})
	}
}

// measure times run, which returns a modularity, and also reports the best time, since
// the mean of a busy machine is unreliable.
func measure(b *testing.B, g *leiden.Graph, run func(seed uint64) (float64, error)) {
	before := resident(b, true)
	sum, runs := 0.0, uint64(0)
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		q, err := run(runs)
		if err != nil {
			b.Fatal(err)
		}
		least = min(least, time.Since(start))
		sum += q
		runs++
	}
	b.ReportMetric(sum/float64(runs), "modularity")
	b.ReportMetric(float64(least.Nanoseconds())/1e6, "min-ms")
	b.ReportMetric(float64(least.Nanoseconds())/float64(g.Edges()), "min-ns/edge")
	if peak := resident(b, false); before > 0 {
		b.ReportMetric(float64(peak-before)/float64(g.Edges()), "peak-B/edge")
	}
}

// BenchmarkCluster measures the root level alone: no community is large enough to be split.
func BenchmarkCluster(b *testing.B) {
	for _, effort := range []leiden.Effort{leiden.Fast, leiden.Balanced, leiden.Best} {
		b.Run(effort.String(), func(b *testing.B) {
			benchGraphs(b, func(b *testing.B, g *leiden.Graph, workers int) {
				measure(b, g, func(seed uint64) (float64, error) {
					h, err := leiden.BuildHierarchy(context.Background(), g, leiden.Options{Effort: effort, MaxSize: g.Nodes() + 1, Workers: workers, Seed: seed})
					if err != nil {
						return 0, err
					}
					return h.Modularity, nil
				})
			})
		})
	}
}

func BenchmarkHierarchy(b *testing.B) {
	benchGraphs(b, func(b *testing.B, g *leiden.Graph, workers int) {
		measure(b, g, func(seed uint64) (float64, error) {
			h, err := leiden.BuildHierarchy(context.Background(), g, leiden.Options{Workers: workers, Seed: seed})
			if err != nil {
				return 0, err
			}
			return h.Modularity, nil
		})
	})
}

// resident returns the peak resident memory of this process in bytes since the last
// call with reset, or 0 if the system does not report it. With reset it first returns
// free memory to the system.
func resident(b *testing.B, reset bool) int {
	b.Helper()
	if reset {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			return 0
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	lines := strings.Split(string(bytes.TrimSpace(status)), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "VmHWM:") })
	if i < 0 {
		return 0
	}
	kib, err := strconv.Atoi(strings.Fields(lines[i])[1])
	if err != nil {
		return 0
	}
	return kib << 10
}
