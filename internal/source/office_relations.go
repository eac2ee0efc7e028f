package source

import (
	"encoding/xml"
	"path"
	"strings"
)

// relations are the parts of an office document, which have any names: relations say what they are.
type relations struct {
	names   map[string][]string // by kind, the last part of the type of the relation
	targets map[string]string   // names by the id of a relation
}

// relationsOf returns the relations of a part, whose targets are relative to its folder; "" is the
// archive.
func relationsOf(f *archive, name string) (relations, error) {
	p := relations{names: map[string][]string{}, targets: map[string]string{}}
	folder, base := path.Split(name)
	err := f.readPart(folder+"_rels/"+base+".rels", func(start *xml.StartElement, _, _ string) bool {
		if start == nil || start.Name.Local != "Relationship" || strings.EqualFold(attr(start, "TargetMode"), "External") {
			return true
		}
		target := partName(attr(start, "Target"))
		if !strings.HasPrefix(attr(start, "Target"), "/") {
			target = path.Join(folder, target)
		}
		kind := path.Base(attr(start, "Type"))
		p.names[kind] = append(p.names[kind], target)
		p.targets[attr(start, "Id")] = target
		return true
	})
	return p, err
}
