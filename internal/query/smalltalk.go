package query

import (
	"regexp"
	"strings"
	"sync"
)

// courtesies match what is said to a program and asks nothing.
var courtesies = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:thanks?|thank you|thx|ta|cheers|ok(?:ay)?|great|cool|nice|perfect|good|fine|got it|i see|hi|hello|hey|good (?:morning|afternoon|evening)|bye|goodbye|danke(?:schön)?|vielen dank|super|gut|alles klar|hallo|guten (?:tag|morgen|abend)|tschüss|merci(?: beaucoup)?|bonjour|salut|d'accord|au revoir|gracias|muchas gracias|hola|vale|adiós|grazie(?: mille)?|ciao|buongiorno|va bene|obrigad[oa]|olá|bom dia|dank(?: je| u)?|bedankt|dag|tack(?: så mycket)?|hej|tak|takk|hei|спасибо|привет|здравствуйте|谢谢|謝謝|你好|ありがとう(?:ございます)?|こんにちは)(?: (?:so much|very much|a lot|then|schön|sehr|all|everyone|that helps|you))?[\s,.!…]*)+$`)
})

// isCourtesy reports whether a question is only a word of thanks, greeting or agreement.
func isCourtesy(question string) bool { return courtesies().MatchString(strings.TrimSpace(question)) }

// courtesyAnswer answers such a question.
const courtesyAnswer = "You are welcome. Ask a question about the documents of this corpus, such as “What are the main themes?”"
