package route

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Features are the properties of a question that a method is chosen by.
type Features struct {
	Overview bool     `json:"overview"`           // every word of it could be asked about any collection
	Broad    []string `json:"broad,omitempty"`    // words that ask about the whole
	Relates  []string `json:"relates,omitempty"`  // words that ask how things are connected
	Compares []string `json:"compares,omitempty"` // words that ask to compare things
	Names    []string `json:"names,omitempty"`    // entities of the graph that the question names
	// Topics are entities that it names in small letters: with several words or of another type than concept,
	// or if it asks what they are.
	Topics []string `json:"topics,omitempty"`
	Words  []string `json:"words,omitempty"` // other entities that it names in small letters
	// Particular are the Names that are persons, organizations, places, events or works. Other
	// entities are topics, also where a language writes every noun with a capital.
	Particular []string `json:"particular,omitempty"`
	Quote      bool     `json:"quote"`              // it quotes words, or asks for exact ones
	Asks       string   `json:"asks,omitempty"`     // when, who, where, how many: it asks for one fact
	Identity   bool     `json:"identity,omitempty"` // it asks only who or what somebody or something is
	Entities   int      `json:"entities"`           // found by the search
	Chunks     int      `json:"chunks"`             // found by the search
	Reports    bool     `json:"reports"`            // the index has reports
	Model      bool     `json:"model"`              // a model writes the answer
}

// A Name is an entity that a question names.
type Name struct{ Text, Type string }

// particularTypes are the types of entities that are particular things.
const particularTypes = " person organization location event work "

// Found is what a search found for a question.
type Found struct {
	Names    []Name // entities of the graph that the question names
	Topics   []Name // that it names in small letters
	Entities int
	Chunks   int
	Reports  bool // the index has reports
	Model    bool // a model writes the answer
}

// patterns of questions, over the question in lower case; quoted: as written.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"broad":    regexp.MustCompile(`\b(?:(?:main|major|key|central|recurring|common|overall|overarching|general|dominant|most (?:important|common|frequent)) (?:\pL+ )?(?:themes?|topics?|ideas?|issues?|points?|messages?|morals?|lessons?|trends?|patterns?|subjects?|arguments?|takeaways?|findings?|motifs?|concerns?|conflicts?|characters?|people|events?)|themes|overview|summar(?:y|ise|ize|ises|izes|ising|izing)|overall|in general|as a whole|the whole|across (?:the|all)|throughout (?:the|all)|all (?:the )?(?:documents|texts|articles|reports|chapters|files)|(?:this|the|whole|entire) (?:corpus|collection|dataset|data set|archive)|big picture|trends|takeaways|what (?:is|are) (?:this|these|it|they) about|what (?:is|are) the \pL+ about)\b`),
		"relates":  regexp.MustCompile(`\b(?:relationships?|relations?|related|connect(?:ed|s|ion|ions)?|links?|linked|between|interact(?:s|ed|ion|ions)?|involved with|in common|differ(?:s|ent|ence|ences)?|compared?)\b`),
		"compares": regexp.MustCompile(`\b(?:compar(?:e[sd]?|ing|ison|isons)|contrast(?:s|ed|ing)?|differ(?:s|ed|ent|ence|ences)?|similarit(?:y|ies)|versus|vs|in common|vergleich(?:e|en|t)?|unterschied(?:e|en)?|unterscheide[nt]|gemeinsam)\b`),
		"exact":    regexp.MustCompile(`\b(?:exact(?:ly)? words?|exact (?:phrase|quote|wording|sentence)|word for word|verbatim|quote|quotation|which (?:sentence|passage|page|paragraph)|what (?:did|does|do) .* (?:say|said|says|write|reply|answer|shout|cry)|says? exactly|mentions? of)\b`),
		"asks":     regexp.MustCompile(`^(?:and |so |but )?(?:on |in |at |by |from |to |since |until |for |with )?(when|who|whom|whose|where|how many|how much|how old|how long|how often|how far|which (?:year|day|date|month|place|city|street|number)|what (?:year|day|date|time|month|number|age|price|colou?r|address|name))\b`),
		"identity": regexp.MustCompile(`^(?:who|what) (?:is|are|was|were) (.*?)[?.! ]*$|^(?:tell me (?:more |everything |all )?about|describe) (.*?)[?.! ]*$`),
		"quoted":   regexp.MustCompile(`["“”«»„][^"“”«»„]*\pL+[^"“”«»„]*\s[^"“”«»„]*["“”«»„]`),
		"dated":    regexp.MustCompile(`\b(?:19|20)\d{2}[-/]?\d{1,2}[-/]?\d{1,2}\b`),
	}
})

// FeaturesOf reads the features of a question.
func FeaturesOf(question string, found Found) Features {
	lower := strings.ToLower(text.OneLine(question))
	asked := textproc.ReadQuestion(question)
	p := patterns()
	f := Features{
		Overview: len(asked.Terms) > 0 && IsOverview(asked) && len(textproc.HiddenAbbreviations(question)) == 0,
		Broad:    distinct(p["broad"].FindAllString(lower, -1)),
		Relates:  distinct(p["relates"].FindAllString(lower, -1)),
		Compares: distinct(p["compares"].FindAllString(lower, -1)),
		Quote:    p["quoted"].MatchString(question) || p["exact"].MatchString(lower),
		Entities: found.Entities, Chunks: found.Chunks, Reports: found.Reports, Model: found.Model,
	}
	for _, n := range found.Names {
		f.Names = append(f.Names, n.Text)
		if strings.Contains(particularTypes, " "+n.Type+" ") {
			f.Particular = append(f.Particular, n.Text)
		}
	}
	if m := p["asks"].FindStringSubmatch(lower); m != nil {
		f.Asks = m[1]
	} else if p["dated"].MatchString(lower) {
		f.Asks = "a date"
	}
	topics := make([]string, len(found.Topics))
	for i, n := range found.Topics {
		topics[i] = n.Text
	}
	f.Identity = isIdentity(lower, slices.Concat(f.Names, topics))
	for _, n := range found.Topics {
		if f.Identity || strings.Contains(n.Text, " ") || n.Type != "concept" && n.Type != graph.TypeUnknown {
			f.Topics = append(f.Topics, n.Text)
		} else {
			f.Words = append(f.Words, n.Text)
		}
	}
	return f
}

// isIdentity reports whether a question asks only who or what a named thing is.
func isIdentity(lower string, names []string) bool {
	m := patterns()["identity"].FindStringSubmatch(lower)
	if m == nil {
		return false
	}
	rest := textproc.TermSetOf(m[1] + " " + m[2])
	for _, name := range names {
		for t := range textproc.TermSetOf(name) {
			delete(rest, t)
		}
	}
	return len(names) > 0 && len(rest) == 0
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
