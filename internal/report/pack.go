package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/tokens"
)

// Tokens that a record costs beside those of its texts: number, separators, type, line end.
const (
	entityFrame       = 6
	relationshipFrame = 6
	claimFrame        = 12
	reportFrame       = 8
	citationFrame     = 6 // a translated reference mark, beyond the one it replaces
)

// Pack chooses what a report is written from. In decreasing order of the
// combined degree of their ends inside the community, ties by key, all its
// relationships compete: for each, source, target, their claims, then the
// relationship itself are added until the limit; entities without a
// relationship inside come last. If a community with children does not fit
// whole, its children are ranked by the tokens of their elements, and the
// elements of one after the other, largest first, give way to the child's report
// (where that is shorter) until the context fits. If it never does, reports
// are added in that order as far as they fit, then, if all did, what lies
// between the children.
//
// A child's report carries the numbers of its own references. They become the
// numbers of this context, which go on behind the rows for nodes that have no
// row of their own, so that what the child cites can be cited again; a
// reference to a report further down becomes one to the child.
//
// Tokens are added up once per record, from NTokens where a record has it.
func Pack(in Input, o Options, counter *tokens.Counter) Context {
	o = o.withDefaults()
	p := newPacker(in, o.ContextTokens, counter)
	p.substitute()
	p.fill()
	c := p.context()
	c.Prominent, c.Title = p.name()
	c.Fingerprint = p.fingerprint(o, c)
	return c
}

// packer holds one community in canonical order and what is chosen of it.
type packer struct {
	counter       *tokens.Counter
	limit, used   int // used: by headings and what is chosen
	elements      int // tokens of all records
	community     graph.Community
	entities      []graph.Entity
	relationships []graph.Relationship
	claims        map[string][]graph.Claim // by subject
	claimCount    int
	degree        map[string]int
	entity        map[string]int // index by key
	children      []packedChild  // by size of elements, largest first
	childOf       map[string]int // index by member
	chosen        []Record
	added         map[string]bool // entities that were tried
	full          bool
	left          int
}

type packedChild struct {
	Child
	tokens, report int // of the elements; of the report
	replaced       bool
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
		p.entities[i].NTokens = p.noted(e.NTokens, func() string { return entityLine(e) })
	}
	for i, r := range p.relationships {
		p.relationships[i].NTokens = p.noted(r.NTokens, func() string { return relationshipLine(r) })
		p.degree[r.Source]++
		p.degree[r.Target]++
	}
	slices.SortFunc(p.relationships, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(p.combined(b), p.combined(a)), cmp.Compare(a.Key, b.Key))
	})
	for _, c := range in.Claims {
		c.NTokens = p.noted(c.NTokens, func() string { return claimLine(c) })
		p.claims[c.Subject] = append(p.claims[c.Subject], c)
	}
	for _, of := range p.claims {
		slices.SortFunc(of, func(a, b graph.Claim) int { return cmp.Compare(a.Key, b.Key) })
	}
	p.measure(in)
	return p
}

func (p *packer) combined(r graph.Relationship) int { return p.degree[r.Source] + p.degree[r.Target] }

// measure adds up the tokens of everything, and of each child's elements, and
// ranks the children by them.
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

// headings are the tokens of the headings that the context may need.
func (p *packer) headings(in Input) int {
	n := 0
	for i, has := range []int{len(in.Entities), len(in.Relationships), len(in.Claims), len(in.Children)} {
		if has > 0 {
			n += p.counter.Count(sections[i].heading) + 1
		}
	}
	return n
}

// substitute decides which children are told by their report.
func (p *packer) substitute() {
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

// noted is the number of tokens on a record, or that of its line where there is
// none. Records are counted here once, and never again.
func (p *packer) noted(n int, line func() string) int {
	if n > 0 {
		return n
	}
	return p.counter.Count(line())
}

func entityCost(e graph.Entity) int             { return e.NTokens + entityFrame }
func relationshipCost(r graph.Relationship) int { return r.NTokens + relationshipFrame }
func claimCost(c graph.Claim) int               { return c.NTokens + claimFrame }

func (p *packer) reportCost(r graph.Report) int {
	return reportFrame + citationFrame*citations(r.FullContent) + p.noted(r.NTokens, func() string { return r.FullContent })
}

// fingerprint covers all that a report written from the context can depend on.
// Keys count without their corpus; a child counts by its community, since the
// key of a report holds the generation that made it.
func (p *packer) fingerprint(o Options, c Context) string {
	parts := []string{o.fingerprint(), c.Text, c.Title, strconv.FormatBool(p.community.Final), strconv.Itoa(len(p.community.Members)), strconv.Itoa(p.community.Weight), strconv.Itoa(p.claimCount)}
	community := map[string]string{}
	for _, ch := range p.children {
		community[ch.Report.Key] = ch.Report.Community
	}
	locals := make([]Local, 0, len(c.References))
	for l := range c.References {
		locals = append(locals, l)
	}
	slices.SortFunc(locals, func(a, b Local) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.N, b.N)) })
	for _, l := range locals {
		key := c.References[l]
		if l.Kind == graph.KindReport {
			key = community[key]
		}
		parts = append(parts, string(l.Kind), graph.Local(key))
	}
	for _, e := range c.Prominent {
		parts = append(parts, graph.Local(e.Key), e.Name, e.Type)
	}
	return graph.Hash(parts...)
}
