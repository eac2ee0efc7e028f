package index

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/web"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/tokens"
)

// Options configure how a corpus is indexed. Only Corpus is required; the zero value
// of all other fields indexes without a model.
type Options struct {
	Corpus      string
	Source      source.Options
	Web         web.Options // how pages are read, for paths that are URLs
	Chunk       chunk.Options
	Rules       extract.Rules // extraction without a model
	Resolve     resolve.Options
	Names       Names // how names are resolved; empty means what the corpus keeps, NamesExact for a new one
	Community   community.Options
	Weight      string  // weight of edges in clustering: "count" (default) or "strength"
	Fresh       bool    // find the communities, with their ordinals, as in a new corpus
	FreshShare  float64 // without a model, communities are found as in a new corpus when more than this share of the edges changed since the last time; 0 means DefaultFreshShare, negative never
	Report      report.Options
	Rewrite     Rewrite
	Labels      Labels
	EntityTypes []string        // types that become labels; nil means the types of Domain, else what the corpus keeps, extract.DefaultTypes for a new one
	Domain      *extract.Domain // for the prompts of extraction; nil means what the corpus keeps
	Language    string          // in which descriptions and reports are written; empty means what the corpus keeps, NoLanguage the language of the documents
	Upgrade     bool            // redo results that were made with prompts and rules of an earlier version
	Embedder    Embedder        // nil means hashed vectors
	Model       *Model          // nil means without a model
	Meter       *llm.Meter      // counts the calls of all models; may be nil
	AllowRedo   bool            // redo results of models if changed settings require it

	// FileStates is the folder where the sizes and times of files are kept, so that unchanged
	// files are not read again. Empty, or with Checksum, every file is read.
	FileStates string
	Checksum   bool

	With, Without  []string // names of artifacts to make, and to delete; Without may hold "reports" instead of WithoutReports
	WithoutReports bool
	Queries        Queries
	Synonyms       Synonyms
	DocumentLinks  DocumentLinks
	Concurrency    int // concurrent calls or work items; 0 means the number of CPUs, or 16 with a model
	AllowFailures  Allowance
	TimeLimits     TimeLimits
	Owner          string        // name of this run; empty means a random one
	Wait           time.Duration // how long to wait for a lease that another run holds; 0 means long enough for the lease of a killed run to expire, negative means not at all
	Logger         *slog.Logger
	Progress       func(Progress)   // called often, never concurrently; may be nil
	Clock          func() time.Time // nil means time.Now
	// Observe, unless nil, is called when a stage begins, and end with its error. The stage runs
	// with the returned context. It must be safe for concurrent use.
	Observe func(ctx context.Context, stage string) (_ context.Context, end func(error))

	newEdition int // of new corpora; 0 means currentEdition

	held *neo4jstore.Writer // set by RunRequested, which holds the lease
}

// DefaultFreshShare is the value of Options.FreshShare that 0 means.
const DefaultFreshShare = .1

// Labels configure which community labels entities get.
type Labels struct {
	Levels int    // number of levels, from the root; 0 means all, negative none
	Max    int    // maximum number of labels; 0 means 1,000; root levels first, larger communities first
	Prefix string // empty means "C"
}

// An Embedder turns texts into vectors of equal dimension and length 1. The vector of
// a text without content is nil.
type Embedder interface {
	Fingerprint() string
	Dimension() int
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A describer merges descriptions, with a model or without one.
type describer interface {
	Fingerprint() string
	Describe(ctx context.Context, name string, fragments []string) (string, error)
}

// A reporter writes reports, with a model or without one.
type reporter interface {
	Fingerprint() string
	Reads(in report.Input, c report.Context) string
	Report(ctx context.Context, in report.Input, c report.Context) (graph.Report, error)
}

func (o Options) withDefaults() Options {
	o.Weight = cmp.Or(o.Weight, "count")
	o.FreshShare = cmp.Or(o.FreshShare, DefaultFreshShare)
	o.Labels.Max = cmp.Or(o.Labels.Max, 1000)
	o.Labels.Prefix = cmp.Or(o.Labels.Prefix, "C")
	o.Community.Prefix = o.Labels.Prefix
	o.WithoutReports = o.WithoutReports || slices.Contains(o.Without, reports)
	if o.Meter == nil {
		o.Meter = &llm.Meter{}
	}
	if o.Embedder == nil {
		o.Embedder = hashed{}
	}
	if o.Concurrency <= 0 {
		if o.Concurrency = runtime.NumCPU(); o.Model != nil {
			o.Concurrency = llm.DefaultConcurrency
		}
	}
	if o.Owner == "" {
		o.Owner = randomName()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Observe == nil {
		o.Observe = func(ctx context.Context, _ string) (context.Context, func(error)) { return ctx, func(error) {} }
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o
}

// validate returns an error if a value is out of range.
func (o Options) validate() error {
	if err := graph.CheckCorpus(o.Corpus); err != nil {
		return err
	}
	for _, err := range []error{o.Source.Validate(), o.Chunk.Validate(), o.Names.Validate(), o.Queries.Validate(), CheckArtifacts(o.With, o.Without)} {
		if err != nil {
			return err
		}
	}
	if _, err := tokens.Get(o.Chunk.Encoding); err != nil {
		return err
	}
	if o.Model != nil {
		return o.Model.Prompts.Check()
	}
	return nil
}

// randomName returns a name for a run. It never affects what is derived in the graph.
func randomName() string {
	b := make([]byte, 8)
	if _, err := rand.Read(b); err != nil {
		panic("read random bytes: " + err.Error()) // crypto/rand documents that it cannot fail
	}
	return hex.EncodeToString(b)
}
