// Command scale prints what corpora of several sizes need and how long their first run takes, by a
// simulation of model servers, of what is lost when they stop, and of the process that writes.
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
	flag.IntVar(&o.slots, "slots", 16, "concurrent calls of a model server")
	flag.DurationVar(&o.latency, "latency", 2*time.Second, "mean time of a call")
	flag.DurationVar(&o.life, "life", 24*time.Hour, "mean time until a model server stops, as spot machines do; 0: none stops")
	flag.DurationVar(&o.restart, "restart", 5*time.Minute, "time until another one replaces it")
	flag.IntVar(&o.calls, "calls", 400_000, "calls to simulate for each row")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random numbers")
	flag.Parse()
	if err := print(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

type options struct {
	slots, calls           int
	latency, life, restart time.Duration
	seed                   uint64
}

// sizes are the chunks of corpora.
var sizes = []float64{10_000, 1_000_000, 100_000_000, 1_000_000_000}

// servers are the numbers of model servers.
var servers = []int{1, 8, 64}

// ackWait is how long a queue waits for a worker that says nothing.
const ackWait = 60 * time.Second

func print(w io.Writer, o options) error {
	m := measured
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	results := map[int]throughput{}
	_, _ = fmt.Fprintf(out, "model servers\tcalls/s\tslots in use\twrites\tcalls repeated\tlimited by\n")
	for _, n := range servers {
		r := simulate(setup{
			Servers: n, Slots: o.slots, Latency: o.latency.Seconds(), Write: m.WriteSeconds,
			Life: o.life.Seconds(), Restart: o.restart.Seconds(), AckWait: ackWait.Seconds(),
		}, o.calls, o.seed)
		results[n] = r
		_, _ = fmt.Fprintf(out, "%d\t%.0f\t%.0f %%\t%.0f %%\t%.2f %%\t%s\n", n, r.PerSecond, 100*r.Calling, 100*r.Writing, 100*r.Repeated, limit(r))
	}
	_, _ = fmt.Fprintf(out, "\nchunks\tentities\tcalls\t")
	for _, n := range servers {
		_, _ = fmt.Fprintf(out, "calls, %d servers\t", n)
	}
	_, _ = fmt.Fprintf(out, "stages after extraction\tmemory of neorag\tdisk of Neo4j\tnodes and edges\n")
	for _, chunks := range sizes {
		entities, calls := chunks*m.EntitiesPerChunk, chunks*m.CallsPerChunk
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t", count(chunks), count(entities), count(calls))
		for _, n := range servers {
			_, _ = fmt.Fprintf(out, "%s\t", days(calls/results[n].PerSecond))
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", days(entities*m.StageSeconds), bytes(entities*m.ProgramBytes), bytes(chunks*m.StoreBytes), count(chunks*m.ElementsPerChunk))
	}
	return out.Flush()
}

// limit names what a setup waits for.
func limit(r throughput) string {
	if r.Writing > .95 {
		return "the database"
	}
	return "the models"
}

// count writes a number with two digits.
func count(n float64) string { return short(n, "", " k", " M", " G", " T") }

func bytes(n float64) string { return short(n, " B", " kB", " MB", " GB", " TB") }

func short(n float64, units ...string) string {
	i := 0
	for n >= 999.5 && i < len(units)-1 {
		n, i = n/1000, i+1
	}
	return fmt.Sprintf("%.*f%s", max(0, 1-int(math.Log10(max(1, n)))), n, units[i])
}

// days writes seconds as a time that people plan with.
func days(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", seconds)
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 36*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}
