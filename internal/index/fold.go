package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/language"
)

// foldSetting notes by which rules the names of a corpus were folded.
const foldSetting = "fold"

// foldPage is how many entities are read with their mentions, or chunks with theirs, at a time.
const foldPage = 500

// mentioned is a name under which a chunk mentions an entity.
type mentioned struct{ name, entity string } // entity: local id

// foldIsDue reports whether the names of the corpus were folded by other rules, or never.
func (s *derivation) foldIsDue(c neo4jstore.Corpus) bool {
	return s.folds && c.Settings[foldSetting] != s.settings[foldSetting]
}

// A nameFolder finds which names denote the same entity. It starts from the marked
// entities and reads all others whose names may be joined with theirs.
type nameFolder struct {
	*derivation

	entities []neo4jstore.AliasedEntity // all, if the model is asked about names
	derived  map[string]bool            // names that entities had when they were derived last, if the model is asked
	owners   map[string][]string        // entities by each name that they have
	class    map[string]map[string]bool // names by class
	folder   resolve.Folder
	long     resolve.LongForms // full forms of entities that have an abbreviation among their names
	read     map[string]bool   // entities whose mentions were read
	chunks   map[string]map[mentioned]bool
	joined   map[string][]string        // names that a person merged with a name, or that the model confirmed
	strict   map[string]map[string]bool // names by what those share that the strict rules join, nil without these
}

// fold gives all names of an entity the same key, in the mentions of the chunks. Every entity
// whose mentions changed is marked, and so is every one that a decision is about: the result is
// the same as that for a new corpus.
func (s *derivation) fold(ctx context.Context, c neo4jstore.Corpus) error {
	if s.foldIsDue(c) {
		if err := s.introduceAll(ctx); err != nil {
			return err
		}
	}
	pairs, err := s.store.NamePairs(ctx, s.Corpus)
	if err != nil {
		return err
	}
	decisions, complete := c.Decisions, true
	if s.asksNames() {
		decisions.Asked = pairs
	}
	f := s.newNameFolder(decisions)
	due := s.similarIsDue(c)
	if err := f.readNames(ctx, due); err != nil {
		return err
	}
	if s.asksNames() {
		var answers []graph.NamePair
		if answers, complete, err = f.confirm(ctx, decisions, due); err != nil {
			return err
		}
		decisions.Asked = append(slices.Clip(decisions.Asked), answers...)
	}
	if err := f.write(ctx, f.folder.Fold(decisions)); err != nil {
		return err
	}
	if err := f.prune(ctx, pairs); err != nil {
		return err
	}
	done := map[string]string{foldSetting: s.settings[foldSetting], similarSetting: s.settings[similarSetting]}
	if !complete {
		done[similarSetting] = ""
	}
	return s.writer.SetSettings(ctx, done, neo4jstore.CorpusSet{})
}

func (s *derivation) newNameFolder(d graph.NameDecisions) *nameFolder {
	f := &nameFolder{derivation: s, derived: map[string]bool{}, owners: map[string][]string{}, long: resolve.LongForms{}, class: map[string]map[string]bool{}, read: map[string]bool{}, chunks: map[string]map[mentioned]bool{}, joined: map[string][]string{}}
	join := func(a, b string) { f.joined[a], f.joined[b] = append(f.joined[a], b), append(f.joined[b], a) }
	for _, p := range d.Merged {
		join(p[0], p[1])
	}
	for _, p := range d.Asked {
		if p.Same {
			join(p.A, p.B)
		}
	}
	if f.folder.Strict = s.joinsSimilar() && !s.asksNames(); f.folder.Strict {
		f.strict = map[string]map[string]bool{}
	}
	return f
}

