package cli

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/config"
)

// effective is the shape of the settings in `doctor --json`. No key and no
// password is a setting, so that none is shown.
type effective struct {
	File   string           `json:"file"` // "" without one
	Values []effectiveValue `json:"values"`
}

type effectiveValue struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // a text, or a list of them; null where the default depends
	From  string `json:"from"`  // default, file, environment, flag
	Where string `json:"where,omitempty"`
}

func (c *command) effective() effective {
	out := effective{File: c.file}
	for _, s := range allSettings() {
		l := c.layers[s.Name]
		v := effectiveValue{Key: s.Name, From: l.from.String(), Where: l.where}
		switch {
		case len(l.items) == 0:
		case s.Kind == config.List || s.Kind == config.Pairs || s.Kind == config.Parameters:
			v.Value = l.items
		default:
			v.Value = withoutUser(l.text())
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// withoutUser takes user and password out of an address.
func withoutUser(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "(not shown)"
	}
	u.User = nil
	return u.String()
}

// settingsFinding says which file is used, and how much each layer sets.
func (c *command) settingsFinding() finding {
	n := map[origin]int{}
	for _, l := range c.layers {
		n[l.from]++
	}
	file := "no " + settingFile + " here; `neorag init` writes one"
	if c.file != "" {
		file = c.file
		if whole, err := filepath.Abs(file); err == nil {
			file = whole
		}
	}
	return finding{Check: "settings", OK: true, Detail: fmt.Sprintf("%s (set by file %d, environment %d, flags %d of %d)", file, n[fromFile], n[fromEnv], n[fromFlag], len(c.layers))}
}
