package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/textproc"
)

// Features are what auto decides on.
type Features struct {
	Overview bool     `json:"overview"`           // the question names nothing beside words that any collection could be asked about
	Broad    []string `json:"broad,omitempty"`    // words that ask about the whole
	Relates  []string `json:"relates,omitempty"`  // words that ask how things are connected
	Names    []string `json:"names,omitempty"`    // entities of the graph that the question names
	Quote    bool     `json:"quote"`              // it quotes words, or asks for exact ones
	Asks     string   `json:"asks,omitempty"`     // when, who, where, how many: one fact is wanted
	Identity bool     `json:"identity,omitempty"` // who or what somebody or something is, and nothing else
	Entities int      `json:"entities"`           // found near the question
	Chunks   int      `json:"chunks"`
	Reports  bool     `json:"reports"` // the index has reports
}

// Patterns of questions, over the question in lower case.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"broad":    regexp.MustCompile(`\b(?:(?:main|major|key|central|recurring|common|overall|overarching|general|dominant|most (?:important|common|frequent)) (?:\pL+ )?(?:themes?|topics?|ideas?|issues?|points?|messages?|morals?|lessons?|trends?|patterns?|subjects?|arguments?|takeaways?|findings?|motifs?|concerns?|conflicts?|characters?|people|events?)|themes|overview|summar(?:y|ise|ize|ises|izes|ising|izing)|overall|in general|as a whole|the whole|across (?:the|all)|throughout (?:the|all)|all (?:the )?(?:documents|texts|articles|reports|chapters|files)|(?:this|the|whole|entire) (?:corpus|collection|dataset|data set|archive)|big picture|trends|takeaways|what (?:is|are) (?:this|these|it|they) about|what (?:is|are) the \pL+ about)\b`),
		"relates":  regexp.MustCompile(`\b(?:relationships?|relations?|related|connect(?:ed|s|ion|ions)?|links?|linked|between|interact(?:s|ed|ion|ions)?|involved with|in common|differ(?:s|ent|ence|ences)?|compared?)\b`),
		"exact":    regexp.MustCompile(`\b(?:exact(?:ly)? words?|exact (?:phrase|quote|wording|sentence)|word for word|verbatim|quote|quotation|which (?:sentence|passage|page|paragraph)|what (?:did|does|do) .* (?:say|said|says|write|reply|answer|shout|cry)|says? exactly|mentions? of)\b`),
		"asks":     regexp.MustCompile(`^(?:and |so |but )?(?:on |in |at |by |from |to |since |until |for |with )?(when|who|whom|whose|where|how many|how much|how old|how long|how often|how far|which (?:year|day|date|month|place|city|street|number)|what (?:year|day|date|time|month|number|age|price|colou?r|address|name))\b`),
		"identity": regexp.MustCompile(`^(?:who|what) (?:is|are|was|were) (.*?)[?.! ]*$|^tell me (?:more |everything |all )?about (.*?)[?.! ]*$`),
		"quoted":   regexp.MustCompile(`["“”«»„][^"“”«»„]*\pL+[^"“”«»„]*\s[^"“”«»„]*["“”«»„]`),
		"dated":    regexp.MustCompile(`\b(?:19|20)\d{2}[-/]?\d{1,2}[-/]?\d{1,2}\b`),
	}
})

// featuresOf reads a question beside what was found for it.
func featuresOf(text string, found nearby) Features {
	lower := strings.ToLower(foldSpace(text))
	p := patterns()
	f := Features{
		Overview: len(found.asked.Terms) > 0 && isOverview(found.asked),
		Broad:    unrepeated(p["broad"].FindAllString(lower, -1)),
		Relates:  unrepeated(p["relates"].FindAllString(lower, -1)),
		Quote:    p["quoted"].MatchString(text) || p["exact"].MatchString(lower),
		Names:    found.spelledNames(),
		Entities: len(found.entities), Chunks: len(found.chunks), Reports: found.found.HasReports,
	}
	if m := p["asks"].FindStringSubmatch(lower); m != nil {
		f.Asks = m[1]
	} else if p["dated"].MatchString(lower) {
		f.Asks = "a date"
	}
	f.Identity = isIdentity(lower, f.Names)
	return f
}

// isIdentity tells whether nothing is asked but who or what a named thing is.
func isIdentity(lower string, names []string) bool {
	m := patterns()["identity"].FindStringSubmatch(lower)
	if m == nil {
		return false
	}
	rest := map[string]bool{}
	for _, t := range textproc.Terms(m[1] + " " + m[2]) {
		rest[t] = true
	}
	for _, name := range names {
		for _, t := range textproc.Terms(name) {
			delete(rest, t)
		}
	}
	return len(names) > 0 && len(rest) == 0
}

func unrepeated(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// spelledNames are the entities that a question names with a capital letter, as
// written there: none inside a longer one.
func (n nearby) spelledNames() []string {
	var out []string
	for _, named := range n.names {
		if !slices.ContainsFunc(out, func(longer string) bool { return strings.Contains(longer, named.name) }) {
			out = append(out, named.name)
		}
	}
	return out
}

// decide chooses a method by rules, the first that holds. Without reports it
// never chooses global.
func decide(f Features) Choice {
	c := Choice{By: "rules", Features: f}
	switch whole := f.Overview || len(f.Broad) > 0 && len(f.Names) == 0; {
	case whole && f.Reports && f.Overview:
		c.Method, c.Why = "global", "the question is about the whole and names nothing in it"
	case whole && f.Reports:
		c.Method, c.Why = "global", fmt.Sprintf("%q asks about the whole, and nothing of the graph is named", f.Broad[0])
	case whole && f.Entities > 0:
		c.Method, c.Why = "local", "the question is about the whole, but the index has no reports"
	case f.Quote:
		c.Method, c.Why = "basic", "the words of the text are asked for"
	case len(f.Names) > 0 && f.Identity:
		c.Method, c.Why = "local", "it asks about "+strings.Join(f.Names, ", ")+", which the graph has"
	case len(f.Names) > 1 && len(f.Relates) > 0:
		c.Method, c.Why = "local", fmt.Sprintf("%q asks how %s go together", f.Relates[0], strings.Join(f.Names, " and "))
	case f.Asks != "":
		c.Method, c.Why = "basic", fmt.Sprintf("it asks for one fact (%s)", f.Asks)
	case len(f.Names) > 0:
		c.Method, c.Why = "local", "it names "+strings.Join(f.Names, ", ")+", which the graph has"
	case len(f.Relates) > 0 && f.Entities > 0:
		c.Method, c.Why = "local", fmt.Sprintf("%q asks how things go together", f.Relates[0])
	default:
		c.Method, c.Why = "basic", "it names nothing that the graph has, so that its words are searched for"
	}
	return c
}
