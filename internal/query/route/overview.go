package route

import (
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// typeWords are the words of a language that ask for entities of a type.
type typeWords struct{ kind, words string }

// overviewTypes are the types of entities that a question about the whole may ask for.
var overviewTypes = map[language.Language][]typeWords{
	language.Arabic:  {{"person", "شخصية شخصيات أشخاص أبطال"}, {"location", "مكان أماكن مدينة مدن"}, {"event", "حدث أحداث"}},
	language.Chinese: {{"person", "人物 角色 主角"}, {"location", "地点 地點 地方 城市"}, {"organization", "组织 組織 机构 機構"}, {"event", "事件"}},
	language.English: {
		{"person", "people person character figure"},
		{"location", "place location city country setting"},
		{"organization", "organization organisation company institution group"},
		{"event", "event happen happening"},
	},
	language.French:  {{"person", "personne personnes gens personnage personnages"}, {"location", "lieu lieux endroit endroits ville villes pays"}, {"organization", "organisation entreprise institution"}, {"event", "événement événements passe"}},
	language.German:  {{"person", "person personen leute figur figuren hauptfigur hauptfiguren menschen"}, {"location", "ort orte stadt städte land länder schauplatz"}, {"organization", "organisation organisationen firma firmen"}, {"event", "ereignis ereignisse geschieht passiert"}},
	language.Spanish: {{"person", "persona personas gente personaje personajes"}, {"location", "lugar lugares ciudad ciudades país países"}, {"organization", "organización organizaciones empresa institución"}, {"event", "evento eventos suceso sucesos acontecimiento acontecimientos ocurre pasa"}},
}

// overviewWords could be asked about any collection.
var overviewWords = map[language.Language]string{
	language.Arabic:  "أهم الرئيسية الرئيسي الموضوع موضوع مواضيع الموضوعات ملخص خلاصة لخص قصة القصة حكاية كتاب الكتاب نص النص نصوص وثائق يحدث يدور تدور",
	language.Chinese: "主题 主題 主要 内容 內容 概述 概括 总结 總結 故事 书 書 文本 文章 文件 文档 文檔 讲 講 关于 關於 发生 發生 重要 主旨 本 些 列出 介绍 介紹 简介 簡介 全 有",
	language.English: `about account appear aspect book broad central character chief city collection common company content conversation core
corpus country cover coverage data dataset deal discuss document event figure file general give going happen happening
highlight idea important include institution interesting involve issue key kind list location main major material matter
mention message moral most name narrative notable novel occur organisation organization overall overview pattern people
person place plot point prominent relationship role significant story subject summary tale tell text theme thing top
topic trend type way what who work world`,
	//nolint:misspell // French
	language.French: "sujet sujets thème thèmes principal principale principaux principales résumé résume résumer résumez histoire récit livre texte textes document documents collection passe parle parlent agit important importants importantes aperçu contenu général générale essentiel central décris donne",
	language.German: "thema themen hauptthema hauptthemen hauptsächlich wichtig wichtige wichtigsten inhalt überblick zusammenfassung fasse zusammen geschichte erzählung text texte buch dokument dokumente sammlung handlung handelt geht wesentlich zentral zentralen kommen vor beschreibe nenne gib geben",
	//nolint:misspell // Spanish
	language.Spanish: "tema temas principal principales resumen resume resumir historia relato libro texto textos documento documentos colección trata importante importantes contenido general esencial describe da",
}

// A vocabulary holds the terms of a language that ask about the whole.
type vocabulary struct {
	all   textproc.TermSet   // of overviewWords and overviewTypes
	types []textproc.TermSet // of each of overviewTypes
}

var vocabularies = sync.OnceValue(func() map[language.Language]vocabulary {
	out := map[language.Language]vocabulary{}
	for l, words := range overviewWords {
		v := vocabulary{all: textproc.TermSetIn(l, words)}
		for _, t := range overviewTypes[l] {
			terms := textproc.TermsIn(l, t.words)
			v.all.Add(terms...)
			own := textproc.TermSet{}
			own.Add(terms...)
			v.types = append(v.types, own)
		}
		out[l] = v
	}
	return out
})

// chineseOverviewCharacters holds the characters of the Chinese words: its terms are pairs of
// characters, which may be of two words.
var chineseOverviewCharacters = sync.OnceValue(func() string {
	words := []string{overviewWords[language.Chinese]}
	for _, t := range overviewTypes[language.Chinese] {
		words = append(words, t.words)
	}
	return strings.Join(words, "")
})

// languageOf returns the language whose words a question is compared with.
func languageOf(l language.Language) language.Language {
	if _, known := overviewWords[l]; known {
		return l
	}
	return language.English
}

// IsOverview reports whether a question asks about the corpus as a whole, as
// "What are the main themes?" does: all its words could be asked about any
// collection. For such a question, important reports are better than those that
// share its words.
func IsOverview(q textproc.Query) bool {
	return !slices.ContainsFunc(q.Terms, func(t textproc.WeightedTerm) bool { return !isGeneral(q.Language, t.Term) })
}

// isGeneral reports whether a term of a question in a language could be asked about any collection.
func isGeneral(l language.Language, term string) bool {
	if l == language.Chinese {
		return strings.Trim(term, chineseOverviewCharacters()) == ""
	}
	_, general := vocabularies()[languageOf(l)].all[term]
	return general
}

// OverviewTypes returns the types of entities that a question about the whole asks for, none if it asks
// for something else.
func OverviewTypes(question string) []string {
	l := languageOf(language.Of(question))
	asked := textproc.TermSetIn(l, question)
	var out []string
	for i, t := range overviewTypes[l] {
		named := asked.Shared(vocabularies()[l].types[i]) > 0
		if l == language.Chinese {
			named = slices.ContainsFunc(strings.Fields(t.words), func(word string) bool { return strings.Contains(question, word) })
		}
		if named {
			out = append(out, t.kind)
		}
	}
	if len(out) == 0 && textproc.FormOf(question, l).Ask == textproc.AskPerson {
		out = append(out, "person")
	}
	return out
}
