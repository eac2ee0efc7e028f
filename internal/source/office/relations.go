package office

import (
	"encoding/xml"
	"path"
	"strings"
)

// Relations are the parts of an office document, which have any names: relations say what they are.
type Relations struct {
	Names   map[string][]string // by kind, the last part of the type of the relation
	Targets map[string]string   // names by the id of a relation
}

// RelationsOf returns the relations of a part, whose targets are relative to its folder; "" is the
// archive.
func RelationsOf(f *Archive, name string) (Relations, error) {
	p := Relations{Names: map[string][]string{}, Targets: map[string]string{}}
	folder, base := path.Split(name)
	err := f.ReadPart(folder+"_rels/"+base+".rels", Starts(func(start *xml.StartElement) {
		if start.Name.Local != "Relationship" || strings.EqualFold(Attr(start, "TargetMode"), "External") {
			return
		}
		target := PartName(Attr(start, "Target"))
		if !strings.HasPrefix(Attr(start, "Target"), "/") {
			target = path.Join(folder, target)
		}
		kind := path.Base(Attr(start, "Type"))
		p.Names[kind] = append(p.Names[kind], target)
		p.Targets[Attr(start, "Id")] = target
	}))
	return p, err
}
