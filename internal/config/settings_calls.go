package config

import (
	"strings"
	"time"
)

// CallLimits bound the calls to a model. A zero value means the client's default.
type CallLimits struct {
	Timeout           time.Duration // of one attempt
	IdleTimeout       time.Duration // longest silence within one
	RequestsPerMinute float64
	TokensPerMinute   float64
	Section           string // of the settings whose limits apply, such as models.chat; for messages
}

// callSettings are the limits of the models of a section that is not a task. The settings of
// chat describe them for all sections.
func callSettings(section, timeout, idle string, rates bool) []Setting {
	all := []Setting{
		{Key: Key{Name: "timeout", Kind: Duration, Doc: "Longest time for one attempt of a call, such as 90s or 20m."}, DefaultText: timeout},
		{
			Key:         Key{Name: "idle_timeout", Kind: Duration, Doc: "Longest time in which the server may send nothing, such as 2m. An answer that is not streamed comes\nwhen it is complete: the model's whole work is silence."},
			DefaultText: idle,
		},
	}
	if rates {
		all = append(all,
			Setting{
				Key:         Key{Name: "requests_per_minute", Kind: Number, Bounds: between(0, maxRate), Doc: "Limits of your account. Empty: the limits that the server reports in its headers, if any."},
				DefaultText: "the server's, if it reports them",
			},
			Setting{Key: Key{Name: "tokens_per_minute", Kind: Number, Bounds: between(0, maxRate)}, DefaultText: "the server's, if it reports them"},
		)
	}
	for i, s := range all {
		variable := strings.ToUpper(s.Name)
		if section != "chat" {
			variable = strings.ToUpper(section) + "_" + variable
			all[i].Doc = ""
		}
		all[i].Risk = Spends
		all[i].Env = one("NEORAG_" + variable)
		all[i].Name = "models." + section + "." + s.Name
	}
	return all
}

// callLimits returns the limits of a section. Those that it lacks are inherited.
func (c *Config) callLimits(section string, inherited CallLimits) CallLimits {
	l, key := inherited, "models."+section
	own := override(c, &l.Timeout, key+".timeout")
	own = override(c, &l.IdleTimeout, key+".idle_timeout") || own
	if own || l.Section == "" {
		l.Section = key
	}
	if section != "rerank" {
		override(c, &l.RequestsPerMinute, key+".requests_per_minute")
		override(c, &l.TokensPerMinute, key+".tokens_per_minute")
	}
	return l
}
