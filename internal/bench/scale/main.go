// Command scale prints what corpora of several sizes need and how long their first run with a model
// takes. How many calls are made in a second comes from a simulation of model servers, of calls that
// are lost when a server stops, and of the process that writes what they return; what a call, a
// chunk and an entity cost was measured.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.cores, "cores", 2, "`CORES` that the program and Neo4j share")
	flag.IntVar(&o.slots, "slots", 16, "concurrent calls of a model server")
	flag.DurationVar(&o.latency, "latency", 2*time.Second, "mean time of a call")
	flag.DurationVar(&o.life, "life", 6*time.Hour, "mean time until a model server stops, as spot machines do; 0: none stops")
	flag.DurationVar(&o.restart, "restart", 5*time.Minute, "time until another one replaces it")
	flag.Float64Var(&o.memory, "memory", 64, "`GB` of memory of the machine of the program")
	flag.IntVar(&o.calls, "calls", 400_000, "calls to simulate for each number of servers")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random numbers")
	flag.Parse()
	if err := o.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

type options struct {
	cores, slots, calls    int
	latency, life, restart time.Duration
	memory                 float64
	seed                   uint64
}

// sizes are the chunks of corpora.
var sizes = []float64{10_000, 1_000_000, 100_000_000, 1_000_000_000}

// servers are the numbers of model servers.
var servers = []int{1, 8, 64}

const (
	// ackWait is how long a queue waits for a worker that says nothing.
	ackWait = 60 * time.Second
	// maxElements is how many nodes, and how many edges, a database of Neo4j Community holds.
	maxElements = 1 << 35
)

func (o options) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	perSecond := map[int]float64{}
	_, _ = fmt.Fprintf(out, "%d cores, %d calls of %s on each model server\n\n", o.cores, o.slots, o.latency)
	_, _ = fmt.Fprintf(out, "model servers\tcalls in a second\tslots in use\tcores in use\tcalls repeated\tlimit\n")
	for _, n := range servers {
		r := simulate(setup{
			Servers: n, Slots: o.slots, Latency: o.latency.Seconds(), Write: measured.CPUSeconds / float64(o.cores),
			Life: o.life.Seconds(), Restart: o.restart.Seconds(), AckWait: ackWait.Seconds(),
		}, o.calls, o.seed)
		perSecond[n] = r.PerSecond
		_, _ = fmt.Fprintf(out, "%d\t%.0f\t%.0f %%\t%.0f %%\t%.2f %%\t%s\n", n, r.PerSecond, 100*r.Calling, 100*r.Writing, 100*r.Repeated, limit(r))
	}
	_, _ = fmt.Fprintf(out, "\nchunks\tcalls\thours of model servers")
	for _, n := range servers {
		_, _ = fmt.Fprintf(out, "\ttime with %d", n)
	}
	_, _ = fmt.Fprintf(out, "\tafter extraction\tmemory of neorag\tdisk of Neo4j\tnodes\tedges\tcorpora\n")
	for _, chunks := range sizes {
		o.printSize(out, chunks, perSecond)
	}
	return out.Flush()
}

// printSize prints what a corpus needs.
func (o options) printSize(out io.Writer, chunks float64, perSecond map[int]float64) {
	m := measured
	entities, calls, nodes, edges := chunks*m.EntitiesPerChunk, chunks*m.CallsPerChunk, chunks*m.NodesPerChunk, chunks*m.EdgesPerChunk
	hours := calls * o.latency.Seconds() / float64(o.slots) / 3600
	_, _ = fmt.Fprintf(out, "%s\t%s\t%s", count(chunks), count(calls), count(hours))
	for _, n := range servers {
		_, _ = fmt.Fprintf(out, "\t%s", days(calls/perSecond[n]))
	}
	memory := entities * m.ProgramBytes
	corpora := math.Ceil(max(memory/(o.memory*1e9), max(nodes, edges)/maxElements))
	_, _ = fmt.Fprintf(out, "\t%s\t%s\t%s\t%s\t%s\t%.0f\n", days(entities*m.StageSeconds), size(memory), size(chunks*m.StoreBytes), count(nodes), count(edges), corpora)
}

// limit names what calls wait for.
func limit(r throughput) string {
	if r.Writing > .95 {
		return "program and Neo4j"
	}
	return "model servers"
}

// count writes a number with two digits.
func count(n float64) string { return short(n, "", " k", " M", " G", " T") }

func size(bytes float64) string { return short(bytes, " B", " kB", " MB", " GB", " TB") }

func short(n float64, units ...string) string {
	i := 0
	for n >= 999.5 && i < len(units)-1 {
		n, i = n/1000, i+1
	}
	return fmt.Sprintf("%.*f%s", max(0, 1-int(math.Log10(max(1, n)))), n, units[i])
}

// days writes seconds in the unit in which people plan.
func days(seconds float64) string {
	unit, name := 86_400., "days"
	switch {
	case seconds < 90:
		unit, name = 1, "s"
	case seconds < 90*60:
		unit, name = 60, "min"
	case seconds < 36*3600:
		unit, name = 3600, "h"
	}
	return fmt.Sprintf("%.0f %s", seconds/unit, name)
}
