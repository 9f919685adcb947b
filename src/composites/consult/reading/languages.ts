/** Names of languages, and whether an intent is in English. */
const LANGUAGES: Readonly<Record<string, string>> = {
  arabic: 'ar',
  chinese: 'zh',
  czech: 'cs',
  danish: 'da',
  dutch: 'nl',
  english: 'en',
  finnish: 'fi',
  french: 'fr',
  german: 'de',
  greek: 'el',
  hebrew: 'he',
  hindi: 'hi',
  hungarian: 'hu',
  indonesian: 'id',
  italian: 'it',
  japanese: 'ja',
  korean: 'ko',
  norwegian: 'no',
  polish: 'pl',
  portuguese: 'pt',
  romanian: 'ro',
  russian: 'ru',
  spanish: 'es',
  swedish: 'sv',
  turkish: 'tr',
  ukrainian: 'uk',
  vietnamese: 'vi',
}
const NAME = new RegExp(String.raw`\b(?:${Object.keys(LANGUAGES).join('|')})\b`, 'i')

/** Names that languages have for themselves, with a preposition before them. */
const OWN_NAMES: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/(?<!\p{L})(?:en )?français(?!\p{L})/iu, 'fr'],
  [/(?<!\p{L})(?:auf )?deutsch(?!\p{L})/iu, 'de'],
  [/(?<!\p{L})(?:en )?(?:español|castellano)(?!\p{L})/iu, 'es'],
  [/(?<!\p{L})(?:em )?português(?!\p{L})/iu, 'pt'],
  [/(?<!\p{L})(?:in )?italiano(?!\p{L})/iu, 'it'],
  [/(?<!\p{L})(?:po )?polsk[iu](?!\p{L})/iu, 'pl'],
  [/(?<!\p{L})(?:на русском|по-русски)/iu, 'ru'],
  [/türkçe/iu, 'tr'],
  [/بالعربية|اللغة العربية/u, 'ar'],
  [/हिन्?(?:ं)?दी/u, 'hi'],
  [/中文(?:版)?/u, 'zh'],
  [/日本語/u, 'ja'],
  [/한국어/u, 'ko'],
  [/bahasa indonesia/iu, 'id'],
]

/** The code of the language that an intent names; '' without one. */
export function languageIn(intent: string): string {
  return (
    LANGUAGES[(NAME.exec(intent)?.[0] ?? '').toLowerCase()] ??
    OWN_NAMES.find(([pattern]) => pattern.test(intent))?.[1] ??
    ''
  )
}

/** The text without the name of its own language: "en français". */
export function withoutLanguage(text: string): string {
  return OWN_NAMES.reduce((rest, [pattern]) => rest.replace(pattern, ' '), text)
}

const ENGLISH =
  /(?<!\p{L})(?:the|of|for|at|to|with|from|by|is|are|was|find|get|show|give|list|search|check|read|what|which|who|how|where|when|my|me|this|that|and|a|about|all|make|create|look|up|news|page|price|latest|company|email|posts?|jobs?|web)(?!\p{L})/giu
const OTHER =
  /(?<![\p{L}\d])(?:der|die|das|den|dem|ein|eine|und|für|von|bei|mit|auf|im|ist|wie|was|wer|zeige?|finde|suche|lies|prüfen?|le|la|les|des|du|un|une|et|pour|dans|sur|avec|est|cherche|trouve|el|los|las|de|del|para|con|por|sobre|busca|buscar|dame|que|qué|cuál|il|lo|gli|di|per|che|trova|cerca|uma|um|do|da|dos|das|em|no|na|mostre|verifique|jest|dla|znajdź|sprawdź|ile|için|ve|bir|bul|ara|untuk|dari|dan|cari|yang|stellenangebote|nachrichten|aktienkurs|ofertas?|empleo|noticias|correo|cotação|vagas|notícias|quanto|vols|offres|emploi|actualités|cours|offerte|lavoro|notizie|prezzo|leggi|oferty|pracy|kurs|wiadomości|nerede|haber(?:ler)?i?|fiyatı|harga|cek|lowongan|berita|aliquota|iva|tva|mwst|stawka|cena|akcji|firmy|empresas?|azienda|société|datos|dati|dane|tasso|taux|tasa|taxa|precio|preço|prix|preis|país|pays|paese|población|população|popolazione|ludność|inflación|inflação|inflazione|inflacja|bayar|beli|pesan|daftarkan|jual|batalkan|kirim|kup|podpisz|anuluj|compra|paga|pague|compre|prenota|commande|buche|kaufe?|zahle?|bestelle?|storniere?)(?![\p{L}\d])/giu

/** False if the words of an intent mostly belong to another language. */
export function isEnglish(intent: string): boolean {
  if (
    /[\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(
      intent,
    )
  )
    return false
  const count = (pattern: RegExp): number => intent.match(pattern)?.length ?? 0
  const [english, other] = [count(ENGLISH), count(OTHER)]
  if (english === 0 && other === 0) return !/[^\p{ASCII}\p{P}\p{S}]/u.test(intent)
  return english > other
}
