/** The idioms that make a reader stop, and what to write instead. */
import type { Place } from './passage.ts'

export interface Idiom {
  readonly pattern: RegExp
  readonly better: string
  /** The first word of a sentence has a capital. */
  readonly matchesCase?: true
  /** Everywhere without it. */
  readonly places?: readonly Place[]
}

const idiom = (pattern: RegExp, better: string, ...places: readonly Place[]): Idiom =>
  places.length === 0 ? { pattern, better } : { pattern, better, places }

/** For patterns of the first words of a passage or a sentence. */
const start = (pattern: RegExp, better: string, ...places: readonly Place[]): Idiom => ({
  pattern,
  better,
  places,
  matchesCase: true,
})

const NAME_THE_ACTOR = 'name the actor: the gateway, the caller, the operator, the vendor'

export const IDIOMS: readonly Idiom[] = [
  // Actors without a name.
  idiom(/\bwho(?:so)?(?:m?ever)\b/, NAME_THE_ACTOR),
  idiom(/\bwhom\b/, NAME_THE_ACTOR),
  idiom(/\b(?:nobody|somebody|anybody|everybody)(?:'s| else's)?\b/, NAME_THE_ACTOR),
  idiom(/\b(?:to|by|for|with|from|of|tells?|told) who\b/, NAME_THE_ACTOR),
  idiom(/\bwhatever\b/, 'any, every, or name it'),
  idiom(
    /\bwhat (?:is|was|are|were)\b(?! (?:wrong|missing|new)\b)(?![^.!]*\?)/,
    'name the thing: the answer, the file, the amount',
  ),
  idiom(/\b(?:affairs?|business) of\b|\bthe affair\b/, 'say who decides or owns it'),

  // Machines do not talk.
  idiom(/\b(?:tell|tells|told|telling)\b/, 'return, report, log, notify, show, distinguish'),
  idiom(/\b(?:hears?|heard|hearing)\b/, 'receive, be notified'),
  idiom(/\b(?:says|said)\b/, 'return, report, state, specify'),
  idiom(
    /\b(?:is|are|was|were|be|been|being) asked\b|\basked (?:once|again|how|whether|what)\b|\basks about\b/,
    'is called, is requested; query, poll, read',
  ),
  idiom(/\bsay\b(?!,)/, 'return, report, state, specify'),
  idiom(/\b(?:knows?|known|knew) (?:nothing )?of\b/, 'has, stores, sees'),
  idiom(/\bwants? for\b|\bfor want of\b/, 'lack, because … is missing'),
  idiom(/\bwithout a word\b|\bin silence\b/, 'silently, without a log line'),
  idiom(/\bspoken back\b/, 'returned'),

  // Turns of phrase.
  idiom(/\bno more(?=[.,;:)]|\s*$)/, 'no longer'),
  idiom(/\bopens? (?:the|a) (?:\w+'s )?door\b/, 'authenticates'),
  idiom(/\bin vain\b/, 'without a result'),
  idiom(/\bbesides\b/, 'also, in addition to'),
  idiom(/\bclimb(?:s|ed|ing)?\b/, 'escalate, fall back to'),
  idiom(/\b(?:is|are|was|were|be) none\b/, 'does not exist, is empty, is not …'),
  idiom(/\bnone of (?:the|its|them|these|those|our|it|his|her)\b/, 'no …, not any …'),
  idiom(/\b(?:but|save) for\b(?! example)/, 'except'),
  idiom(/\bnothing but\b/, 'only'),
  idiom(/\bbe it\b/, 'whether'),
  idiom(/\bas (?:it|they) stands?\b/, 'current, or leave it out'),
  idiom(/\bat once\b/, 'immediately; at the same time, concurrently'),
  idiom(/\bin turns?\b|\btakes? turns\b/, 'one after another, then, alternately'),
  idiom(/\bof (?:ours|theirs)\b/, 'our …, their …'),
  idiom(/\b(?:an?|no|any|other) \w+ of the \w+'s\b/, "one of the operator's keys, the vendor's …"),
  idiom(/\bany ?more\b(?! than)/, 'no longer'),
  idiom(/\banew\b/, 'again; a limit resets'),
  idiom(/\btill\b/, 'until; payment session'),
  idiom(/\b(?:made|make) of\b/, 'consists of, becomes'),
  idiom(/\b(?:comes?|came|becomes?|became) of\b/, 'outcome, result'),
  idiom(/\b(?:passe?[sd]?|passing) over\b/, 'skip'),
  idiom(/\b(?:go|goes|went|gone|going) on\b/, 'continue, happen'),
  idiom(/\b(?:go|goes|went) by\b/, 'uses, follows'),
  idiom(/\b(?:gives?|gave|given|giving) (?:it |them )?back\b/, 'return, release, refund'),
  idiom(/\bbrings?\b(?! up)|\bbrought\b/, 'return, deliver'),
  idiom(/\btakes? nothing\b/, 'accepts no …, is not read'),
  idiom(/\b(?:leave|leaves|left|leaving) (?:it |them )?alone\b/, 'does not change, skip'),
  idiom(/\blook(?:s|ed|ing)? (?:among|into your)\b/, 'search, check'),
  idiom(/\blies? (?:ready|beside|with|in wait)\b/, 'is stored, is buffered'),
  idiom(/\bst(?:and|ands|ood|anding) (?:beside|by itself|there)\b/, 'is next to, is separate'),
  idiom(/\bbeside\b/, 'next to, in addition to'),
  idiom(/\bhow far\b(?! back)/, 'progress'),
  idiom(/\bhow (?:an?|the|it|its|each|that|this|your) ?\w* stands?\b/, 'state, status'),
  idiom(/\bis it well\b/, 'health check'),
  idiom(/\breckon(?:s|ed|ing)?\b/, 'calculate, count on'),
  idiom(/\bshall\b/, 'must, will'),
  idiom(/\bought to\b/, 'should'),
  idiom(/\bsakes?\b/, 'for, because'),
  idiom(
    /\b(?:lest|whence|thereof|therein|wherein|whereof|whither|thither|forthwith|albeit)\b/,
    'plain word',
  ),
  idiom(/\b(?:amongst|amid|whilst|betwixt|nought|naught|aught)\b/, 'plain word'),
  idiom(/\blonger each time\b|\blonger and longer\b/, 'exponential backoff'),

  // The field's words.
  idiom(/\bways? (?:in|out)\b(?! which)/, 'entry point; outcome, egress'),
  idiom(/\bway back\b/, 'response, redirect, return page'),
  idiom(/\brungs?\b/, 'tier, step of the fallback chain'),
  idiom(/\b(?:patience|patient|haste|hastily|hasty)\b/, 'timeout, rate limit'),
  idiom(/\broom\b/, 'capacity, available credit'),
  idiom(/\bparcels?\b/, 'upload'),
  idiom(/\bunder ?way\b/, 'in progress, active, in flight'),
  idiom(
    /\b(?:a|the|its|no|without|of) doubles?\b(?![- ]?(?:quot|click|spen|charg|slash|dash|space))/,
    'duplicate, dedupe',
  ),
  idiom(/\b(?:film|films|filmed|filming)\b/, 'video, record'),
  idiom(/\bpictures?\b/, 'image'),
  idiom(/\b\d[\d ,.]* letters\b/, 'characters'),
  idiom(/\bmails\b|\bmailed\b|\b(?:an?|the|by|your|this|that|each|every|no) mail\b/, 'email'),
  idiom(
    /\bmak(?:e|es|ing) (?:an? |the |your |another |this )?(?:new )?(?:account|key|wallet)s?\b/,
    'create',
  ),
  idiom(/\b(?:account|key|wallet)s? (?:is|are|was|were) made\b/, 'created'),
  idiom(/(?<!-)\bkept\b/, 'stored'),
  idiom(/\bstarts? over\b/, 'restart; a limit resets'),

  // First words.
  start(
    /^\W*(?:What|Who|Whose)\b(?![^.!]*\?)/,
    'a better name, or a sentence with a subject',
    'comment',
  ),
  start(
    /(?<=[.;:] )(?:What|Who|Whose) \w+ \w+(?![^.!]*\?)/,
    'a sentence with a subject',
    'comment',
    'document',
    'string',
  ),
  start(/^(?:what|who|whose)\b/, 'a guarantee with a subject', 'test name'),
  start(
    /^\W*(?:What|Who|Whose|Where|How|Why|When|Is|Are|Can|Does|Do)\b|\?\s*$/,
    'a noun phrase or an imperative',
    'heading',
  ),
]
