// Package pagetest generates graphs of any size for tests of the map.
package pagetest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/export"
	"github.com/neorag/neorag/internal/view/htmlmap"
)

// A generator generates names and texts whose word frequencies follow Zipf's law.
type generator struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newGenerator() *generator {
	r := rand.New(rand.NewPCG(7, 11))
	m := &generator{random: r, zipf: rand.NewZipf(r, 1.15, 4, 11_999)}
	syllables := strings.Fields("ra ne to si ma lo ve di ka shu per con ti an el is um or fa gre bo hin ly ste mar den wic cal")
	for range 12_000 {
		var word strings.Builder
		for range 1 + r.IntN(3) {
			word.WriteString(syllables[r.IntN(len(syllables))])
		}
		m.words = append(m.words, word.String())
	}
	return m
}

func (m *generator) text(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = m.words[m.zipf.Uint64()]
	}
	return strings.ToUpper(all[0][:1]) + strings.Join(all, " ")[1:] + "."
}

func (m *generator) name(i int) string {
	first, last := m.words[m.random.IntN(len(m.words))], m.words[m.random.IntN(len(m.words))]
	return strings.ToUpper(first[:1]) + first[1:] + " " + strings.ToUpper(last[:1]) + last[1:] + fmt.Sprint(" ", i)
}

// widths are the number of children of each community, by level.
var widths = []int{20, 6, 4}

// Source generates a graph with three relationships per entity and 620 communities on
// three levels, or fewer for few entities. Its texts are as long as a model's.
func Source(entities int) htmlmap.Source {
	m := newGenerator()
	communities, leaves := m.communities(entities)
	all := make([]graph.Entity, entities)
	for i := range all {
		all[i] = graph.Entity{Key: fmt.Sprintf("made/%06d", i), Name: m.name(i), Type: []string{"person", "organization", "place", "event", "concept"}[m.random.IntN(5)], Description: m.text(30), Frequency: 1 + m.random.IntN(9)}
		leaf := i % len(leaves)
		for c := leaves[leaf]; c >= 0; c = parentOf(communities, c) {
			communities[c].Members = append(communities[c].Members, all[i].Key)
		}
	}
	relationships := make([]graph.Relationship, 3*entities)
	for i := range relationships {
		a := m.random.IntN(entities)
		b := m.random.IntN(entities)
		if m.random.IntN(4) > 0 { // in the same leaf
			b = (a%len(leaves) + len(leaves)*m.random.IntN(max(entities/len(leaves), 1))) % entities
		}
		all[a].Degree++
		all[b].Degree++
		relationships[i] = graph.Relationship{
			Key: fmt.Sprintf("made/r%06d", i), Source: all[a].Key, Target: all[b].Key, SourceName: all[a].Name, TargetName: all[b].Name,
			Description: m.text(22), Weight: 1 + int(m.zipf.Uint64()%6),
		}
	}
	reports := make([]graph.Report, len(communities))
	for i, c := range communities {
		reports[i] = m.report(c, relationships)
	}
	text := m.text(400)
	return htmlmap.Source{
		Graph:     export.Graph{Corpus: "made", Communities: communities, Entities: of(all), Relationships: of(relationships), Reports: of(reports)},
		Documents: 1000,
		Quotes: func(int) iter.Seq2[htmlmap.Quote, error] {
			quotes := make([]htmlmap.Quote, len(all))
			for i, e := range all {
				start := m.random.IntN(len(text) / 2)
				quotes[i] = htmlmap.Quote{Entity: e.Key, Name: e.Name, Text: m.text(12) + " " + e.Name + " " + text[start:], Document: m.name(i % 1000)}
			}
			return of(quotes)
		},
		Cited: func(refs []graph.Reference) ([]htmlmap.Citation, error) {
			var found []htmlmap.Citation
			for _, ref := range refs {
				found = append(found, htmlmap.Citation{Kind: ref.Kind, Key: ref.Key, Title: "One — Other", Text: m.text(60), Document: m.text(3)})
			}
			return found, nil
		},
	}
}

// communities generates the tree and returns the indexes of its leaves.
func (m *generator) communities(entities int) (all []graph.Community, leaves []int) {
	level := []int{-1}
	for depth, width := range widths {
		var next []int
		for _, up := range level {
			for range width {
				c := graph.Community{Key: fmt.Sprintf("made/c%d_%d", depth, len(next)), Level: depth, Ordinal: len(next), Final: depth == len(widths)-1}
				c.Label = graph.CommunityLabel("C", depth, c.Ordinal)
				if up >= 0 {
					c.Parent = all[up].Key
				}
				next = append(next, len(all))
				all = append(all, c)
			}
		}
		level = next
		if len(level)*widths[min(depth+1, len(widths)-1)]*4 > entities {
			break
		}
	}
	return all, level
}

func parentOf(all []graph.Community, c int) int {
	for i := range c {
		if all[i].Key == all[c].Parent {
			return i
		}
	}
	return -1
}

func (m *generator) report(c graph.Community, relationships []graph.Relationship) graph.Report {
	r := graph.Report{Key: c.Key + "r", Community: c.Key, Level: c.Level, Title: m.text(4), Summary: m.text(60) + " [1]", Rating: 5}
	for range 5 {
		r.Findings = append(r.Findings, graph.Finding{Summary: m.text(7), Explanation: m.text(90) + " [2][3]"})
	}
	r.References = append(r.References, graph.Reference{N: 1, Kind: graph.KindEntity, Key: c.Members[0]})
	for n := 2; n < 12; n++ {
		r.References = append(r.References, graph.Reference{N: n, Kind: graph.KindRelationship, Key: relationships[m.random.IntN(len(relationships))].Key})
	}
	return r
}

func of[T any](items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// Script is the markup that most texts of Hostile contain.
const Script = `</script><script>alert(1)</script>`

// Hostile is a small graph whose names, descriptions and reports are markup.
func Hostile() htmlmap.Source {
	s := Source(60)
	entities, reports := s.Entities, s.Reports
	s.Entities = func(yield func(graph.Entity, error) bool) {
		first := true
		for e, err := range entities {
			if first {
				e.Name, e.Type = `<img src=x onerror=alert(1)> Nasty`, Script
				first = false
			}
			e.Description = Script + ` <iframe src="https://example.org/">`
			if !yield(e, err) {
				return
			}
		}
	}
	s.Reports = func(yield func(graph.Report, error) bool) {
		for r, err := range reports {
			r.Title, r.Summary = Script+"{{data}}", `<a href="https://example.org/">x</a> [1]`
			if !yield(r, err) {
				return
			}
		}
	}
	return s
}
