package llm

import (
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/tokens"
)

const (
	// minChecked is the number of tokens of a prompt from which on a report of fewer shows that
	// the server cuts prompts, and minShare the share that a complete prompt never falls below:
	// no vocabulary needs less than half of the tokens that are counted here.
	minChecked = 500
	minShare   = .4
	// minBytes is the least number of bytes of a token in a report that is not checked: below
	// that the text cannot have 1 / minShare times as many tokens.
	minBytes = 6
	// rememberedPrompts is how many prompts are kept to find what servers may have cached.
	rememberedPrompts = 8
)

// remember records a prompt and returns the ones before it.
func (c *windowedChat) remember(prompt string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted[cutPrompts] {
		return nil
	}
	earlier := slices.Clone(c.recent)
	c.recent = append(c.recent, prompt)
	c.recent = c.recent[max(0, len(c.recent)-rememberedPrompts):]
	return earlier
}

const cutPrompts = "prompts that are cut"

// checkRead warns once if the server reports far fewer tokens of the prompt than it has. Some
// servers leave out what they had cached: what the prompt has in common with the beginning of
// earlier ones does not count, and nothing does if the server reports cached tokens.
func (c *windowedChat) checkRead(ctx context.Context, prompt string, earlier []string, res Response) {
	read := int(res.Usage.TokensIn)
	if res.Estimated || read <= 0 || res.Usage.CachedTokens > 0 || read >= len(prompt)/minBytes {
		return
	}
	shared := 0
	for _, e := range earlier {
		shared = max(shared, commonPrefix(prompt, e))
	}
	counter, err := tokens.Get("")
	if err != nil {
		return
	}
	sent := counter.Count(strings.ToValidUTF8(prompt[shared:], ""))
	if sent < minChecked || float64(read) >= minShare*float64(sent) || !c.first(cutPrompts) {
		return
	}
	c.log.WarnContext(ctx, "the server cuts prompts, so that the model does not see all of the text: raise the context at the server, or tell neorag its size",
		"tokens_sent", sent, "tokens_read", read, "model", c.Model(), "how", c.provider.ContextAdvice())
}

// prompt returns all messages as one text.
func (r Request) prompt() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

// commonPrefix returns the number of bytes that two texts begin with in common.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
