package cli

import (
	"cmp"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/graph"
)

// corpusOptions name the corpus of a command.
type corpusOptions struct{ corpus string }

func corpusFlag() ucli.Flag {
	return ownFlag("corpus", "")
}

func corpusOptionsFrom(cc invocation) (corpusOptions, error) {
	return corpusNamed(cc.settings.Text("corpus"))
}

// corpusNamed returns the corpus of a name; "" means the default.
func corpusNamed(name string) (corpusOptions, error) {
	o := corpusOptions{cmp.Or(name, config.DefaultCorpus)}
	if err := graph.CheckCorpus(o.corpus); err != nil {
		return o, usageError(err)
	}
	return o, nil
}

// anyCorpusFlag is the flag of commands that show or check all corpora unless one is
// named. The verb is what they do.
func anyCorpusFlag(verb string) ucli.Flag {
	s := config.Find("corpus")
	s.Usage, s.DefaultText = verb+" only the corpus `NAME` (NEORAG_CORPUS)", "all"
	return flagOf(s)
}

// anyCorpusOptionsFrom returns "" if no corpus is named.
func anyCorpusOptionsFrom(cc invocation) (corpusOptions, error) {
	if cc.settings.Text("corpus") == "" {
		return corpusOptions{}, nil
	}
	return corpusOptionsFrom(cc)
}

// corporaOptions name the corpora that a question is answered from, at least one.
type corporaOptions struct{ corpora []string }

func corporaFlag() ucli.Flag {
	return ownFlag("corpus", "use the corpus `NAME`, or several separated by commas (NEORAG_CORPUS)")
}

func corporaOptionsFrom(cc invocation) (corporaOptions, error) {
	o := corporaOptions{strings.Split(cmp.Or(cc.settings.Text("corpus"), config.DefaultCorpus), ",")}
	for i, name := range o.corpora {
		o.corpora[i] = strings.TrimSpace(name)
		if err := graph.CheckCorpus(o.corpora[i]); err != nil {
			return o, usageError(err)
		}
	}
	return o, nil
}
