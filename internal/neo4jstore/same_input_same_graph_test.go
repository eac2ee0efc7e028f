package neo4jstore_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// worlds are successive states: each changes the one before it.
var worlds = []struct {
	name string
	world
}{
	{"first", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. !Ann Bob"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
	}},
	{"document changed", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
	}},
	{"document added that joins two components", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
		"c": {"eve Flo. ANN Bob.", "Joe"},
	}},
	{"documents removed", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
	}},
	{"all but nothing", world{"d": {"Zoe"}}},
}

// fresh holds the dumps of the worlds, each indexed into an empty corpus.
var fresh struct {
	once  sync.Once
	dumps [][]string
}

func freshDumps(t *testing.T, s *neo4jstore.Store) [][]string {
	t.Helper()
	fresh.once.Do(func() {
		corpus := newCorpus(t, s, dimension)
		for _, step := range worlds {
			neo4jtest.Wipe(t, corpus)
			if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
				t.Fatal(err)
			}
			if _, err := indexWorld(t, s, corpus, step.world); err != nil {
				t.Fatalf("%s, fresh: %v", step.name, err)
			}
			fresh.dumps = append(fresh.dumps, dump(t, s, corpus))
		}
	})
	if len(fresh.dumps) != len(worlds) {
		t.Fatal("no dumps to compare with")
	}
	return fresh.dumps
}

// After any sequence of updates the graph equals that of a fresh index, and a second run
// writes nothing.
func TestUpdatesEndInTheGraphOfAFreshIndex(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	want := freshDumps(t, s)
	corpus := newCorpus(t, s, dimension)
	for i, step := range worlds {
		if _, err := indexWorld(t, s, corpus, step.world); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if diff := cmp.Diff(want[i], dump(t, s, corpus)); diff != "" {
			t.Fatalf("%s: dump (-fresh +grown):\n%s", step.name, diff)
		}
		idle, err := indexWorld(t, s, corpus, step.world)
		if err != nil || idle != (neo4jstore.Counters{}) {
			t.Errorf("%s: a second run changed %+v, %v", step.name, idle, err)
		}
		pending, err := s.Pending(t.Context(), corpus)
		if err != nil || len(pending) > 0 {
			t.Errorf("%s: pending %v, %v", step.name, pending, err)
		}
	}
}

var errKilled = errors.New("killed")

// A run can be killed between any two transactions, and the world can change before the
// next run. NEORAG_KILLS sets the number of killed runs.
func TestRunsMayBeKilledAnywhere(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	want := freshDumps(t, plain)
	left := 0
	killing := open(t, func(c *neo4jstore.Config) {
		c.Fault = func(string) error {
			if left--; left < 0 {
				return errKilled
			}
			return nil
		}
	})
	corpus := newCorpus(t, plain, dimension)
	kills := 12
	if n, err := strconv.Atoi(os.Getenv("NEORAG_KILLS")); err == nil {
		kills = n
	}
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	for killed := 0; killed < kills; {
		i := random.IntN(len(worlds))
		// Up to three killed runs, possibly to different worlds, then a complete one.
		for range 1 + random.IntN(3) {
			j := random.IntN(len(worlds))
			left = random.IntN(30)
			_, err := indexWorld(t, killing, corpus, worlds[j].world)
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatalf("after %d kills (%s): %v", killed, worlds[j].name, err)
			}
			killed++
		}
		left = 1 << 30
		if _, err := indexWorld(t, killing, corpus, worlds[i].world); err != nil {
			t.Fatalf("after %d kills (%s), to its end: %v", killed, worlds[i].name, err)
		}
		if diff := cmp.Diff(want[i], dump(t, plain, corpus)); diff != "" {
			t.Fatalf("after %d kills (%s): dump (-fresh +killed):\n%s", killed, worlds[i].name, diff)
		}
		if idle, err := indexWorld(t, killing, corpus, worlds[i].world); err != nil || idle.Total() != 0 {
			t.Fatalf("after %d kills (%s): a second run changed %+v, %v", killed, worlds[i].name, idle, err)
		}
	}
}
