package query

import (
	"regexp"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text/language"
)

// courtesyWords are what is said to a program and asks nothing, as regular expressions by language.
var courtesyWords = []struct {
	language language.Language
	words    string
}{
	{language.English, `thanks?|thank you|thx|ta|cheers|great|cool|nice|perfect|good|fine|got it|i see|hi|hello|hey|good (?:morning|afternoon|evening)|bye|goodbye|so much|very much|a lot|then|all|everyone|that helps|you`},
	{language.German, `danke|schön|sehr|vielen dank|gut|alles klar|hallo|guten (?:tag|morgen|abend)|tschüss|dankeschön`},
	{language.French, `merci(?: beaucoup)?|bonjour|salut|d['’]accord|au revoir`},
	{language.Spanish, `gracias|muchas gracias|hola|vale|adiós`},
	{language.Italian, `grazie(?: mille)?|ciao|buongiorno|va bene`},
	{language.Portuguese, `obrigad[oa]|olá|bom dia`},
	{language.Dutch, `dank(?: je| u)?|bedankt|dag`},
	{language.Swedish, `tack(?: så mycket)?|hej`},
	{language.Norwegian, `takk|hei`},
	{language.Danish, `mange tak|tak|hej`},
	{language.Russian, `спасибо|привет|здравствуйте`},
	{language.Chinese, `谢谢|謝謝|你好`},
	{language.Japanese, `ありがとう(?:ございます)?|こんにちは`},
	{language.Korean, `감사합니다|고맙습니다|안녕하세요`},
	{language.Greek, `ευχαριστώ|γεια(?: σας)?`},
	{language.Arabic, `شكرا|مرحبا`},
	{language.Hebrew, `תודה|שלום`},
}

// courtesies match courtesyWords, in their order.
var courtesies = sync.OnceValue(func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(courtesyWords))
	for i, c := range courtesyWords {
		out[i] = regexp.MustCompile(`(?i)^(?:(?:ok(?:ay)?|super|` + c.words + `)[\s,.!…]*)+$`)
	}
	return out
})

// courtesyOf returns the language of a question that is only words of thanks, greeting or agreement; false for
// any other question.
func courtesyOf(question string) (language.Language, bool) {
	for i, pattern := range courtesies() {
		if pattern.MatchString(strings.TrimSpace(question)) {
			return courtesyWords[i].language, true
		}
	}
	return language.Unknown, false
}
