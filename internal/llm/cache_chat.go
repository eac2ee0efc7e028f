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
	cache     *Cache
	providers []string // fingerprints of the servers: answers of all are read, and stored as answers of the first
	flights   flightGroup
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
	keys, err := keysOf(c.providers, func(provider string) (string, error) { return chatKey(provider, c.Model(), req) })
	if err != nil {
		return Response{}, err
	}
	done, err := c.flights.join(ctx, keys[0], func() bool {
		_, _, ok := c.load(keys, req)
		return ok
	})
	if err != nil {
		return Response{}, err
	}
	defer done()
	if key, stored, ok := c.load(keys, req); ok {
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
		c.cache.note(ctx, keys[0]) // before it is written, so that no answer lacks its use
		err = c.cache.put(kindChat, keys[0], b)
	}
	c.cache.warn(err) // not returned: the answer is paid for and usable without the cache
	return res, nil
}

// load returns the stored answer to a request with its key, if there is one that is still valid.
func (c *cachedChat) load(keys []string, req Request) (key string, answer cachedAnswer, ok bool) {
	for _, key := range keys {
		b, ok := c.cache.get(kindChat, key)
		var s cachedAnswer
		if ok && json.Unmarshal(b, &s) == nil && acceptable(req, s.Text) {
			return key, s, true
		}
	}
	return "", cachedAnswer{}, false
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
