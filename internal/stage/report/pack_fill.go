package report

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// fewOutside is how many relationships to entities outside a context shows with Options.FewOutside.
const fewOutside = 5

// addOutside adds the strongest relationships to entities outside that fit.
func (p *packer) addOutside(in Input, few bool) {
	all := slices.Clone(in.Outside)
	slices.SortFunc(all, graph.StrongerFirst)
	if !few {
		p.outsideLeft = len(all) + in.OutsideLeft
	}
	left := p.limit/10 - outsideFrame
	for _, r := range all {
		r.NTokens = p.tokenCount(r.NTokens, func() string { return relationshipLine(r) })
		cost := relationshipCost(r)
		if cost > left {
			continue
		}
		if len(p.chosen) == 0 {
			p.used += outsideFrame
		}
		left -= cost
		p.used += cost
		p.chosen = append(p.chosen, Record{Local: Local{Kind: graph.KindRelationship}, Key: r.Key, Text: relationshipLine(r), Tokens: cost, body: r.Description, about: []string{r.Source, r.Target}, outside: true})
		if !few {
			p.outsideLeft--
		} else if len(p.chosen) == fewOutside {
			return
		}
	}
}

// fill adds records in the order that Pack promises.
func (p *packer) fill() {
	for i := range p.children {
		if c := &p.children[i]; c.replaced {
			p.addReport(c)
		}
	}
	p.full = p.leftOut > 0 // if a report did not fit, no single records replace it
	for _, r := range p.relationships {
		a, b := p.childAt(r.Source), p.childAt(r.Target)
		if a >= 0 && a == b && p.children[a].replaced {
			continue
		}
		p.addEntity(r.Source)
		p.addEntity(r.Target)
		p.addClaims(r.Source)
		p.addClaims(r.Target)
		p.add(relationshipCost(r), func() Record {
			return Record{Local: Local{Kind: graph.KindRelationship}, Key: r.Key, Text: relationshipLine(r), body: r.Description, about: []string{r.Source, r.Target}}
		})
	}
	for _, e := range p.entities {
		p.addEntity(e.Key)
		p.addClaims(e.Key)
	}
}

// childAt returns the index of the child that holds an entity, or -1.
func (p *packer) childAt(entity string) int {
	if i, ok := p.childOf[entity]; ok {
		return i
	}
	return -1
}

// addReport adds the report of a child, or skips it if it does not fit; the next
// one may.
func (p *packer) addReport(c *packedChild) {
	if p.used+c.report > p.limit {
		p.leftOut++
		return
	}
	p.used += c.report
	p.chosen = append(p.chosen, Record{Local: Local{Kind: graph.KindReport}, Key: c.Report.Key, Tokens: c.report, name: c.Report.Title, child: &c.Report, label: c.Label})
}

// addEntity adds an entity the first time it is needed, unless the report of its
// child replaces it.
func (p *packer) addEntity(key string) {
	i, ok := p.entity[key]
	if !ok || p.added[key] || p.isReplaced(key) {
		return
	}
	p.added[key] = true
	e := p.entities[i]
	p.add(entityCost(e), func() Record {
		return Record{Local: Local{Kind: graph.KindEntity}, Key: e.Key, Text: entityLine(e), name: e.Name, typ: e.Type, body: e.Description, about: []string{e.Key}}
	})
}

// addClaims adds the claims about an entity the first time it is needed.
func (p *packer) addClaims(key string) {
	if p.isReplaced(key) {
		return
	}
	claims := p.claims[key]
	delete(p.claims, key)
	for _, c := range claims {
		about := []string{c.Subject}
		if c.Object != "" && c.Object != c.Subject {
			about = append(about, c.Object)
		}
		p.add(claimCost(c), func() Record {
			return Record{Local: Local{Kind: graph.KindClaim}, Key: c.Key, Text: claimLine(c), typ: c.Type, body: c.Description, about: about}
		})
	}
}

// isReplaced reports whether the report of a child replaces an entity.
func (p *packer) isReplaced(entity string) bool {
	i := p.childAt(entity)
	return i >= 0 && p.children[i].replaced
}

// add adds a record if there is room. The first record that does not fit ends the
// packing, except one that is larger than a whole context, which is only skipped.
func (p *packer) add(cost int, record func() Record) {
	switch {
	case p.full || cost > p.limit:
		p.leftOut++
	case p.used+cost > p.limit:
		p.full = true
		p.leftOut++
	default:
		p.used += cost
		r := record()
		r.Tokens = cost
		p.chosen = append(p.chosen, r)
	}
}

// context renders the chosen records. The sum of tokens is an estimate: if the
// text is too long after all, the records added last are removed again.
func (p *packer) context() Context {
	for {
		text, records, keys := render(p.chosen, p.outsideLeft)
		n := p.counter.Count(text)
		if n <= p.limit || len(p.chosen) == 0 {
			return Context{Text: text, Tokens: n, Records: records, References: keys, Left: p.leftOut}
		}
		for excess := n - p.limit; excess > 0 && len(p.chosen) > 0; {
			last := len(p.chosen) - 1
			excess -= p.chosen[last].Tokens
			p.chosen = p.chosen[:last]
			p.leftOut++
		}
	}
}
