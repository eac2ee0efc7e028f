package cli

import (
	"cmp"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/graph"
)

func corpusFlag() ucli.Flag {
	return ownFlag("corpus", "")
}

// corpusFrom returns the corpus of a command.
func corpusFrom(cc invocation) (string, error) { return corpusNamed(cc.settings.Text("corpus")) }

// corpusNamed returns the corpus of a name; "" means the default.
func corpusNamed(name string) (string, error) {
	name = cmp.Or(name, config.DefaultCorpus)
	if err := graph.CheckCorpus(name); err != nil {
		return "", usageError(err)
	}
	return name, nil
}

// anyCorpusFlag is the flag of commands that show or check all corpora unless one is
// named. The verb is what they do.
func anyCorpusFlag(verb string) ucli.Flag {
	s := config.Find("corpus")
	s.Usage, s.DefaultText = verb+" only the corpus `NAME` (NEORAG_CORPUS)", "all"
	return flagOf(s)
}

func corporaFlag() ucli.Flag {
	return ownFlag("corpus", "use the corpus `NAME`, or several separated by commas (NEORAG_CORPUS)")
}

// corporaFrom returns the corpora that a question is answered from, at least one.
func corporaFrom(cc invocation) ([]string, error) {
	corpora := strings.Split(cmp.Or(cc.settings.Text("corpus"), config.DefaultCorpus), ",")
	for i, name := range corpora {
		corpora[i] = strings.TrimSpace(name)
		if err := graph.CheckCorpus(corpora[i]); err != nil {
			return nil, usageError(err)
		}
	}
	return corpora, nil
}
