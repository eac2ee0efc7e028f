package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/tokens"
)

// Tokens of a record in addition to the tokens of its texts: number, separators, type and
// line end.
const (
	entityFrame       = 6
	relationshipFrame = 6
	claimFrame        = 12
	reportFrame       = 8
	outsideFrame      = 20 // of the heading
	citationFrame     = 6  // a translated reference mark, in addition to the one it replaces
)

// Pack chooses the records that a report is written from. The relationships of the
// community are taken in decreasing order of the combined degree of their ends
// inside the community, ties by key. For each of them the source, the target, their
// claims and then the relationship itself are added until the limit is reached;
// entities without a relationship inside come last.
//
// If a community with children does not fit as a whole, its children are ranked by
// the tokens of their elements, largest first. One after the other, the elements of
// a child are replaced by its report, if that is shorter, until the context fits. If
// it never does, reports are added in that order as far as they fit; only if all
// did, the records between the children follow.
//
// The strongest relationships to entities outside are shown in a separate section, with
// at most a tenth of the tokens, which they take before everything else. Its heading says how many
// more there are.
//
// The references of a child's report are renumbered for this context, so that what
// the child cites can be cited again. Cited nodes without a row get the numbers
// after the rows; a reference to a report further down becomes one to the child.
//
// The tokens of each record are counted once, and taken from NTokens if it is set.
func Pack(in Input, o Options, counter *tokens.Counter) Context {
	o = o.Limits()
	p := newPacker(in, o.room(), counter)
	p.addOutside(in, o.FewOutside)
	p.replaceChildren()
	p.fill()
	c := p.context()
	c.Prominent, c.ranked, c.Title = p.nameCommunity()
	c.sections = in.Sections
	for _, ch := range p.children {
		c.children = append(c.children, ch.Report.Title)
	}
	c.Fingerprint, c.Reads = p.fingerprint(o, c), p.reads(c)
	return c
}

// A packer holds one community in canonical order and the records chosen from it.
type packer struct {
	counter       *tokens.Counter
	limit, used   int // used: by headings and chosen records
	elements      int // tokens of all records
	entities      []graph.Entity
	relationships []graph.Relationship
	community     graph.Community
	claims        map[string][]graph.Claim // by subject
	claimCount    int
	degree        map[string]int
	entity        map[string]int // index by key
	children      []packedChild  // by size of elements, largest first
	childOf       map[string]int // index by member
	chosen        []Record
	added         map[string]bool // entities that were added or did not fit
	full          bool            // a record did not fit
	leftOut       int
	outsideLeft   int // relationships to entities outside that are not shown
}

type packedChild struct {
	Child
	tokens, report int  // of the elements; of the report
	replaced       bool // its report replaces its elements
}

func newPacker(in Input, limit int, counter *tokens.Counter) *packer {
	p := &packer{
		counter: counter, limit: limit, community: in.Community, claimCount: len(in.Claims),
		entities: slices.Clone(in.Entities), relationships: slices.Clone(in.Relationships),
		claims: map[string][]graph.Claim{}, degree: map[string]int{}, entity: map[string]int{}, childOf: map[string]int{}, added: map[string]bool{},
	}
	slices.SortFunc(p.entities, func(a, b graph.Entity) int { return cmp.Compare(a.Key, b.Key) })
	for i, e := range p.entities {
		p.entity[e.Key] = i
		p.entities[i].NTokens = p.tokenCount(e.NTokens, func() string { return entityLine(e) })
	}
	for i, r := range p.relationships {
		p.relationships[i].NTokens = p.tokenCount(r.NTokens, func() string { return relationshipLine(r) })
		p.degree[r.Source]++
		p.degree[r.Target]++
	}
	slices.SortFunc(p.relationships, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(p.combined(b), p.combined(a)), cmp.Compare(a.Key, b.Key))
	})
	for _, c := range in.Claims {
		c.NTokens = p.tokenCount(c.NTokens, func() string { return claimLine(c) })
		p.claims[c.Subject] = append(p.claims[c.Subject], c)
	}
	for _, of := range p.claims {
		slices.SortFunc(of, func(a, b graph.Claim) int { return cmp.Compare(a.Key, b.Key) })
	}
	p.measure(in)
	return p
}

func (p *packer) combined(r graph.Relationship) int { return p.degree[r.Source] + p.degree[r.Target] }

