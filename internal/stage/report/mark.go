package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// kindWords are the words for kinds of records in marks, in lower case: those that prompts
// show, other forms of them, and words of other languages, into which models translate them.
var kindWords = map[graph.Kind]string{
	graph.KindReport: "report reports bericht berichte berichten rapport rapports informe informes rapporto rapporti relatório relatórios verslag verslagen отчет отчёт отчеты отчёты 报告 報告 レポート",
	graph.KindEntity: "entity entities entität entitäten entité entités entidad entidades entidade entità entiteit entiteiten сущность сущности 实体 實體 エンティティ",
	graph.KindRelationship: "relationship relationships relation relations beziehung beziehungen relación relaciones relazione relazioni relação relações relatie relaties " + //nolint:misspell // Portuguese and Dutch
		"связь связи 关系 關係 関係",
	graph.KindClaim: "claim claims behauptung behauptungen aussage aussagen affirmation affirmations afirmación afirmaciones affermazione affermazioni afirmação afirmações " +
		"bewering beweringen утверждение утверждения 声明 主张 主張",
	graph.KindChunk: "source sources chunk chunks quelle quellen fuente fuentes fonte fonti fontes bron bronnen источник источники 来源 來源 出典 ソース",
}

// recordWords are words for records of any kind, in lower case: what models write in place of the
// kinds that prompts show.
const recordWords = " passage passages document documents doc docs text texts excerpt excerpts extract extracts snippet snippets record records item items " +
	"abschnitt abschnitte dokument dokumente textstelle textstellen auszug auszüge datensatz datensätze extrait extraits " +
	"documento documentos pasaje pasajes registro registros fragmento fragmentos brano brani documenten fragment fragmenten "

// markOpeners are words before the word of a kind in marks, in lower case.
const markOpeners = " community source see cf from vgl siehe aus voir véase "

// markLabels are the words before a colon at the beginning of a mark, in lower case.
const markLabels = " data daten données donnees datos dati dados gegevens данные 数据 數據 データ "

// markConnectors are words between the numbers of a mark, in lower case.
const markConnectors = " and und et y e en и 和 と more mehr plus "

// wordKinds maps each of kindWords to its kind.
var wordKinds = func() map[string]graph.Kind {
	kinds := map[string]graph.Kind{}
	for kind, words := range kindWords {
		for word := range strings.FieldsSeq(words) {
			kinds[word] = kind
		}
	}
	return kinds
}()

// bracketed is a text in brackets without brackets in it, so that the inner one of two
// nested marks is read first.
// Models escape brackets, as in \[1\].
var bracketed = regexp.MustCompile(`[ \t]*\\?[\[【［][^\[\]【】［］]*[\]】］]`)

// markToken matches a word, a number with or without a sentence such as 3.2, or a sign.
var markToken = regexp.MustCompile(`\pL[\pL\pM]*|\d+(?:\.\d+)?|\S`)

// A markGroup is the numbers of a mark after a word for their kind, "" without one.
type markGroup struct {
	word    string // in lower case
	numbers []string
}

// markSigns are what may be between the words and numbers of a mark.
const markSigns = ",;:()&+-–.…、"

// maxSentence is the largest number of a sentence in a record; a larger one is ignored.
const maxSentence = 9999

// maxRange is the largest number of records that a range in a mark, such as 2-4, may cover.
const maxRange = 10