// readNames reads the names of all entities, and the mentions of the marked ones or of all with
// those that may be joined with them, or with a name that a marked one may have lost.
func (f *nameFolder) readNames(ctx context.Context, all bool) error {
	var entities []string
	before, asks := map[string]bool{}, f.asksNames()
	err := f.store.EntityAliases(ctx, f.Corpus, func(e neo4jstore.AliasedEntity) {
		f.long.Add(graph.Local(e.Key), append(e.Aliases, e.Name)...)
		for _, n := range namesOf(e) {
			f.own(n, e.Key)
			if e.Marked {
				before[n] = true
			}
			if asks && isDerived(e) {
				f.derived[n] = true
			}
		}
		if asks {
			f.entities = append(f.entities, e)
		}
		if all || e.Marked {
			entities = append(entities, e.Key)
		}
	})
	if err != nil {
		return err
	}
	if err := f.readAll(ctx, entities); err != nil {
		return err
	}
	return f.readAll(ctx, f.unread(before))
}

// isDerived reports whether an entity was derived since a chunk mentioned it first.
func isDerived(e neo4jstore.AliasedEntity) bool { return e.Frequency > 0 }

// namesOf returns the normalised names of an entity, the name in its key first.
func namesOf(e neo4jstore.AliasedEntity) []string {
	names := []string{graph.Local(e.Key)}
	for _, n := range append([]string{e.Name}, e.Aliases...) {
		names = append(names, resolve.Normalise(n))
	}
	return names
}

// own notes that an entity has a name.
func (f *nameFolder) own(name, entity string) {
	if slices.Contains(f.owners[name], entity) {
		return
	}
	f.owners[name] = append(f.owners[name], entity)
	class := resolve.Class(name)
	if f.class[class] == nil {
		f.class[class] = map[string]bool{}
	}
	f.class[class][name] = true
	if f.strict == nil {
		return
	}
	for _, key := range resolve.StrictKeys(name) {
		if f.strict[key] == nil {
			f.strict[key] = map[string]bool{}
		}
		f.strict[key][name] = true
	}
}

// readAll reads the mentions of entities, and of all whose names may be joined with them.
func (f *nameFolder) readAll(ctx context.Context, entities []string) error {
	for len(entities) > 0 {
		next := map[string]bool{}
		for part := range slices.Chunk(entities, foldPage) {
			for _, e := range part {
				f.read[e] = true
			}
			err := f.store.NameMentions(ctx, f.Corpus, part, f.asksNames(), func(m neo4jstore.NameMention) {
				names := f.folder.Add(m.Names, m.Types, m.Same, m.Language == string(language.English))
				f.folder.In(names, m.Document)
				for i, d := range m.Descriptions {
					f.folder.Describe(m.Names[i], d)
				}
				for _, n := range names {
					f.own(n, m.Entity)
					next[n] = true
				}
				f.note(m, names)
			})
			if err != nil {
				return err
			}
		}
		entities = f.unread(next)
	}
	return nil
}

// note remembers under which names a chunk mentions an entity.
func (f *nameFolder) note(m neo4jstore.NameMention, names []string) {
	if f.chunks[m.Chunk] == nil {
		f.chunks[m.Chunk] = map[mentioned]bool{}
	}
	local := graph.Local(m.Entity)
	for _, n := range names {
		f.chunks[m.Chunk][mentioned{n, local}] = true
	}
}