// measure adds up the tokens of all records and of the elements of each child, and
// ranks the children by the latter.
func (p *packer) measure(in Input) {
	for _, c := range in.Children {
		p.children = append(p.children, packedChild{Child: c, report: p.reportCost(c.Report)})
	}
	slices.SortFunc(p.children, func(a, b packedChild) int { return cmp.Compare(a.Report.Community, b.Report.Community) })
	for i, c := range p.children {
		for _, m := range c.Members {
			p.childOf[m] = i
		}
	}
	add := func(child int, inside bool, cost int) {
		p.elements += cost
		if inside {
			p.children[child].tokens += cost
		}
	}
	for _, e := range p.entities {
		child, ok := p.childOf[e.Key]
		add(child, ok, entityCost(e))
		for _, c := range p.claims[e.Key] {
			add(child, ok, claimCost(c))
		}
	}
	for _, r := range p.relationships {
		a, ok := p.childOf[r.Source]
		b, both := p.childOf[r.Target]
		add(a, ok && both && a == b, relationshipCost(r))
	}
	slices.SortStableFunc(p.children, func(a, b packedChild) int { return cmp.Compare(b.tokens, a.tokens) })
	for i, c := range p.children {
		for _, m := range c.Members {
			p.childOf[m] = i
		}
	}
	p.used = p.headings(in)
}

// headings returns the tokens of the headings that the context may need.
func (p *packer) headings(in Input) int {
	n := 0
	for i, has := range []int{len(in.Entities), len(in.Relationships), len(in.Claims), len(in.Children)} {
		if has > 0 {
			n += p.counter.Count(sections[i].heading) + 1
		}
	}
	return n
}

// replaceChildren decides which children are replaced by their report.
func (p *packer) replaceChildren() {
	total := p.used + p.elements
	for i := range p.children {
		if total <= p.limit {
			break
		}
		c := &p.children[i]
		if c.Report.FullContent != "" && c.report < c.tokens {
			c.replaced = true
			total += c.report - c.tokens
		}
	}
}

// tokenCount returns n, the number of tokens stored with a record, or counts its
// line if n is 0. Each record is counted only once.
func (p *packer) tokenCount(n int, line func() string) int {
	if n > 0 {
		return n
	}
	return p.counter.Count(line())
}

func entityCost(e graph.Entity) int             { return e.NTokens + entityFrame }
func relationshipCost(r graph.Relationship) int { return r.NTokens + relationshipFrame }
func claimCost(c graph.Claim) int               { return c.NTokens + claimFrame }

func (p *packer) reportCost(r graph.Report) int {
	marks := len(storedMark.FindAllStringIndex(r.FullContent, -1))
	return reportFrame + citationFrame*marks + p.tokenCount(r.NTokens, func() string { return r.FullContent })
}

// fingerprint covers everything that a report written from the context can depend
// on, and all that is stored with it. Keys are hashed without their corpus. A child is
// represented by its community, because the key of its report contains the generation.
func (p *packer) fingerprint(o Options, c Context) string {
	parts := []string{o.fingerprint(), c.Text, c.Title, strconv.FormatBool(p.community.Final), strconv.Itoa(len(p.community.Members)), strconv.Itoa(p.community.Weight), strconv.Itoa(p.claimCount)}
	parts = append(parts, p.references(c, func(ch packedChild) string { return graph.Local(ch.Report.Community) })...)
	for _, e := range c.Prominent {
		parts = append(parts, graph.Local(e.Key), e.Name, e.Type)
	}
	return graph.Hash(append(parts, sectionParts(c.sections)...)...)
}

// reads covers what a context shows and what its numbers refer to. A child is represented
// by the label of its community, which stays when a few members change.
func (p *packer) reads(c Context) string {
	return graph.Hash(append([]string{c.Text}, p.references(c, func(ch packedChild) string { return ch.Label })...)...)
}

// references returns what the numbers of a context refer to, in their order.
func (p *packer) references(c Context, child func(packedChild) string) (parts []string) {
	children := map[string]string{}
	for _, ch := range p.children {
		children[ch.Report.Key] = child(ch)
	}
	locals := make([]Local, 0, len(c.References))
	for l := range c.References {
		locals = append(locals, l)
	}
	slices.SortFunc(locals, func(a, b Local) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.N, b.N)) })
	for _, l := range locals {
		id := graph.Local(c.References[l])
		if l.Kind == graph.KindReport {
			id = children[c.References[l]]
		}
		parts = append(parts, string(l.Kind), id)
	}
	return parts
}
