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
	return &ucli.StringFlag{Name: "corpus", Usage: "use the corpus `NAME` (NEORAG_CORPUS)"}
}

func corpusOptionsFrom(cc *ucli.Context) (corpusOptions, error) {
	o := corpusOptions{cmp.Or(cc.String("corpus"), config.DefaultCorpus)}
	if err := graph.CheckCorpus(o.corpus); err != nil {
		return o, usageError(err)
	}
	return o, nil
}

// anyCorpusFlag is the flag of commands that show or check all corpora unless one is
// named. The verb is what they do.
func anyCorpusFlag(verb string) ucli.Flag {
	return &ucli.StringFlag{Name: "corpus", Usage: verb + " only the corpus `NAME` (NEORAG_CORPUS)", DefaultText: "all"}
}

// anyCorpusOptionsFrom returns "" if no corpus is named.
func anyCorpusOptionsFrom(cc *ucli.Context) (corpusOptions, error) {
	if cc.String("corpus") == "" {
		return corpusOptions{}, nil
	}
	return corpusOptionsFrom(cc)
}

// corporaOptions name the corpora that a question is answered from, at least one.
type corporaOptions struct{ corpora []string }

func corporaFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "corpus", Usage: "use the corpus `NAME`, or several separated by commas (NEORAG_CORPUS)"}
}

func corporaOptionsFrom(cc *ucli.Context) (corporaOptions, error) {
	o := corporaOptions{strings.Split(cmp.Or(cc.String("corpus"), config.DefaultCorpus), ",")}
	for i, name := range o.corpora {
		o.corpora[i] = strings.TrimSpace(name)
		if err := graph.CheckCorpus(o.corpora[i]); err != nil {
			return o, usageError(err)
		}
	}
	return o, nil
}