// unread returns the entities that were not read and have a name that may be joined with one of
// these, or one that a chunk introduces as the same, or that was joined with it.
func (f *nameFolder) unread(names map[string]bool) []string {
	found := map[string]bool{}
	add := func(name string) {
		for _, e := range f.owners[name] {
			if !f.read[e] {
				found[e] = true
			}
		}
	}
	for n := range names {
		for other := range f.class[resolve.Class(n)] {
			add(other)
		}
		for _, other := range f.folder.Introduced(n) {
			add(other)
		}
		for _, other := range f.long.Shortened(n) {
			add(other)
		}
		for _, other := range f.joined[n] {
			add(other)
		}
		if f.strict != nil {
			for _, key := range resolve.StrictKeys(n) {
				for other := range f.strict[key] {
					add(other)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// write writes the mentions of the chunks that mention an entity under another key than the key of
// its name.
func (f *nameFolder) write(ctx context.Context, to map[string]string) error {
	name := func(n string) string {
		if other, ok := to[n]; ok {
			return other
		}
		if owners := f.owners[n]; len(owners) == 1 { // an entity that is as it was
			return graph.Local(owners[0])
		}
		return n
	}
	var chunks []string
	for chunk, all := range f.chunks {
		for m := range all {
			if name(m.name) != m.entity {
				chunks = append(chunks, chunk)
				break
			}
		}
	}
	slices.Sort(chunks)
	f.chunks = nil
	return f.rewriteMentions(ctx, chunks, func(c graph.Chunk, m *resolve.Mentions) (resolve.Mentions, bool) {
		folded, changed := m.Fold(f.Corpus, c, name)
		return folded, changed
	}, true)
}

// introduceAll notes in all chunks which abbreviations they introduce, and marks all entities, in
// a corpus of a version that did neither.
func (s *derivation) introduceAll(ctx context.Context) error {
	if _, err := s.writer.MarkKind(ctx, graph.KindEntity, "derive"); err != nil {
		return err
	}
	for page, err := range pages(ctx, s.Corpus, s.store.ChunkRowPage, foldPage, func(c neo4jstore.ChunkRow) string { return c.Key }) {
		if err != nil {
			return err
		}
		var chunks []string
		for _, c := range page {
			if len(resolve.Abbreviations(c.Text, s.nameRules)) > 0 {
				chunks = append(chunks, c.Key)
			}
		}
		err = s.rewriteMentions(ctx, chunks, func(c graph.Chunk, m *resolve.Mentions) (resolve.Mentions, bool) {
			s.introduce(c.Text, m)
			return *m, false
		}, false)
		if err != nil {
			return err
		}
	}
	return nil
}

// introduce adds the names that the text of a chunk introduces to its mentions.
func (e *effective) introduce(text string, m *resolve.Mentions) {
	if e.Model == nil {
		resolve.AddIntroduced(e.Corpus, text, e.nameRules, m)
	}
	resolve.Introduce(e.Corpus, text, e.nameRules, m)
}

// rewriteMentions writes the mentions of chunks again: what fold makes of them as they were
// before names were folded. fold reports whether they have to be kept as they were too.
func (s *derivation) rewriteMentions(ctx context.Context, chunks []string, fold func(graph.Chunk, *resolve.Mentions) (resolve.Mentions, bool), always bool) error {
	for part := range slices.Chunk(chunks, foldPage) {
		found, err := s.store.ChunkMentions(ctx, s.Corpus, part)
		if err != nil {
			return err
		}
		var writes []neo4jstore.ExtractionWrite
		for _, c := range found {
			m, err := unfolded(c)
			if err != nil {
				return fmt.Errorf("chunk %s: %w", c.Chunk.Key, err)
			}
			before := m.Encode()
			folded, changed := fold(c.Chunk, &m)
			w := extractionWrite(folded, s.counter)
			w.Chunk, w.Refolded = c.Chunk.Key, true
			if changed {
				w.Unfolded = before
			}
			if always || before != folded.Encode() {
				writes = append(writes, w)
			}
		}
		if err := s.writer.WriteExtractions(ctx, writes); err != nil {
			return fmt.Errorf("write folded names: %w", err)
		}
	}
	return nil
}

// unfolded returns the mentions of a chunk as they were before names were folded.
func unfolded(c neo4jstore.ChunkMentions) (resolve.Mentions, error) {
	if c.Unfolded != "" {
		return resolve.Decode(c.Unfolded)
	}
	m := resolve.Mentions{Claims: c.Claims}
	for _, e := range c.Entities {
		m.Entities = append(m.Entities, resolve.NewEntityMention(resolve.EntityMention{Key: e.Entity, Names: e.Names, Types: e.Types, Descriptions: e.Descriptions, Absent: e.Absent, Same: e.Same}))
	}
	for _, l := range c.Relationships {
		m.Relationships = append(m.Relationships, resolve.RelationshipMention{
			Key: l.Relationship, Source: l.Source, Target: l.Target, Descriptions: l.Descriptions, Keywords: l.Keywords, Strength: l.Strength, Count: l.Count, Forward: l.Forward,
		})
	}
	return m, nil
}
