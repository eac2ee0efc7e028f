package llm

import (
	"context"
	"encoding/json"
	"sync"
)

// cachedChat answers from the cache. Equal requests wait while the first of them is in
// flight.
type cachedChat struct {
	inner
	cache    *Cache
	provider string
	flights  flightGroup
}

// cachedAnswer is the content of a cache entry. The model is there for people who open
// the file.
type cachedAnswer struct {
	Model     string `json:"model"`
	TokensIn  int64  `json:"tokens_in"`
	TokensOut int64  `json:"tokens_out"`
	Text      string `json:"text"`
}

func (c *cachedChat) Chat(ctx context.Context, req Request) (Response, error) {
	if c.cache.off() {
		return c.inner.Chat(ctx, req)
	}
	key, err := chatKey(c.provider, c.Model(), req)
	if err != nil {
		return Response{}, err
	}
	done, err := c.flights.join(ctx, key, func() bool {
		_, ok := c.load(key, req)
		return ok
	})
	if err != nil {
		return Response{}, err
	}
	defer done()
	if stored, ok := c.load(key, req); ok {
		c.cache.note(ctx, key)
		if req.Stream != nil {
			req.Stream(stored.Text)
		}
		return Response{
			Text: stored.Text, Finish: FinishStop, Cached: true,
			Saved: Usage{Calls: 1, TokensIn: stored.TokensIn, TokensOut: stored.TokensOut},
		}, nil
	}
	res, err := c.inner.Chat(ctx, req)
	if err != nil || !cacheable(req, res) {
		return res, err
	}
	b, err := json.Marshal(cachedAnswer{Model: c.Model(), TokensIn: res.Usage.TokensIn, TokensOut: res.Usage.TokensOut, Text: res.Text})
	if err == nil {
		c.cache.note(ctx, key) // before it is written, so that no answer lacks its use
		err = c.cache.put(kindChat, key, b)
	}
	c.cache.warn(err) // not returned: the answer is paid for and usable without the cache
	return res, nil
}

// load returns the stored answer to a request, if there is one that is still valid.
func (c *cachedChat) load(key string, req Request) (cachedAnswer, bool) {
	b, ok := c.cache.get(kindChat, key)
	if !ok {
		return cachedAnswer{}, false
	}
	var s cachedAnswer
	if json.Unmarshal(b, &s) != nil {
		return cachedAnswer{}, false
	}
	return s, acceptable(req, s.Text)
}

// cacheable reports whether an answer may be stored: only complete and valid ones.
func cacheable(req Request, res Response) bool {
	complete := res.Finish == FinishStop || res.Finish == FinishLength && req.MayEndAtLimit
	return complete && acceptable(req, res.Text)
}

// acceptable reports whether a text is a valid answer to the request.
func acceptable(req Request, text string) bool {
	if req.Schema != nil && !json.Valid([]byte(text)) {
		return false
	}
	return invalidText(req, text) == nil
}

// A flightGroup prevents equal requests of one process from being sent concurrently. It
// is not x/sync/singleflight, which would share the first caller's cancellation, and
// answers that another caller's Valid refuses.
type flightGroup struct {
	mu       sync.Mutex
	inFlight map[string]chan struct{}
}

// join waits until no other caller with the same key is in flight, or ready reports that
// the answer is stored. Then the caller may look for the answer and ask for it, and must
// call done in the end. A caller that fails thus leaves the next one to try.
func (f *flightGroup) join(ctx context.Context, key string, ready func() bool) (done func(), err error) {
	for waited := false; ; waited = true {
		if waited && ready() {
			return func() {}, nil // callers that waited need not go one by one
		}
		f.mu.Lock()
		first, busy := f.inFlight[key]
		if !busy {
			if f.inFlight == nil {
				f.inFlight = map[string]chan struct{}{}
			}
			ended := make(chan struct{})
			f.inFlight[key] = ended
			f.mu.Unlock()
			return func() {
				f.mu.Lock()
				delete(f.inFlight, key)
				f.mu.Unlock()
				close(ended)
			}, nil
		}
		f.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-first:
		}
	}
}
