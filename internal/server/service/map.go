package service

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/view/export"
	"github.com/neorag/neorag/internal/view/htmlmap"
)

// Limits of the maps that are kept in memory.
const (
	keptMaps     = 4
	keptMapBytes = 64 << 20
)

// A keptMap is the map of a corpus as it was at a time.
type keptMap struct {
	corpus string
	state  mapState
	page   []byte
}

// A mapState changes when a map does.
type mapState struct {
	generation, topology int64
	run                  time.Time // when the last run ended
}

// maps makes the maps of corpora, one at a time, and keeps the last ones.
type maps struct {
	turn chan struct{}
	kept []keptMap // last used last
}

func newMaps() *maps { return &maps{turn: make(chan struct{}, 1)} }

// Map returns the map of a corpus as a web page, as `neorag export --format html` writes it.
func (s *Service) Map(ctx context.Context, corpus string) ([]byte, error) {
	select {
	case s.maps.turn <- struct{}{}:
		defer func() { <-s.maps.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	state, err := s.mapState(ctx, corpus)
	if err != nil {
		s.maps.forget(corpus)
		return nil, err
	}
	if page := s.maps.find(corpus, state); page != nil {
		return page, nil
	}
	page, err := s.makeMap(ctx, corpus)
	if err != nil {
		return nil, fmt.Errorf("map of corpus %s: %w", corpus, err)
	}
	now, err := s.mapState(ctx, corpus)
	if err == nil && now == state {
		s.maps.keep(keptMap{corpus, state, page})
	}
	return page, err
}

func (s *Service) mapState(ctx context.Context, corpus string) (mapState, error) {
	c, err := s.shown(ctx, corpus)
	if err != nil {
		return mapState{}, err
	}
	runs, err := s.options.Store.Runs(ctx, corpus, 1)
	if err != nil {
		return mapState{}, err
	}
	state := mapState{generation: c.Generation, topology: c.Topology}
	if len(runs) > 0 {
		state.run = runs[0].Finished.UTC()
	}
	return state, nil
}

func (s *Service) makeMap(ctx context.Context, corpus string) ([]byte, error) {
	g, generation, err := export.Read(ctx, s.options.Store, corpus)
	if err != nil {
		return nil, err
	}
	source, err := htmlmap.Stored(ctx, s.options.Store, g)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := htmlmap.Write(&page, source); err != nil {
		return nil, err
	}
	now, err := s.options.Store.Generation(ctx, corpus)
	if err == nil && now != generation {
		err = export.ErrGraphChanged
	}
	return page.Bytes(), err
}

func (m *maps) forget(corpus string) {
	m.kept = slices.DeleteFunc(m.kept, func(k keptMap) bool { return k.corpus == corpus })
}

// find returns a map that is kept, nil if there is none of that state.
func (m *maps) find(corpus string, state mapState) []byte {
	i := slices.IndexFunc(m.kept, func(k keptMap) bool { return k.corpus == corpus && k.state == state })
	if i < 0 {
		return nil
	}
	found := m.kept[i]
	m.kept = append(slices.Delete(m.kept, i, i+1), found)
	return found.page
}

// keep keeps a map in place of an older one of its corpus, and drops those that were not used for longest.
func (m *maps) keep(k keptMap) {
	m.forget(k.corpus)
	m.kept = append(m.kept, k)
	size := 0
	for i, k := range slices.Backward(m.kept) {
		if size += len(k.page); size > keptMapBytes || len(m.kept)-i > keptMaps {
			m.kept = slices.Delete(m.kept, 0, i+1)
			return
		}
	}
}
