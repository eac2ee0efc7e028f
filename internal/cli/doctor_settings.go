package cli

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/config"
)

// effectiveSettings is the shape of the settings in `doctor --json`. Keys and
// passwords are not settings, so none is shown.
type effectiveSettings struct {
	File   string             `json:"file"` // "" without one
	Values []effectiveSetting `json:"values"`
}

type effectiveSetting struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // a text or a list of texts; null if the default depends on something
	From  string `json:"from"`  // default, file, environment, flag
	Where string `json:"where,omitempty"`
}

func effectiveSettingsOf(settings *config.Config) effectiveSettings {
	out := effectiveSettings{File: settings.File()}
	for _, v := range settings.Values() {
		e := effectiveSetting{Key: v.Name, From: v.Origin.String(), Where: v.Where}
		switch {
		case len(v.Items) == 0:
		case v.Kind == config.List || v.Kind == config.Pairs || v.Kind == config.Parameters:
			e.Value = v.Items
		default:
			e.Value = withoutUser(v.Text())
		}
		out.Values = append(out.Values, e)
	}
	return out
}

// withoutUser removes user and password from an address.
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

// settingsFinding reports the file of settings and how many settings each layer sets.
func settingsFinding(settings *config.Config) finding {
	n := map[config.Origin]int{}
	values := settings.Values()
	for _, v := range values {
		n[v.Origin]++
	}
	file := "no " + config.FileName + " here; `neorag init` writes one"
	if settings.File() != "" {
		file = settings.File()
		if whole, err := filepath.Abs(file); err == nil {
			file = whole
		}
	}
	return finding{Check: "settings", OK: true, Detail: fmt.Sprintf("%s (set by file %d, environment %d, flags %d of %d)", file, n[config.FromFile], n[config.FromEnv], n[config.FromFlag], len(values))}
}
