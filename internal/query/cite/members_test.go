package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestQuoteMembers: each member of a list that a statement names is shown by the place that names it,
// wherever that is in the text, and nothing is shown for what only has the words of a member.
func TestQuoteMembers(t *testing.T) {
	t.Parallel()
	const (
		fulling = "A fulling mill beats the cloth with hammers of oak."
		paper   = "Upstream a paper mill grinds rags to pulp."
		saw     = "The saw mill cuts beams for the ships of the port."
		oil     = "In spring an oil mill presses the seeds of flax."
		barges  = "Flour is carried from the mills on barges."
		carts   = "In winter, when the river is frozen, carts carry the flour."
		trains  = "Since the railway came, most of the flour is carried by trains."
		mill    = "Four mills stand on the river Wend. " + fulling + " Its noise is heard in the village. " + paper + " Nobody lives next to it. " +
			saw + " The miller of Wend is old. " + oil + " Trains of thought are not wanted in the yard. "
		carried = barges + " The barges are flat. " + carts + " The horses wear iron shoes then. " + trains + " The station is new. "
		tools   = "The smith needs these tools for the wheel of a mill:\n\n- a hammer with a long shaft of ash, which the cooper makes for him in the autumn\n\n- tongs of iron\n\n- a file\n\n- wedges\n\n- a saw of hard steel for the teeth of the wheel\n"
	)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/mill":    chunkEvidence("c/mill", mill),
		"c/carried": chunkEvidence("c/carried", carried),
		"c/tools":   chunkEvidence("c/tools", tools),
	}}
	var records []Record
	for _, key := range []string{"mill", "carried", "tools"} {
		g.nodes["c/report-"+key] = neo4jstore.Evidence{
			Kind: graph.KindReport, Key: "c/report-" + key, Text: "Mills\n\nThe mills of the valley. [1]",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/" + key}},
		}
		records = append(records, Record{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/report-" + key}})
	}
	for _, tc := range []struct {
		name, generated string
		want            []string
	}{
		{"in several sentences", "The mills of the valley are a fulling mill, a paper mill, a saw mill and an oil mill [1].", []string{fulling + " Its noise is heard in the village. " + paper, saw + " The miller of Wend is old. " + oil}},
		{"in several paragraphs", "Flour is carried on barges, carts and trains [2].", []string{carts + " The horses wear iron shoes then. " + trains, barges}},
		{"in a list", "The smith needs a hammer, tongs, a file, wedges and a saw for the wheel [3].", []string{tools[:len(tools)-1]}},
		{"not in the text", "The mills of the valley are a fulling mill, a paper mill, a tide mill and a wind mill [1].", []string{fulling + " Its noise is heard in the village. " + paper}},
		{"no list", "The fulling mill beats the cloth with hammers of oak, and an old miller of Wend thinks of trains [1].", []string{fulling, "The miller of Wend is old. " + oil + " Trains of thought are not wanted in the yard."}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			quotedAs(t, g, tc.generated, records, tc.want)
		})
	}
}

// TestQuoteOfGeneralSentence: the sentence that says what a statement says is shown, not only its
// neighbours with more of the words around it.
func TestQuoteOfGeneralSentence(t *testing.T) {
	t.Parallel()
	const (
		ripens = "The cheese of the Alp ripens in a cellar of the village."
		cellar = "The cellar of the village is the largest cellar on the Alp, and its cheese is turned by hand."
		milk   = "Every cheese begins as milk."
		fed    = "The cows of the Alp are fed with hay in winter, and the milk is fat."
		source = ripens + " " + cellar + " " + "Salt is brought from the valley. " + milk + " The herdsman carries it down. " + fed
	)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk": chunkEvidence("c/chunk", source),
		"c/alp": {
			Kind: graph.KindReport, Key: "c/alp", Text: "Cheese\n\nThe cheese of the village begins as milk on the Alp and is turned by hand in the largest cellar. [1]",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}},
		},
	}}
	records := []Record{{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/alp"}}}
	for _, tc := range []struct {
		name, generated string
		want            []string
	}{
		{"a general sentence", "Every cheese of the Alp begins as milk in a village [1.1].", []string{cellar + " Salt is brought from the valley. " + milk}},
		{"a general sentence alone", "Every cheese begins as milk of some sort [1.1].", []string{milk}},
		{"words of what is cited", "The cheese of the village is turned by hand [1.1].", []string{cellar}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			quotedAs(t, g, tc.generated, records, tc.want)
		})
	}
}

// TestQuoteDates: a year that the text names before what it tells is quoted with it, unless it is too far away.
func TestQuoteDates(t *testing.T) {
	t.Parallel()
	const (
		year   = "In 1943 the advantage shifted to the mills."
		wheels = "By now they had wheels of iron for the frost."
		far    = "Carts came from the valley. Millers sang. A weir kept the water high. The bakers praised the fine flour."
		source = "The mills were old. " + year + " " + wheels + " " + far
	)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk": chunkEvidence("c/chunk", source),
		"c/mills": {Kind: graph.KindEntity, Key: "c/mills", Text: "Mills.", Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}},
	}}
	records := []Record{{Reference: graph.Reference{Kind: graph.KindEntity, Key: "c/mills"}}}
	for generated, want := range map[string][]string{
		"In 1943 they had wheels of iron for the frost [1].": {year + " " + wheels},
		"They had wheels of iron for the frost [1].":         {wheels},
		"In 1943 the bakers praised the fine flour [1].":     {"The bakers praised the fine flour."},
		"In 1944 they had wheels of iron for the frost [1].": {wheels},
	} {
		t.Run(generated, func(t *testing.T) {
			t.Parallel()
			quotedAs(t, g, generated, records, want)
		})
	}
}
