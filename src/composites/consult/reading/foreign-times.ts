/** Times in other languages than English: "in der letzten Woche", "2008 yılında", "3. Oktober 2026". */

const LANGUAGES = ['es', 'pt', 'fr', 'de', 'it', 'pl', 'ru', 'tr', 'ar', 'hi', 'id']

/** Units of time in fourteen languages, with their endings. */
const UNITS = {
  day: 'tag(?:en|e)?|d[ií]as?|jours?|giorn[oi]|dni(?:ach)?|дн(?:я|ей)|день|gün|[أا]يام|दिनों?|[天日]間?|일|hari',
  week: 'wochen?|semanas?|semaines?|settiman[ae]|tygod\\p{L}{1,4}|недел\\p{L}{0,2}|hafta|[أا]سابيع|[أا]لأسبوع|सप्ताह|हफ़?्त[ेों]{1,2}|[个個]?星期|周|週間?|주(?:일)?|minggu',
  month:
    'monat(?:en|e)?|mes(?:es)?|mês|mois|mes[ei]|miesi[ąę]c\\p{L}{0,3}|месяц\\p{L}{0,2}|ay|[أا]شهر|الشهر|मही[नन]े?|[个個]月|か月|ヶ月|月|개월|달|bulan',
  year: 'jahr(?:en|e)?|años?|anos?|an(?:née)?s?|ann[oi]|lat|rok[ui]?|год\\p{L}{0,2}|лет|yıl|سنوات|السنة|العام|साल|वर्ष|年間?|년|tahun',
} as const
type Unit = keyof typeof UNITS

const LAST =
  'letzten?|vergangenen?|últim[oa]s?|ultim[oaie]|derni(?:er|ère)s?|scors[oaie]|ostatni\\p{L}{0,2}|последн\\p{L}{1,3}|прошл\\p{L}{1,3}|son|geçen|[آا]خر|पिछले|最近|过去|直近|過去|上|先|최근|지난|dies(?:e[mnrs]?)?|est[ae]|cette|ce|questa?|quest[oae]|tym|t[ae]n|эт\\p{L}{1,3}|bu|هذا|इस|本|这|今|이번|della|do|de la'
const AFTER =
  'pasad[oa]|passad[oa]|derni(?:er|ère)|scors[oa]|الماضي|ini|lalu|terakhir|настоящ\\p{L}{0,3}'
/** Not within a word. Words of Chinese and Japanese follow each other without spaces. */
const START = String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}])`
const TODAY =
  /(?<!\p{L})(?:(?:von |de |d['’]|di |z |за )?(?:heute|hoy|hoje|aujourd['’]hui|oggi|dziś|dzisiaj|сегодня(?:шн\p{L}+)?|bugün(?:kü)?|اليوم|आज|hari ini)(?!\p{L})|今天|今日|本日|오늘)/iu

const counted = Object.entries(UNITS).map(
  ([unit, words]) =>
    [
      unit as Unit,
      new RegExp(
        String.raw`${START}(?:${LAST}) ?(?:les |los |as |os |gli |le |i )?(\d{1,3}) ?(?:${words})(?!\p{Script=Latin}|\p{Script=Cyrillic})`,
        'iu',
      ),
    ] as const,
)
const named = Object.entries(UNITS).map(
  ([unit, words]) =>
    [
      unit as Unit,
      new RegExp(
        String.raw`${START}(?:(?:in der|in den|im|de la|da|de|nell['’]|nella|w|за|в) )?(?:(?:${LAST}) ?(?:${words})|(?:${words}) (?:${AFTER}))(?!\p{Script=Latin}|\p{Script=Cyrillic})(?: (?:${AFTER}))?`,
        'iu',
      ),
    ] as const,
)

/** A span until now, such as the last week, in units. Null without one. */
export function foreignWindowIn(
  text: string,
): { readonly count: number; readonly unit: Unit; readonly text: string } | null {
  const today = TODAY.exec(text)
  if (today !== null) return { count: 1, unit: 'day', text: today[0] }
  for (const [unit, pattern] of counted) {
    const found = pattern.exec(text)
    if (found !== null) return { count: Number(found[1]), unit, text: found[0] }
  }
  for (const [unit, pattern] of named) {
    const found = pattern.exec(text)
    if (found !== null) return { count: 1, unit, text: found[0] }
  }
  return null
}

const YEAR =
  /(?<![\p{L}\d])(?:(?:im jahre?|en|em|nel(?:l['’]anno)?|w(?: roku)?|в|tahun|سنة|عام|सन) ((?:19|20)\d{2})(?: (?:roku|году))?(?![\d-])|((?:19|20)\d{2})(?: yılında| roku| году|年|년| में|['’][dt][ea](?:ki)?)(?!\p{Ll}))/iu

/** A year with a word of another language that makes it a time. */
export function foreignYearIn(
  text: string,
): { readonly year: string; readonly text: string } | null {
  const found = YEAR.exec(text)
  const year = found?.[1] ?? found?.[2]
  return found === null || year === undefined ? null : { year, text: found[0] }
}

let months: { readonly pattern: RegExp; readonly numbers: ReadonlyMap<string, number> } | undefined

function monthNames(): NonNullable<typeof months> {
  if (months !== undefined) return months
  const numbers = new Map<string, number>()
  for (const language of LANGUAGES) {
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
    for (let month = 0; month < 12; month += 1) {
      const name = format
        .formatToParts(new Date(Date.UTC(2026, month, 3)))
        .find(({ type }) => type === 'month')?.value
      if (name !== undefined) numbers.set(name.toLowerCase(), month + 1)
    }
  }
  const names = [...numbers.keys()].toSorted((a, b) => b.length - a.length).join('|')
  months = {
    numbers,
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(\d{1,2})\.? (?:de |di )?(${names})(?: de)? (\d{4})(?!\d)`,
      'iu',
    ),
  }
  return months
}

const EASTERN = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/u

/** A day as YYYY-MM-DD. */
export function foreignDayIn(text: string): { readonly day: string; readonly text: string } | null {
  const eastern = EASTERN.exec(text)
  if (eastern !== null) return { day: toDay(eastern[1], eastern[2], eastern[3]), text: eastern[0] }
  const { pattern, numbers } = monthNames()
  const found = pattern.exec(text)
  return found === null
    ? null
    : {
        day: toDay(found[3], String(numbers.get((found[2] ?? '').toLowerCase())), found[1]),
        text: found[0],
      }
}

function toDay(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
