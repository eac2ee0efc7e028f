package query

import (
	"fmt"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A wording is what an answer without a model says in its own words, in a language.
type wording struct {
	nothing  string // that was found answers the question
	filtered string // the same within a filter
	closest  string // document, with its title
	sections string // of it, joined
	spelled  string // with the word of the question and the one that was searched for
	courtesy string // to a word of thanks or greeting
}

// wordingOf returns the wording in the language of a question, in English if that is not known.
func wordingOf(question string) wording { return wordings[wordedIn(question)] }

// wordedIn returns the language of the wording for a question.
func wordedIn(question string) language.Language {
	l := textproc.FormOf(question, language.Unknown).Language
	if _, known := wordings[l]; !known {
		return language.English
	}
	return l
}

// declines returns the text that nothing answers a question, with the title of the closest document and
// some of its sections, if any.
func declines(question string, filtered bool, title string, sections []string) string {
	l := wordedIn(question)
	w := wordings[l]
	said := w.nothing
	if filtered {
		said = w.filtered
	}
	if title = cite.SanitizeTitle(title); title == "" {
		return said
	}
	said += " " + fmt.Sprintf(w.closest, title)
	if len(sections) == 0 {
		return said
	}
	names := make([]string, len(sections))
	for i, s := range sections {
		names[i] = "“" + cite.SanitizeTitle(s) + "”"
	}
	return said + " " + fmt.Sprintf(w.sections, l.Join(names))
}

var wordings = map[language.Language]wording{
	language.Arabic: {
		nothing:  "لا شيء مما عُثر عليه في هذه المجموعة يجيب عن السؤال.",
		filtered: "لا شيء مما عُثر عليه ضمن التصفية يجيب عن السؤال.",
		closest:  "أقرب مستند هو “%s”.",
		sections: "يمكن السؤال فيه عن %s.",
		spelled:  "لا يحتوي أي مستند على “%s”، لذلك جرى البحث عن “%s”.",
		courtesy: "على الرحب والسعة. اسأل عن مستندات هذه المجموعة.",
	},
	language.Chinese: {
		nothing:  "在此语料库中没有找到能回答这个问题的内容。",
		filtered: "在筛选范围内没有找到能回答这个问题的内容。",
		closest:  "最接近的文档是“%s”。",
		sections: "可以询问其中的%s。",
		spelled:  "没有文档含有“%s”，因此搜索了“%s”。",
		courtesy: "不客气。请就此语料库的文档提问，例如“主要主题是什么？”",
	},
	language.Danish: {
		nothing:  "Intet af det, der blev fundet i dette korpus, besvarer spørgsmålet.",
		filtered: "Intet af det, der blev fundet inden for filteret, besvarer spørgsmålet.",
		closest:  "Det nærmeste dokument er “%s”.",
		sections: "Det kan spørges om %s.",
		spelled:  "Intet dokument har “%s”, så der blev søgt efter “%s”.",
		courtesy: "Velbekomme. Stil et spørgsmål om dokumenterne i dette korpus.",
	},
	language.Dutch: {
		nothing:  "Niets van wat in dit corpus is gevonden, beantwoordt de vraag.",
		filtered: "Niets van wat binnen het filter is gevonden, beantwoordt de vraag.",
		closest:  "Het document dat het dichtst in de buurt komt is “%s”.",
		sections: "Het kan gevraagd worden naar %s.",
		spelled:  "Geen document heeft “%s”, daarom is naar “%s” gezocht.",
		courtesy: "Graag gedaan. Stel een vraag over de documenten van dit corpus.",
	},
	language.English: {
		nothing:  "Nothing that was found in this corpus answers the question.",
		filtered: "Nothing that was found within the filter answers the question.",
		closest:  "The closest document is “%s”.",
		sections: "It could be asked about %s.",
		spelled:  "No document has “%s”, so the search was for “%s”.",
		courtesy: "You are welcome. Ask a question about the documents of this corpus, such as “What are the main themes?”",
	},
	language.French: {
		nothing:  "Rien de ce qui a été trouvé dans ce corpus ne répond à la question.",
		filtered: "Rien de ce qui a été trouvé avec ce filtre ne répond à la question.",
		closest:  "Le document le plus proche est « %s ».",
		sections: "On peut l'interroger sur %s.",
		spelled:  "Aucun document ne contient « %s » ; la recherche a porté sur « %s ».",
		courtesy: "Je vous en prie. Posez une question sur les documents de ce corpus (« Quels sont les thèmes principaux ? »)",
	},
	language.German: {
		nothing:  "Nichts, was in diesem Korpus gefunden wurde, beantwortet die Frage.",
		filtered: "Nichts, was innerhalb des Filters gefunden wurde, beantwortet die Frage.",
		closest:  "Das nächstliegende Dokument ist „%s“.",
		sections: "Es gibt Auskunft über %s.",
		spelled:  "Kein Dokument enthält „%s“, gesucht wurde daher nach „%s“.",
		courtesy: "Gern geschehen. Stellen Sie eine Frage zu den Dokumenten dieses Korpus, etwa „Was sind die Hauptthemen?“",
	},
	language.Greek: {
		nothing:  "Τίποτα από όσα βρέθηκαν σε αυτό το σώμα κειμένων δεν απαντά στην ερώτηση.",
		filtered: "Τίποτα από όσα βρέθηκαν εντός του φίλτρου δεν απαντά στην ερώτηση.",
		closest:  "Το πλησιέστερο έγγραφο είναι το «%s».",
		sections: "Μπορεί να ερωτηθεί για %s.",
		spelled:  "Κανένα έγγραφο δεν έχει «%s», γι' αυτό αναζητήθηκε «%s».",
		courtesy: "Παρακαλώ. Κάντε μια ερώτηση για τα έγγραφα αυτού του σώματος κειμένων.",
	},
	language.Hebrew: {
		nothing:  "דבר ממה שנמצא באוסף הזה אינו עונה על השאלה.",
		filtered: "דבר ממה שנמצא במסגרת הסינון אינו עונה על השאלה.",
		closest:  "המסמך הקרוב ביותר הוא “%s”.",
		sections: "אפשר לשאול אותו על %s.",
		spelled:  "אין מסמך שיש בו “%s”, ולכן החיפוש היה אחר “%s”.",
		courtesy: "בבקשה. שאלו שאלה על המסמכים באוסף הזה.",
	},
	language.Hindi: {
		nothing:  "इस संग्रह में मिली कोई भी बात प्रश्न का उत्तर नहीं देती।",
		filtered: "फ़िल्टर के भीतर मिली कोई भी बात प्रश्न का उत्तर नहीं देती।",
		closest:  "सबसे निकट का दस्तावेज़ “%s” है।",
		sections: "उससे %s के बारे में पूछा जा सकता है।",
		spelled:  "किसी दस्तावेज़ में “%s” नहीं है, इसलिए “%s” खोजा गया।",
		courtesy: "आपका स्वागत है। इस संग्रह के दस्तावेज़ों के बारे में प्रश्न पूछें।",
	},
	language.Italian: {
		nothing:  "Nulla di quanto è stato trovato in questo corpus risponde alla domanda.",
		filtered: "Nulla di quanto è stato trovato con questo filtro risponde alla domanda.",
		closest:  "Il documento più vicino è «%s».",
		sections: "Gli si può chiedere di %s.",
		spelled:  "Nessun documento contiene «%s», perciò è stato cercato «%s».",
		courtesy: "Prego. Fai una domanda sui documenti di questo corpus, per esempio «Quali sono i temi principali?»",
	},
	language.Japanese: {
		nothing:  "このコーパスで見つかったものに、質問の答えはありません。",
		filtered: "フィルターの範囲で見つかったものに、質問の答えはありません。",
		closest:  "最も近い文書は「%s」です。",
		sections: "%sについて尋ねることができます。",
		spelled:  "「%s」を含む文書がないため、「%s」を検索しました。",
		courtesy: "どういたしまして。このコーパスの文書について質問してください。",
	},
	language.Korean: {
		nothing:  "이 말뭉치에서 찾은 것 중에 질문에 답하는 것이 없습니다.",
		filtered: "필터 안에서 찾은 것 중에 질문에 답하는 것이 없습니다.",
		closest:  "가장 가까운 문서는 “%s”입니다.",
		sections: "%s에 대해 물을 수 있습니다.",
		spelled:  "“%s”이(가) 있는 문서가 없어 “%s”을(를) 검색했습니다.",
		courtesy: "천만에요. 이 말뭉치의 문서에 대해 질문하세요.",
	},
	language.Norwegian: {
		nothing:  "Ingenting av det som ble funnet i dette korpuset, besvarer spørsmålet.",
		filtered: "Ingenting av det som ble funnet innenfor filteret, besvarer spørsmålet.",
		closest:  "Det nærmeste dokumentet er «%s».",
		sections: "Det kan spørres om %s.",
		spelled:  "Ingen dokumenter har «%s», så det ble søkt etter «%s».",
		courtesy: "Bare hyggelig. Still et spørsmål om dokumentene i dette korpuset.",
	},
	language.Portuguese: {
		nothing:  "Nada do que foi encontrado neste corpus responde à pergunta.",
		filtered: "Nada do que foi encontrado com este filtro responde à pergunta.",
		closest:  "O documento mais próximo é “%s”.",
		sections: "Pode ser consultado sobre %s.",
		spelled:  "Nenhum documento tem “%s”, por isso a pesquisa foi por “%s”.",
		courtesy: "De nada. Faça uma pergunta sobre os documentos deste corpus, por exemplo “Quais são os temas principais?”",
	},
	language.Russian: {
		nothing:  "Ничто из найденного в этом корпусе не отвечает на вопрос.",
		filtered: "Ничто из найденного в пределах фильтра не отвечает на вопрос.",
		closest:  "Ближайший документ — «%s».",
		sections: "В нём говорится о следующем: %s.",
		spelled:  "Ни в одном документе нет слова «%s», поэтому поиск шёл по слову «%s».",
		courtesy: "Пожалуйста. Задайте вопрос о документах этого корпуса.",
	},
	language.Spanish: {
		nothing:  "Nada de lo que se encontró en este corpus responde a la pregunta.",
		filtered: "Nada de lo que se encontró con este filtro responde a la pregunta.",
		closest:  "El documento más cercano es «%s».",
		sections: "Se le puede preguntar por %s.",
		spelled:  "Ningún documento tiene «%s», así que se buscó «%s».",
		courtesy: "De nada. Haga una pregunta sobre los documentos de este corpus, por ejemplo «¿Cuáles son los temas más importantes?»",
	},
	language.Swedish: {
		nothing:  "Inget av det som hittades i denna korpus besvarar frågan.",
		filtered: "Inget av det som hittades inom filtret besvarar frågan.",
		closest:  "Det närmaste dokumentet är ”%s”.",
		sections: "Det kan tillfrågas om %s.",
		spelled:  "Inget dokument har ”%s”, så sökningen gällde ”%s”.",
		courtesy: "Varsågod. Ställ en fråga om dokumenten i denna korpus.",
	},
	language.Thai: {
		nothing:  "ไม่พบสิ่งใดในคลังเอกสารนี้ที่ตอบคำถามได้",
		filtered: "ไม่พบสิ่งใดภายในตัวกรองที่ตอบคำถามได้",
		closest:  "เอกสารที่ใกล้เคียงที่สุดคือ “%s”",
		sections: "ถามเกี่ยวกับ%sได้",
		spelled:  "ไม่มีเอกสารใดมีคำว่า “%s” จึงค้นหาคำว่า “%s”",
		courtesy: "ด้วยความยินดี เชิญถามเกี่ยวกับเอกสารในคลังนี้",
	},
}
