/** Recognises job titles in the topic of an intent. */
import { foreignWordsIn, withoutVocabulary } from './foreign-words.ts'

const ROLE =
  /\b(?:manager|engineer|director|founder|c[etfomi]o|chief|head|vp|president|officer|developer|designer|recruiter|marketer|analyst|scientist|partner|nurse|doctor|physician|dentist|teacher|lawyer|attorney|accountant|consultant|buyer|owner|architect|administrator|executive|representative|specialist|coordinator|programmer|researcher|professor|editor|journalist|writer|investor|realtor|agent|salesperson|controller|lead)s?\b/i

/** Whether a topic describes people: its first words end in a job title. */
export function isAboutPeople(topic: string): boolean {
  const head = topic.split(/,| (?:in|at|from|of|near|who|that|with|for)\b/)[0] ?? ''
  const isKindOfPeople = head.includes(' ') || (head.endsWith('s') && head !== topic)
  return (
    new RegExp(`${ROLE.source}$`, 'i').test(head) &&
    isKindOfPeople &&
    !/\b(?:hiring|compan|jobs?\b|vacanc|salar|review)/i.test(head)
  )
}

const JOBS =
  '(?:jobs?|positions?|vacanc(?:y|ies)|openings?|roles?|postings?|job (?:ads?|offers?|postings?|openings?))'
const JOBS_FOR = new RegExp(
  String.raw`\b${JOBS} (?:for|as) (?:an? )?([\p{L}][\p{L}\d /+#.-]{1,50}?)(?= (?:in|at|near|around|paying|with|posted|from|on|that|who|within|since)\b|[,.?!;]|$)`,
  'iu',
)
const ROLE_JOBS = new RegExp(
  String.raw`(?:^|[\s,])([\p{L}][\p{L}\d/+#.-]*(?: [\p{L}][\p{L}\d/+#.-]*){0,4}) ${JOBS}\b`,
  'iu',
)
/** "Is Airbus hiring welders?" */
const HIRED =
  /^(?:is|are|does|do) .{1,60}? (?:hiring|recruiting|hire|recruit) (?!people|anyone|someone|in\b|at\b|for\b|now|right|currently|this\b)([\p{L}][\p{L} /+-]{2,40}?)(?= (?:in|at|near|right|now|this|currently)\b|[,.?!]|$)/iu

/** "Stellenangebote für Elektriker in Hamburg", "vagas de programador em Curitiba". */
const FOREIGN_JOBS =
  /(?<!\p{L})(?:stellen(?:angebote|anzeigen)?|(?:ofertas de )?(?:empleos?|trabajos?|vacantes)(?: en LinkedIn)?|vagas(?: de emprego)?|offres d['’]emploi|(?:offerte|annunci) di lavoro|oferty pracy|вакансии|lowongan(?: kerja)?)\s+(?:für |als |de |para |d['’]|di |per |dla |untuk |(?=[а-яё]))([\p{L}][\p{L} /+-]{1,40}?)(?=\s+(?:in|en|em|a|à|aux|bei|w|we|в|di|na|no|da|do|au)\s|[,.?!;]|$)/iu

/** Words before a role that do not belong to it. */
const NOT_ROLE =
  /^(?:find|get|search|show|list|look|looking|for|me|us|all|any|some|the|open|current|new|latest|recent|remote|remotely|hybrid|onsite|on-site|full-time|part-time|fulltime|parttime|linkedin|available|what|which|are|there|is|in|at|of|and|with|a|an|job|jobs|please|i|need|want|my)\b\s*/i

/** The role that job postings are for: "nurses" in "open positions for nurses in Texas". Empty without one. */
function postedRole(intent: string): string {
  let role =
    HIRED.exec(intent)?.[1] ??
    JOBS_FOR.exec(intent)?.[1] ??
    FOREIGN_JOBS.exec(intent)?.[1] ??
    ROLE_JOBS.exec(intent)?.[1] ??
    ''
  for (let before = ''; before !== role;) {
    before = role
    role = role.replace(NOT_ROLE, '')
  }
  return role.replace(/([^s])s$/, '$1').trim()
}

const ROLE_MEANINGS = new Set(
  'manager director head founder ceo engineer developer doctor employee author investor'.split(' '),
)

/** The role of an intent in another language, without the place after it: "ingenieros de datos en Monterrey". */
export function foreignRoleOf(topic: string, place: string | undefined): string {
  const isRole = foreignWordsIn(topic).some(({ english }) =>
    english.some((meaning) => ROLE_MEANINGS.has(meaning)),
  )
  if (!isRole) return ''
  const role = place === undefined ? topic : (topic.split(place)[0] ?? topic)
  return withoutVocabulary(role, ({ isFiller }) => isFiller)
}

/** The role in a topic: "marketing manager" for "marketing managers in Berlin". Empty without a job title. */
export function roleOf(topic: string, intent = ''): string {
  const posted = postedRole(intent)
  if (posted !== '') return posted
  if (!ROLE.test(topic)) return ''
  const asRole = /^(?:who )?works? .{0,200}\bas (?:an? |the |their )?(.{2,60})$/i.exec(topic)?.[1]
  if (asRole !== undefined) return asRole
  const role =
    topic
      .replace(
        /^(?:which |what )?(?:companies|firms|startups|employers|who|that|is|are|hires?|hiring|looking for|recruiting|wants?|need(?:s|ing)?|\s)+/i,
        '',
      )
      .split(/ (?:in|at|from|of|near|based|who|that|with|working|for|,)\b/)[0]
      ?.replace(/^(?:some|all|the|any|people who are|people|employees|contacts) ?/i, '') ?? ''
  return role.replace(/([^s])s$/, '$1').trim()
}
