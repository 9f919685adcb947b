import { MORE_REFUSAL_WORDS } from './refusal-words-more.ts'
import { REFUSAL_WORDS, type RefusalWords } from './refusal-words.ts'

/** A sentence ends at a stop that white space follows, so an IP address stays whole. */
const SENTENCE_END = /[.!?]+(?:\s|$)|[。！？।\n]+/u
const MOST_SENTENCES = 12
/** A longer title is the title of a work. */
const TITLE_WORDS = 4
/** Subjects of refusals, in headlines that do not refuse by themselves. */
const HEADLINES =
  /secur|segur|sécur|sicher|sicur|bezpiecze|безопас|güvenlik|أمن|सुरक्षा|安全|セキュリティ|보안|keamanan|prox|vpn|firewall|pare-feu|cortafuegos|acces|accès|zugriff|acesso|dostęp|доступ|erişim|وصول|पहुंच|访问|存取|アクセス|접근|접속|akses|robot|\bbots?\b|crawler|\bip\b/

/** `\b` of regular expressions knows ASCII letters only. */
const EDGE = String.raw`(?:(?<![\p{L}\p{N}])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?![\p{L}\p{N}]))`
let allLanguages: readonly RefusalWords[] | undefined

/** Compiling the expressions takes 50 ms, and most processes never need them. */
function languages(): readonly RefusalWords[] {
  allLanguages ??= Object.values({ ...REFUSAL_WORDS, ...MORE_REFUSAL_WORDS }).map((words) => ({
    visitor: withEdges(words.visitor),
    refused: withEdges(words.refused),
    robots: withEdges(words.robots),
    unwelcome: withEdges(words.unwelcome),
    place: withEdges(words.place),
    unavailable: withEdges(words.unavailable),
    whole: withEdges(words.whole),
  }))
  return allLanguages
}

function withEdges({ source }: RegExp): RegExp {
  return new RegExp(source.replaceAll(String.raw`\b`, EDGE), 'u')
}

export type Refusal = 'bot_wall' | 'geo_wall'

/**
 * The kind of each sentence of a notice that refuses its visitor. `text` and `title` are in lower
 * case. The caller checks that the page has no other content.
 */
export function findRefusals(text: string, title: string): Refusal[] {
  const name = title.split(/\s+/).length <= TITLE_WORDS ? title : ''
  const sentences = `${name}\n${text}`
    // Lower-casing a dotted capital I leaves its dot as a mark.
    .replaceAll('\u0307', '')
    .split(SENTENCE_END)
    .slice(0, MOST_SENTENCES)
  return sentences.flatMap((sentence) => {
    for (const words of languages()) {
      const kind = refusalIn(sentence, words)
      if (kind !== undefined) return [kind]
    }
    return []
  })
}

/** Details that firewalls print below a refusal: the address of the visitor, ids of the request. */
const DETAILS =
  /\bip\b( ?address)?( is)? ?: ?\W{0,8}((\d{1,3}\.){3}\d|[0-9a-f]{1,4}:[0-9a-f:]{4})|\b(incident|request|ray|event|reference|support|error|attack|transaction) id\b\W{0,4}[\w-]*\d|\bblock (reason|technical data|id)\b|\bhttp response code [45]/

/** Reports whether a text has the details of a firewall. `text` is in lower case. */
export function hasFirewallDetails(text: string): boolean {
  return DETAILS.test(text)
}

function refusalIn(sentence: string, words: RefusalWords): Refusal | undefined {
  if (words.place.test(sentence) && words.unavailable.test(sentence)) return 'geo_wall'
  const isRefused =
    words.whole.test(sentence) ||
    (words.visitor.test(sentence) && words.refused.test(sentence)) ||
    (words.robots.test(sentence) && words.unwelcome.test(sentence))
  return isRefused ? 'bot_wall' : undefined
}

/** Reports whether a headline may stand above a refusal. `title` is in lower case. */
export function namesRefusal(title: string): boolean {
  return (
    HEADLINES.test(title) ||
    languages().some(
      ({ refused, unavailable, whole }) =>
        refused.test(title) || unavailable.test(title) || whole.test(title),
    )
  )
}
