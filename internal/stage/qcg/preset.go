package qcg

import (
	"fmt"
	"math"
	"strings"
)

// A Preset is the settings of a search that suit a kind of corpus (QCG-RAG, appendix B.3).
type Preset struct {
	Name       string
	Seeds      int     // most pairs that the question finds
	Gamma      float64 // least score of these: cosine plus one
	Neighbours int     // of a pair, when pairs are linked
}

// MaxNeighbours is the most neighbours of a node.
const MaxNeighbours = 20

// presets are all presets, the default first.
var presets = []Preset{{"news", DefaultSeeds, DefaultGamma, DefaultNeighbours}, {"dialogue", 10, 1.5, 2}}

// FindPreset returns the preset of a name, and the default one for an empty name.
func FindPreset(name string) (Preset, error) {
	var names []string
	for _, p := range presets {
		if p.Name == name || name == "" {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fmt.Errorf("no preset %q: choose %s", name, strings.Join(names, " or "))
}

// A Scale is where the cosines of an embedder lie, in a corpus: the mean of pairs that have
// nothing to do with each other, and of a pair with its nearest neighbour. The zero value
// means that it is not known.
type Scale struct{ Unrelated, Near float64 }

// PaperScale is the scale for which the gammas of the presets were chosen. It is assumed for
// all-MiniLM-L6-v2, the embedder of the paper.
var PaperScale = Scale{Unrelated: .05, Near: .7}

// OnPaperScale returns where a score, a cosine plus one, on this scale lies on PaperScale, so that
// scores of corpora with different vectors can be compared.
func (s Scale) OnPaperScale(score float64) float64 {
	p := PaperScale
	if s.Near <= s.Unrelated {
		return score
	}
	return 1 + p.Unrelated + float64((score-1-s.Unrelated)/(s.Near-s.Unrelated)*(p.Near-p.Unrelated))
}

// Calibrate returns the gamma on this scale that lies where the given one lies on PaperScale,
// rounded to thousandths. A gamma of at most 1, a cosine of at most 0, stays as it is.
func (s Scale) Calibrate(gamma float64) float64 {
	p := PaperScale
	if s.Near <= s.Unrelated {
		return gamma
	}
	cosine := gamma - 1
	if cosine <= 0 { // it takes all, on every scale
		return gamma
	}
	if cosine < p.Unrelated {
		return math.Round(1000*(1+cosine*s.Unrelated/p.Unrelated)) / 1000
	}
	share := (cosine - p.Unrelated) / (p.Near - p.Unrelated)
	return math.Round(1000*(1+s.Unrelated+share*(s.Near-s.Unrelated))) / 1000
}
