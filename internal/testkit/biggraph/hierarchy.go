package biggraph

import (
	"fmt"
	"iter"

	"github.com/neorag/neorag/internal/graph"
)

// spans returns the numbers of entities in a community, by level.
func (m *maker) spans() []int {
	leaf, middle := m.sizes.Leaf, m.sizes.Leaf*m.sizes.Middle
	return []int{middle * m.sizes.Root, middle, leaf}
}

// ordinals returns the communities of an entity by level, root first.
func (m *maker) ordinals(i int) []int {
	spans := m.spans()
	all := make([]int, len(spans))
	for level, span := range spans {
		all[level] = i / span
	}
	return all
}

// labelled reports whether entities have the label of a community. Higher levels come first.
func (m *maker) labelled(level, ordinal int) bool {
	before := 0
	for _, span := range m.spans()[:level] {
		before += (m.sizes.Entities + span - 1) / span
	}
	return before+ordinal < maxLabels
}

func (m *maker) communityKey(level, ordinal int) string {
	return graph.Key(m.corpus, fmt.Sprintf("community %d %06d", level, ordinal))
}

// eachCommunity returns the rows of all communities, parents first.
func (m *maker) eachCommunity(row func(level, ordinal, size int) any) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for level, span := range m.spans() {
			for ordinal := 0; ordinal*span < m.sizes.Entities; ordinal++ {
				if !yield(row(level, ordinal, min(span, m.sizes.Entities-ordinal*span)), nil) {
					return
				}
			}
		}
	}
}

func (m *maker) communities() iter.Seq2[any, error] {
	spans := m.spans()
	return m.eachCommunity(func(level, ordinal, size int) any {
		parent := ""
		if level > 0 {
			parent = m.communityKey(level-1, ordinal*spans[level]/spans[level-1])
		}
		label := graph.CommunityLabel("C", level, ordinal)
		return map[string]any{"key": m.communityKey(level, ordinal), "parent": parent, "set": map[string]any{
			"level": level, "ordinal": ordinal, "label": label, "name": label, "size": size, "weight": 3 * size,
		}}
	})
}

func (m *maker) members() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range m.sizes.Entities {
			var keys []string
			for level, ordinal := range m.ordinals(i) {
				keys = append(keys, m.communityKey(level, ordinal))
			}
			if !yield(map[string]any{"key": m.key(i), "communities": keys}, nil) {
				return
			}
		}
	}
}

func (m *maker) reports() iter.Seq2[any, error] {
	const findings = 4
	spans := m.spans()
	return m.eachCommunity(func(level, ordinal, size int) any {
		key := graph.ReportKey(m.corpus, m.communityKey(level, ordinal), 1)
		var found []any
		for i := range findings {
			found = append(found, map[string]any{
				"key": graph.FindingKey(m.corpus, key, i), "order": i, "summary": m.text(60), "explanation": m.text(400),
				"cites": m.key(ordinal*spans[level] + m.random.IntN(size)),
			})
		}
		set := map[string]any{
			"title": m.text(30), "summary": m.text(200), "full_content": m.text(2000), "rating": float64(m.random.IntN(100)) / 10, "n_tokens": 600,
		}
		m.addTerms(set, fmt.Sprint(set["title"]), fmt.Sprint(set["summary"]))
		return map[string]any{"key": key, "community": m.communityKey(level, ordinal), "findings": found, "set": set}
	})
}