// parseMark parses a text in brackets, and reports whether it is a mark: numbers alone,
// numbers after words for kinds or records, or anything after the label "Data:".
func parseMark(text string) (groups []markGroup, ok bool) {
	text = strings.TrimPrefix(text, `\`)
	if before, ok := strings.CutSuffix(text, `\]`); ok {
		text = before + "]"
	}
	tokens := markToken.FindAllString(strings.ToLower(foldWide(text)), -1)
	tokens = tokens[1 : len(tokens)-1] // the brackets
	if len(tokens) > 0 && tokens[0] == "^" {
		tokens = tokens[1:]
	}
	labelled := len(tokens) > 1 && tokens[1] == ":" && strings.Contains(markLabels, " "+tokens[0]+" ")
	if labelled {
		tokens = tokens[2:]
	}
	for i, t := range tokens {
		switch {
		case t[0] >= '0' && t[0] <= '9':
			if len(groups) == 0 {
				groups = append(groups, markGroup{})
			}
			g := &groups[len(groups)-1]
			if i > 1 && (tokens[i-1] == "-" || tokens[i-1] == "–") && len(g.numbers) > 0 {
				g.numbers = append(g.numbers, between(g.numbers[len(g.numbers)-1], t)...)
			}
			g.numbers = append(g.numbers, t)
		case strings.Contains(markSigns, t), strings.Contains(markConnectors, " "+t+" "):
		default:
			groups = append(groups, markGroup{word: t})
		}
	}
	if labelled {
		return groups, true
	}
	groups = joinWords(groups)
	known, bare, named, readable := false, true, true, true
	for _, g := range groups {
		known = known || wordKinds[g.word] != ""
		bare = bare && g.word == ""
		named = named && strings.Contains(recordWords, " "+g.word+" ")
		readable = readable && len(g.numbers) > 0
	}
	return groups, readable && len(groups) > 0 && (known || bare || named)
}

// joinWords drops the first of two words before the numbers of a mark, as in "Community Reports 2"
// and "see Claims 3". Of "Source text 2" the kind stays.
func joinWords(groups []markGroup) []markGroup {
	var out []markGroup
	for i, g := range groups {
		if i+1 < len(groups) && len(g.numbers) == 0 {
			next := &groups[i+1]
			switch {
			case wordKinds[g.word] != "" && strings.Contains(recordWords, " "+next.word+" "):
				next.word = g.word
				continue
			case wordKinds[next.word] != "" && strings.Contains(markOpeners, " "+g.word+" "):
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// between returns the numbers between two others, without them: records, or sentences of
// one record.
func between(first, last string) []string {
	record, from, sentences := strings.Cut(first, ".")
	other, to, ok := strings.Cut(last, ".")
	prefix := ""
	switch {
	case sentences && ok && record == other:
		prefix, first, last = record+".", from, to
	case sentences || ok:
		return nil
	}
	a, aErr := strconv.Atoi(first)
	b, bErr := strconv.Atoi(last)
	var out []string
	if aErr == nil && bErr == nil && b-a < maxRange {
		for n := a + 1; n < b; n++ {
			out = append(out, prefix+strconv.Itoa(n))
		}
	}
	return out
}

// foldWide returns a text with the ASCII forms of full-width characters.
func foldWide(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '【':
			return '['
		case r == '】':
			return ']'
		}
		return r
	}, s)
}

// readMark returns the targets of the groups of a mark, without duplicates, and counts the
// numbers that point to nothing or are too many. A mark without a number counts as one. A number after a word
// of no known kind, or after none, points to the record of that number if only one kind has it.
func readMark(groups []markGroup, offered map[Local]string) (found []target, bad int) {
	numbers := 0
	for _, g := range groups {
		for _, id := range g.numbers {
			numbers++
			number, sentence, _ := strings.Cut(id, ".")
			n, err := strconv.Atoi(number)
			kind, known := wordKinds[g.word]
			if !known {
				kind = onlyKind(offered, g.word, n)
			}
			key, ok := offered[Local{kind, n}]
			if err != nil || !ok {
				bad++
				continue
			}
			t := target{Kind: kind, Key: key}
			if s, err := strconv.Atoi(sentence); err == nil && s <= maxSentence {
				t.sentence = s
			}
			switch {
			case slices.Contains(found, t):
			case isFull(found, kind):
				bad++
			default:
				found = append(found, t)
			}
		}
	}
	if numbers == 0 {
		bad = 1
	}
	return found, bad
}

// onlyKind returns the kind of the records with a number if there is only one; without a
// word, only if all records are of one kind. It returns "" if the number is ambiguous.
func onlyKind(offered map[Local]string, word string, n int) graph.Kind {
	var kinds []graph.Kind
	for local := range offered {
		if (word == "" || local.N == n) && !slices.Contains(kinds, local.Kind) {
			kinds = append(kinds, local.Kind)
		}
	}
	if len(kinds) != 1 {
		return ""
	}
	return kinds[0]
}
