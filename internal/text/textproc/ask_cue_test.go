package textproc

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestCues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, shows, not string
		cue                  Cue
	}{
		{"Where is the museum?", "The museum is in the old mill.", "In May the museum bought a boat.", Place},
		{"Wo liegt das Dorf?", "Das Dorf liegt südlich der Brücke.", "Das Dorf wurde im Mai verkauft.", Place},
		{"Où se trouve la gare ?", "La gare se trouve derrière le marché.", "La gare a trois voies.", Place},
		{"Var ligger hamnen?", "Hamnen ligger vid torget.", "Hamnen byggdes 1862.", Place},
		{"Где находится музей?", "Музей находится у реки.", "Музей купил лодку.", Place},
		{"博物馆在哪里？", "博物馆位于河边。", "博物馆有三层。", Place},
		{"Why does the lamp turn?", "It turns because sailors know it by its flashes.", "The lamp turns slowly.", Reason},
		{"Warum wird früh gemessen?", "Früh wird gemessen, weil das Wasser dann ruhig ist.", "Früh wird gemessen.", Reason},
		{"Pourquoi la lampe tourne-t-elle ?", "Elle tourne parce qu'elle est un signal.", "Elle tourne lentement.", Reason},
		{"なぜ回転しますか？", "見分けるためです。回転するのは必要だからです。", "ランプは回転します。", Reason},
		{"Who was here?", "", "He was in the house because it rained.", NoCue},
	} {
		cue := FormOf(tt.question, language.Unknown).Cue
		if cue != tt.cue || cue.In(tt.shows) != (cue != NoCue) || cue.In(tt.not) {
			t.Errorf("%s: cue %d, in %q: %v, in %q: %v", tt.question, cue, tt.shows, cue.In(tt.shows), tt.not, cue.In(tt.not))
		}
	}
}

func TestAnnounces(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"Visitors bring the following.": true, "Bringt bitte Folgendes mit.": true, "Die folgenden Dinge sind nötig.": true,
		"관람객은 다음을 가져와야 합니다.": true, "持ち物は次のとおりです。": true, "Nothing is said of it.": false,
	} {
		if got := Announces(sentence); got != want {
			t.Errorf("%q: %v, want %v", sentence, got, want)
		}
	}
}
