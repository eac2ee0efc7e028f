package textproc

import "regexp"

// A Cue is what the words of a sentence show that answers a question, where no span of it is the answer.
type Cue int

// The cues. NoCue is any other.
const (
	NoCue  Cue = iota
	Place      // where something is: "is in", "near"
	Reason     // why something is so: "because", "so that"
)

// cueQuestions match the questions that a cue answers, in all languages.
var cueQuestions = map[Cue]func() *regexp.Regexp{
	Place:  lazily(`(?i)^\PL*(?:where|wo|wohin|où|d[oó]nde|dov['’]è|dove|onde|waar|var|hvor|где|куда|πού|איפה|היכן|أين)(?:\PL|$)|どこ|哪里|哪裡|哪儿|在哪|어디|कहाँ|ที่ไหน`),
	Reason: lazily(`(?i)^\PL*(?:why|warum|wieso|weshalb|pourquoi|por ?qu[eéê]|perch[eé]|waarom|varför|hvorfor|почему|зачем|γιατί|למה|מדוע|لماذا)(?:\PL|$)|なぜ|どうして|为什么|為什麼|为何|(?:^|\s)왜\s|क्यों|ทำไม`),
}

// cueSentences match the sentences that have a cue, in all languages.
var cueSentences = map[Cue]func() *regexp.Regexp{
	Place: lazily(`(?i)(?:^|\PL)(?:` +
		`(?:is|are|was|were|lies?|lay|stands?|stood|sits?|located|based|situated|found|kept|stored|held|place|lives?|lived|works?|hangs?|placed) (?:\pL+ ){0,2}(?:in|at|on|near|by|under|behind|besides?|between|inside|outside|opposite|above|below|north|south|east|west|next to)` +
		`|(?:befinde[nt]|befand|liegt|lag|liegen|steht|stand|ist|sind|war|waren|wohnt|findet|fand|hängt|sitzt) (?:\pL+ ){0,3}(?:in|im|am|an|auf|bei|beim|neben|unter|über|hinter|vor|zwischen|südlich|nördlich|östlich|westlich)` +
		`|(?:se trouve(?:nt)?|est|sont|était|situé\pL*|lieu) (?:\pL+ ){0,2}(?:dans|à|au|aux|en|sur|sous|près|derrière|devant|entre|chez)` +
		`|(?:se encuentran?|están?|estaba|queda|fica|ficam|situad[oa]s?|ubicad[oa]s?|encontra-se|si trova(?:no)?|è|sono|era) (?:\pL+ ){0,2}(?:en|em|no|na|nos|nas|in|nel|nell['’]\pL+|nella|nello|nei|nelle|al|sul|sulla|sobre|junto|cerca|detrás|entre|presso|sotto)` +
		`|(?:bevindt zich|zijn|ligt|staat|ligger|låg|lå|står|stod|finns|findes|er|är|var|befinner sig) (?:\pL+ ){0,2}(?:in|op|bij|aan|naast|achter|i|på|ved|vid|hos|under|bakom|bag|bak|mellan|mellem|mellom)` +
		`|наход(?:ится|ятся|ился|илась|илось)|расположен\pL*|βρίσκ\pL+|βρισκ\pL+|נמצא\pL*|ממוקמ\pL*|[يت]قع|[يت]وجد)(?:\PL|$)` +
		`|(?:में|पर) (?:है|हैं|था|थी|स्थित)|に(?:あり|ある|位置|います)|で(?:開催|行われ)|位于|位於|坐落|在.{1,20}(?:里|裡|上|旁|边|邊)|에 (?:있|위치)|ตั้งอยู่|อยู่ที่`),
	Reason: lazily(`(?i)(?:^|\PL)(?:because|since|so that|in order to|due to|therefore|thanks to|weil|damit|denn|deshalb|deswegen|daher|um .{1,60} zu|wegen|parce qu['’e]\pL*|car|afin|grâce|porque|para que|debido|ya que|perché|poiché|affinché|porqu[eê]|pois|devido|omdat|zodat|want|doordat|eftersom|därför|för att|fordi|derfor|for at|потому что|поскольку|так как|чтобы|из-за|επειδή|διότι|γιατί|ώστε|כי|כדי|משום|لأن\pL*|بسبب|لكي|क्योंकि|ताकि)(?:\PL|$)` +
		`|からです|ため[にでだ、。]|ので|因为|因為|由于|由於|以便|所以|때문|위해|เพราะ|เนื่องจาก`),
}

// cueOf returns what a sentence that answers a question shows.
func cueOf(question string) Cue {
	for _, c := range []Cue{Place, Reason} {
		if cueQuestions[c]().MatchString(question) {
			return c
		}
	}
	return NoCue
}

// In reports whether a sentence has the cue, false for NoCue.
func (c Cue) In(sentence string) bool {
	pattern := cueSentences[c]
	return pattern != nil && pattern().MatchString(sentence)
}

// announcements match the words of a sentence that announces the list after it.
var announcements = lazily(`(?i)(?:^|\PL)(?:follow(?:s|ing)|below|folgende[nrms]?|suivant\pL*|siguientes?|seguent[ei]|seguintes?|volgende|följande|følgende|следующ\pL+|ακόλουθ\pL+|הבא\pL*|הבאים|التالي\pL*|다음\pL*)(?:\PL|$)|次の|以下|如下|下列|ดังนี้|ต่อไปนี้|निम्न`)

// Announces reports whether a sentence announces what follows it.
func Announces(sentence string) bool { return announcements().MatchString(sentence) }
