package llm

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
)

// cachedChat answers from the cache. Equal requests that come while the first
// is under way wait for it.
type cachedChat struct {
	inner
	cache    *Cache
	provider string
	flights  flightGroup
}

// cachedAnswer is an answer on disk. The model is there for whoever looks at the file.
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
	if text, ok := c.load(key, req); ok {
		if req.Stream != nil {
			req.Stream(text)
		}
		return Response{Text: text, Finish: FinishStop, Cached: true}, nil
	}
	res, err := c.inner.Chat(ctx, req)
	if err != nil || !cacheable(req, res) {
		return res, err
	}
	b, err := json.Marshal(cachedAnswer{Model: c.Model(), TokensIn: res.Usage.TokensIn, TokensOut: res.Usage.TokensOut, Text: res.Text})
	if err == nil {
		err = c.cache.put(kindChat, key, b)
	}
	c.cache.warn(err) // the answer is paid for: it is not lost with the disk
	return res, nil
}

// load finds a stored answer that is still valid.
func (c *cachedChat) load(key string, req Request) (string, bool) {
	b, ok := c.cache.get(kindChat, key)
	if !ok {
		return "", false
	}
	var s cachedAnswer
	if json.Unmarshal(b, &s) != nil {
		return "", false
	}
	return s.Text, acceptable(req, s.Text)
}

func cacheable(req Request, res Response) bool {
	return res.Finish == FinishStop && acceptable(req, res.Text)
}

// acceptable reports that a text is an answer to the request.
func acceptable(req Request, text string) bool {
	if strings.TrimSpace(text) == "" || req.Schema != nil && !json.Valid([]byte(text)) {
		return false
	}
	return req.Valid == nil || req.Valid(text) == nil
}

// flightGroup keeps equal requests of one process from being asked twice.
type flightGroup struct {
	mu   sync.Mutex
	open map[string]chan struct{}
}

// join returns when the caller may look for the answer and ask for it: at once,
// or when whoever asks for the same is done. The caller calls done at the end.
func (f *flightGroup) join(ctx context.Context, key string, ready func() bool) (done func(), err error) {
	for waited := false; ; waited = true {
		if waited && ready() {
			return func() {}, nil // those who waited need not go one by one
		}
		f.mu.Lock()
		first, busy := f.open[key]
		if !busy {
			if f.open == nil {
				f.open = map[string]chan struct{}{}
			}
			mine := make(chan struct{})
			f.open[key] = mine
			f.mu.Unlock()
			return func() {
				f.mu.Lock()
				delete(f.open, key)
				f.mu.Unlock()
				close(mine)
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
