package reportbook

import (
	"fmt"

	"github.com/neorag/neorag/internal/text"
)

// Tree returns the tree of contents below the entry with a label, or of the whole book
// for "": one line per entry, with branches drawn.
func (b *Book) Tree(root string) []string {
	var out []string
	var walk func(label, first, rest string)
	walk = func(label, first, rest string) {
		e := b.Entries[b.labels[label]]
		out = append(out, first+Line(e))
		for i, child := range e.Children {
			if i == len(e.Children)-1 {
				walk(child, rest+"└─ ", rest+"   ")
			} else {
				walk(child, rest+"├─ ", rest+"│  ")
			}
		}
	}
	for _, label := range b.tops(root) {
		walk(label, "", "")
	}
	return out
}

// tops returns the label of an entry, or for "" the labels of the root level.
func (b *Book) tops(root string) []string {
	if root != "" {
		return []string{root}
	}
	var labels []string
	for _, e := range b.Entries {
		if e.Parent == "" {
			labels = append(labels, e.Label)
		}
	}
	return labels
}

// Line returns an entry as a person reads it in a list.
func Line(e Entry) string {
	return fmt.Sprintf("%s  %s (%d entities)", e.Label, text.OneLine(e.Title), e.Size)
}

// A Node is an entry of the tree with its children.
type Node struct {
	Label string  `json:"label"`
	Title string  `json:"title"`
	Size  int     `json:"size"`
	Below []*Node `json:"below"`
}

// Nodes returns the tree below the entry with a label, or of the whole book for "".
func (b *Book) Nodes(root string) []*Node {
	var walk func(label string) *Node
	walk = func(label string) *Node {
		e := b.Entries[b.labels[label]]
		n := &Node{Label: e.Label, Title: e.Title, Size: e.Size, Below: []*Node{}}
		for _, child := range e.Children {
			n.Below = append(n.Below, walk(child))
		}
		return n
	}
	out := []*Node{}
	for _, label := range b.tops(root) {
		out = append(out, walk(label))
	}
	return out
}
