package cli

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// effectiveSettings is the shape of the settings in `doctor --json`. Keys and
// passwords are not settings, so none is shown.
type effectiveSettings struct {
	File    string             `json:"file"` // "" without one
	Values  []effectiveSetting `json:"values"`
	Ignored []ignoredSetting   `json:"ignored,omitempty"` // settings without effect, because their file was found and is not trusted
}

// An ignoredSetting has no effect because its file was found and is not trusted.
type ignoredSetting struct {
	Key   string `json:"key"`
	Where string `json:"where"`
}

type effectiveSetting struct {
	Key   string       `json:"key"`
	Value settingValue `json:"value"` // null if the default depends on something
	From  string       `json:"from" enum:"default,file,environment,flag"`
	Where string       `json:"where,omitempty"`
}

// A settingValue is a text, a list of texts, or nil.
type settingValue any

func effectiveSettingsOf(env *environment) effectiveSettings {
	out := effectiveSettings{File: env.withoutFolders(env.settings.File())}
	for _, v := range env.settings.Values() {
		e := effectiveSetting{Key: v.Name, From: v.Origin.String(), Where: env.withoutFolders(v.Where)}
		switch {
		case len(v.Items) == 0:
		case v.Kind == config.List || v.Kind == config.Pairs || v.Kind == config.Parameters:
			e.Value = v.Items
		default:
			e.Value = env.withoutFolders(withoutUser(v.Text()))
		}
		out.Values = append(out.Values, e)
	}
	ignored, _ := env.settings.Ignored()
	for _, v := range ignored {
		out.Ignored = append(out.Ignored, ignoredSetting{v.Name, env.withoutFolders(v.Where)})
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

// settingsFindings reports where the settings come from, and those that are ignored.
func settingsFindings(env *environment) []finding {
	found := []finding{settingsFinding(env.settings)}
	if text := env.ignoredSettings(); text != "" {
		found = append(found, finding{Check: "trust", Detail: text, Hint: trustHint})
	}
	return found
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
	return finding{Check: "settings", OK: true, Detail: fmt.Sprintf("%s (set by file %d, environment %d, flags %d of %d)", terminal.OneLine(file), n[config.FromFile], n[config.FromEnv], n[config.FromFlag], len(values))}
}
