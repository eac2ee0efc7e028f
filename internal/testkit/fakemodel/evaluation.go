package fakemodel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// evaluation answers the prompts of an evaluation.
func evaluation(r llmtest.Request, task string) string {
	switch task {
	case prompts.HeadToHead:
		return headToHead(r)
	case prompts.CorpusDescription:
		return corpusDescription(Material(r))
	case prompts.Personas:
		return personas(r)
	case prompts.PersonaTasks:
		return personaTasks(r)
	case prompts.AnswerClaims:
		return answerClaims(Material(r))
	case prompts.AnswerCorrect:
		return correctness(materials(r))
	case prompts.AnswerEvidence:
		return evidenceVerdicts(Material(r))
	}
	return personaQuestions(r)
}

// fenced returns the parts of a user message between its fences.
func fenced(message string) []string {
	marks := fence.FindAllString(message, -1)
	if len(marks) == 0 {
		return nil
	}
	parts := strings.Split(message, marks[len(marks)-1])
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts[min(2, len(parts)):] // the first mark is in the sentence that explains it
}

var criterionAsked = regexp.MustCompile(`by this criterion: (\w+)`)

// headToHead compares two answers by a figure of their texts that depends on the criterion:
// directness prefers the shorter one, comprehensiveness the longer one, diversity the one with
// more different words, empowerment the one with more sentences, and overall the one with more
// words in common with the question. What differs by less than a tenth is decided by the seed.
func headToHead(r llmtest.Request) string {
	parts := fenced(r.Messages[1].Content)
	asked := criterionAsked.FindStringSubmatch(r.Messages[1].Content)
	if len(parts) < 4 || asked == nil {
		return marshal(map[string]any{"reasoning": "There is nothing to compare.", "winner": 0})
	}
	measure := map[string]func(string) int{
		"comprehensiveness": func(s string) int { return len(word.FindAllString(s, -1)) },
		"directness":        func(s string) int { return -len(word.FindAllString(s, -1)) },
		"diversity":         func(s string) int { return sharedWords(s, s) },
		"empowerment":       func(s string) int { return len(sentences(s)) },
		"overall":           func(s string) int { return 10 * sharedWords(parts[0], s) },
	}[asked[1]]
	winner := 0
	if measure != nil {
		switch first, second := measure(parts[1]), measure(parts[2]); {
		case 10*max(first-second, second-first) < max(first, second, -first, -second):
			if r.Seed != nil {
				winner = int(*r.Seed) % 3
			}
		case first > second:
			winner = 1
		default:
			winner = 2
		}
	}
	return "```json\n" + marshal(map[string]any{"reasoning": "By " + asked[1] + " it is answer " + strconv.Itoa(winner) + ".", "winner": strconv.Itoa(winner)}) + "\n```"
}

var countAsked = regexp.MustCompile(`(?:Name|Write) (\d+) `)

// persons, duties and questionForms are what imagined lists are made of.
var (
	persons       = strings.Fields("historian teacher journalist librarian novelist curator economist translator lawyer archivist")
	duties        = strings.Fields("preparing comparing summarising explaining reviewing cataloguing dramatising annotating criticising mapping")
	questionForms = []string{
		"Which hopes of % recur throughout, from the standpoint of a $?",
		"Why do conflicts around % arise and fade for a $?",
		"What attitudes towards % change between beginning and end, as a $ notices?",
		"How are families near % affected over the seasons, in the eyes of a $?",
		"Which values does everything about % teach a $?",
		"What contrasts of wealth and poverty surround %, to a $?",
		"How do memories shape what becomes of %, as seen by a $?",
		"Which warnings concerning % matter most to a $?",
		"What humour accompanies %, as a $ reads it?",
		"How does the weather mirror % for a $?",
	}
)

// listed returns as many items as a prompt asks for, the first of them a second time if more than
// one is wanted, and in place of none one that is known already.
func listed(r llmtest.Request, field string, item func(i int) string) string {
	want := 1
	if m := countAsked.FindStringSubmatch(r.Messages[0].Content); m != nil {
		want, _ = strconv.Atoi(m[1])
	}
	parts := fenced(r.Messages[1].Content)
	known := ""
	if len(parts) > 1 {
		known = parts[len(parts)-2]
	}
	list := []string{}
	for i := 0; len(list) < want && i < 10; i++ {
		if s := item(i); !strings.Contains(known, s) && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) > 1 {
		list = append(list, strings.ToUpper(list[0]))
	}
	return "```json\n" + marshal(map[string][]string{field: list}) + "\n```"
}

// topic returns a name that a description of a corpus has, by number.
func topic(description string, i int) string {
	found := append(names(description), "everything")
	return found[i%len(found)]
}

func personas(r llmtest.Request) string {
	return listed(r, "personas", func(i int) string {
		return "A " + persons[i] + " who works on " + topic(fenced(r.Messages[1].Content)[0], i)
	})
}

func personaTasks(r llmtest.Request) string {
	return listed(r, "tasks", func(i int) string {
		return duties[i] + " what is known of " + topic(fenced(r.Messages[1].Content)[0], i)
	})
}

func personaQuestions(r llmtest.Request) string {
	parts := fenced(r.Messages[1].Content)
	return listed(r, "questions", func(i int) string {
		about := topic(parts[2], 0)
		who := strings.Fields(parts[1])[1] + " who is " + strings.Fields(parts[2])[0]
		return strings.NewReplacer("%", about, "$", who).Replace(questionForms[i])
	})
}

// corpusDescription names what the most general topics are about.
func corpusDescription(context string) string {
	found := names(context)
	return marshal(map[string]string{"description": "It is a collection of stories about " + strings.Join(found[:min(6, len(found))], ", ") + "."})
}
