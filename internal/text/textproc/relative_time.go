package textproc

import (
	"regexp"
	"strings"
	"time"
)

// relativeDays match words for a day that depend on the day on which they are written, by the days between.
var relativeDays = []struct {
	days    int
	pattern func() *regexp.Regexp
}{
	{0, wholeWords(`today|tonight|this (?:morning|afternoon|evening)|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag|i ?dag|сегодня`, `今日|本日|今天|오늘`)},
	{-1, wholeWords(`yesterday|last night|gestern|hier|ayer|ieri|ontem|gisteren|i ?går|вчера`, `昨日|昨天|어제`)},
	{1, wholeWords(`tomorrow|demain|amanhã|domani|i ?morgen|i ?morgon|завтра`, `明日|明天|내일`)},
	{-2, wholeWords(`vorgestern|avant-hier|anteayer|eergisteren`, `一昨日|前天`)},
	{2, wholeWords(`übermorgen|après-demain|pasado mañana|overmorgen`, `明後日|后天`)},
}

// relativeSpans match words for a longer time that depend on when they are written.
var relativeSpans = wholeWords(`(?:last|next|this|the past|the coming) (?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)`+
	`|(?:letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?|nächste[nrs]?|kommende[nrs]?|diese[nrs]?) (?:woche|wochenende|monat|quartal|jahr|frühling|frühjahr|sommer|herbst|winter|\pL+tag)`+
	`|la semaine (?:dernière|prochaine)|(?:le mois|l['’]an|l['’]année) (?:derni(?:er|ère)|prochaine?)|la (?:semana) (?:pasada|próxima)|el (?:mes|año) (?:pasado|próximo)|la (?:settimana) (?:scorsa|prossima)|(?:il mese|l['’]anno) (?:scorso|prossimo)`+
	`|(?:vorige|volgende) (?:week|maand)|(?:förra|nästa|sidste|næste|forrige|neste) (?:veckan?|uge|uke|månad(?:en)?|måned|året?|år)|на (?:прошлой|следующей) неделе`, `先週|来週|先月|来月|上周|下周|上个月|下个月|지난주|다음 주`)

// wholeWords returns an expression for whole words, and for parts of texts without spaces.
func wholeWords(words, parts string) func() *regexp.Regexp {
	return lazily(`(?i)(?:^|[^\pL\pN])(` + words + `)(?:[^\pL\pN]|$)|(` + parts + `)`)
}

// RelativeTimeIn returns the first words of a text for a time that depends on when the text was written, ""
// for none. If it is one day, it is resolved by that of the text, unless this is zero.
func RelativeTimeIn(text string, written time.Time) (words string, day time.Time) {
	for _, r := range relativeDays {
		if words = firstGroup(r.pattern().FindStringSubmatch(text)); words != "" {
			if !written.IsZero() {
				day = written.AddDate(0, 0, r.days)
			}
			return words, day
		}
	}
	return firstGroup(relativeSpans().FindStringSubmatch(text)), time.Time{}
}

// firstGroup returns the first group of a match that is not empty.
func firstGroup(match []string) string {
	for _, group := range match[min(1, len(match)):] {
		if group != "" {
			return strings.TrimSpace(group)
		}
	}
	return ""
}
