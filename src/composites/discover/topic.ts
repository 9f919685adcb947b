/** Splits an intent into task and topic: "search the web for heat pumps" has the topic "heat pumps". */

const VERBS =
  'find|search|look up|look for|look|get|show|give|list|tell|fetch|pull|read|check|discover|collect|see|need|want|know|generate|make|create|draw|render|compose|write|produce|summari[sz]e|translate|run|execute|what|which|who|where|how|is|are|does|do|estimate|compare|track|monitor|screen|send'
const POLITE =
  /^(?:(?:please|can you|could you|would you|i want to|i need to|i'd like to|i would like to|i want|i need|help me|let me|we need to|we want to|hi|hello|hey)[\s,]+)+/i
const LEADING = new RegExp(
  String.raw`^(?:(?:${VERBS})(?: (?:me|us|for|up|all|any|some|the|a|an|out|about))*\s+)+`,
  'i',
)
/** The searched source with the preposition before the topic: "the news about". */
const SEARCHED =
  /^(?:[\w'-]+ ){0,6}?(?:web|internet|research|evidence|literature|information|facts?|data|reviews?|google|news|headlines?|coverage|reports?|stories|articles?|papers?|works|literature|patents?|filings?|cases?|dockets?|lawsuits?|trials?|recalls?|studies|results|pages?|sites?|posts?|videos?|tweets?|wikipedia|encyclopedia|images?|pictures?|photos?|illustrations?|songs?|music|tracks?|regulations?|rules?|trends?|datasets?|repositories|repos|code|jobs?|openings?|products?|sneakers?|nonprofits?|charities|companies|startups)(?: (?:articles?|stories|filings?|cases?|repositories|search|postings?))? (?:for|about|on|of|regarding|concerning|mentioning|that mention|covering|related to|with|matching|by|against|involving)\s+/i

/** Words for a source or a kind of result, but not for a topic. */
export const GENERIC: ReadonlySet<string> = new Set(
  (
    'the a an some any all my new latest recent academic scientific scholarly web internet online google wikipedia encyclopedia news headline headlines story stories article articles paper papers work works literature patent patents filing filings case cases ' +
    'docket dockets lawsuit lawsuits trial trials recall recalls study studies result results page pages site sites post posts video videos image images picture pictures people person persons someone somebody anyone company companies startup startups job jobs ' +
    'product products regulation regulations rule rules federal sec research information data something anything things catalog and or for in on of about by with me us email emails e mail address addresses phone number numbers contact contacts profile profiles name names that this their his her'
  ).split(' '),
)

/** "Posts of a LinkedIn profile": the profile itself is missing. */
const KIND_ALONE =
  /^(?:.* )?(?:of|from|on|for|at|by|in|under|with|to|ask) (?:a|an|any|some)(?: [\w-]+)? (?:model|chatbot|video|channel|profile|post|account|page|website|site|article|company|startup|person|founder|restaurant|shop|product|domain|stock|coin|property)[.!?]*$/i

/** The topic of an intent. Empty if it has none. */
export function topicOf(bare: string): string {
  if (KIND_ALONE.test(bare)) return ''
  const text = stripPolite(bare)
  const about = text.replace(SEARCHED, '')
  const topic =
    about === text
      ? text.replace(LEADING, '')
      : about.replace(/^(?:the|a|an) (?=topic|subject)/i, '')
  const tidied = tidy(topic) || tidy(text)
  return isGeneric(tidied) ? '' : tidied
}

function isGeneric(text: string): boolean {
  return text.split(/[^\p{L}\d]+/u).every((word) => GENERIC.has(word.toLowerCase()) || word === '')
}

/** Words that stand for a given input, such as an email address. */
const GIVEN =
  /\b(?:email|url|linkedin profile|username|hashtag|ticker|wallet|flight|address|zip|doi|iban|cik|vin|phone)\b/gi

export type Task = {
  readonly text: string
  /** False if the task may be incomplete. */
  readonly isSure: boolean
}

/** Whether an intent only reads a page: "Fetch example.com". */
export function isPlainReading(masked: string): boolean {
  return /^(?:(?:please|can|could|you|just|now|i|want|need|to|me|us|the|this|that|it|what|what's|is|does|say|says|written|there|on|and|or|of|a|for|content|contents|text|page|pages|site|website|web|url|summari[sz]e|read|fetch|open|visit|get|load|view|show|scrape|retrieve|grab|pull|look|at|give|turn|convert|into|as|html|markdown|raw|full|clean|main|body)\b[\s,.:!?]*)+$/i.test(
    masked,
  )
}

export function isSearch(intent: string): boolean {
  return /^(?:search|google)\b/i.test(stripPolite(intent))
}

/** Whether an intent is a question about the world, such as the capital of Australia. */
export function isQuestion(intent: string): boolean {
  return (
    /^(?:what|who|when|where|why|how|which|is|are|does|do|did|was|were|can|compare|explain|define|research|investigate|find out|learn|(?:best|good|top|latest|current|common|popular|examples|types|ways|tips|history|overview|definition|meaning|statistics|facts|guide)(?: \w+)* (?:of|for|to|in|on|about)|look (?:up|into)|tell me|summari[sz]e what)\b/i.test(
      stripPolite(intent),
    ) || intent.trim().endsWith('?')
  )
}

const ONLY_VERBS = new RegExp(String.raw`^(?:(?:${VERBS}|me|us|all|any|some|the|a|an)\b\s*)+$`, 'i')
const SOFT_BREAK =
  / (?:about|on|for|of|in|that|which|who|where|whose|with|from|by|at|regarding|concerning|mentioning|near|than|to) /

/** The task of a masked intent without its topic. Null if the two cannot be separated. */
export function taskOf(masked: string): Task | null {
  const text = stripPolite(masked)
  const task = SEARCHED.exec(text)?.[0]
  if (task !== undefined)
    return {
      text: [task, ...(text.slice(task.length).match(GIVEN) ?? [])].join(' '),
      isSure: true,
    }
  const at = SOFT_BREAK.exec(text)?.index
  // "List of" and "is a company on" are not tasks.
  return at === undefined ||
    ONLY_VERBS.test(text.slice(0, at)) ||
    isGeneric(text.slice(0, at).replace(LEADING, ''))
    ? null
    : {
        text: [text.slice(0, at), ...(text.slice(at).match(GIVEN) ?? [])].join(' '),
        isSure: false,
      }
}

function stripPolite(text: string): string {
  return text
    .trim()
    .replace(/[?!.\s]+$/, '')
    .replace(POLITE, '')
}

function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^(?:about|on|for|of|the)\s+/i, '')
    .replace(/(?:\s|,|;)+(?:from|in|since|with|and|on|at|for|please)?$/i, '')
    .trim()
}
