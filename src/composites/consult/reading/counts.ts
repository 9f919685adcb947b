/** The number of results that an intent asks for. */
import { NUMBER_WORDS } from './amounts.ts'

const NUMBER = String.raw`(\d{1,4}|${Object.keys(NUMBER_WORDS).join('|')})`
/** Words before a number that is not a count of results. */
const NO_COUNT_BEFORE =
  'phase|series|level|tier|type|form|part|version|stage|class|category|article|section|chapter|magnitude|page|room|suite|unit|number|no|nr|area|route|under|over|above|below|than|since|after|before|in|on|at'
/** Nouns of measures, which are no results. */
const MEASURES =
  'bed(?:room)?s?|bath(?:room)?s?|stars?|rooms?|days?|weeks?|months?|years?|hours?|minutes?|mins?|seconds?|secs?|percent|dollars?|euros?|pounds|cents?|km|kilomet(?:er|re)s?|miles?|employees|stor(?:y|ey|ies)|characters|words|tokens|phase|megapixels?|kg|grams?|others?'
const NOUN = String.raw`(?!(?:${MEASURES})\b)[\p{L}][\p{L}'-]{1,20}`
const LEAD = String.raw`(?:(?:top|first|last|latest|newest|next|best|up to|at most|limit(?: of)?|maximum(?: of)?|max|only) )`
/** Words before a count of results. After other words, a number belongs to a name: "jordan 1 sneakers". */
const COUNT_AFTER =
  'find|get|show|list|give|me|us|fetch|pull|search|for|of|the|last|first|top|latest|newest|next|best|need|want|only|just|and|with|read|generate|make|create|draw|scrape|collect|see|some|these|all|a|return|download|check|compare|any|about|least|most|to|up|my|render|produce|write|want|like|least|max|limit|screen|verify|url|profile|domain|crawl|map'
const COUNT = new RegExp(
  [
    // "20 generic addresses", "last 20 tiktoks", "60 nurse jobs".
    String.raw`(?<=^|[,.;:(] ?|\b(?:${COUNT_AFTER}) {1,3})(?<!\b(?:${NO_COUNT_BEFORE}) )(?<![\d.,:/$€£#-])\b${LEAD}?${NUMBER} (?=(?:(?:most|best|more|new|newest|latest|recent|public|generic) )?(?:${NOUN} ){0,2}(?!(?:${MEASURES})\b)\p{L}[\p{L}'-]{1,20}(?<!ss|us|is)s\b|people\b|staff\b)`,
    // "lo-fi piano, 35 videos".
    String.raw`, ?${NUMBER} ${NOUN}$`,
    // "30 of them", "12 results".
    String.raw`,? ?\b${NUMBER} (?:of (?:them|these|those)|results?|hits?|items?|rows?|entries|pieces?)\b`,
    // "top 5", "at most 25", "first 200", "max 10".
    String.raw`\b(?:top|limit|at most|up to|max|first) ${NUMBER}\b(?! (?:${MEASURES})\b)`,
  ].join('|'),
  'iu',
)

/** A bare number of an intent in another language, with a counter or a word for the limit around it. */
const FOREIGN_COUNT =
  /(?:(?<!\p{L})(?:máximo|max(?:imal)?|höchstens|massimo|maximum|najwyżej|максимум|en fazla|maksimal|最多|最大|बस) ?(?:de |di )?)?(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\d.,:/#@+-])(?<!(?:nr\.?|numer|numero|número|numéro|nummer|fase|phase|no\.|№|n°) ?)(?!(?:19|20)\d{2}(?!\d))(\d{1,4})(?![\d.,:/-]*\d)(?!\p{Script=Latin})(?:[件個枚社人本名篇条家个張张곳개명건편장]|st(?:ü|ue)ck(?!\p{L})| ?(?:stück|results|hasil|ergebnisse|resultados|résultats|risultati|wyników|результат\p{L}{0,2}|sonuç)(?!\p{L}))?/iu

export function findCount(
  text: string,
  isEnglish: boolean,
): { readonly count: number; readonly text: string } | null {
  const found = (isEnglish ? COUNT : FOREIGN_COUNT).exec(text)
  const number = found?.slice(1).find((group) => group !== undefined)
  return found === null || number === undefined
    ? null
    : { count: NUMBER_WORDS[number.toLowerCase()] ?? Number(number), text: found[0] }
}
