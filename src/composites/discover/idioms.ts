/** Replaces phrases that share no word with the matching action by words of the catalog. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:are|is|were) (?:most )?(?:like|similar to)\b|\b(?:alternatives|competitors|rivals) (?:to|of|for)\b|\bsimilar to\b|\b(?:that|which) looks? like\b/gi,
    ' similar lookalike ',
  ],
  [
    /\bhow (?:did|was|has) (.{1,80}?) (?:look(?:ed)?|looked like)\b/gi,
    ' archived old version of page $1 ',
  ],
  [/\b(?:tech|technology) stack\b|\bruns? on\b/gi, ' technologies technographics '],
  [
    /\b(?:which|what) (?:urls?|pages|links) (?=(?:exist|are|does|do|has|have)\b)/gi,
    ' list pages of site map ',
  ],
  [
    /\b(?:picture|photo|image|snapshot|capture)s? of (?=(?:\w+ ){0,3}?(?:web ?)?(?:sites?|pages?)\b)/gi,
    ' screenshot of ',
  ],
  [
    /^\s*(?:please |can you |to )*google (?!(?:maps?|trends?|reviews?|scholar|patents?|news|play|ads|shopping|finance|search|results?|rank|drive|books)\b)/gi,
    ' search the web for ',
  ],
  [/\bwhat(?: is|'s|’s) (?:new|happening|going on) (?=(?:in|with|at|about)\b)/gi, ' latest news '],
  [/\b(?:my|our) (?:\w+ )?files\b/gi, ' stored files list '],
  [/\bwho (?:wrote|is the author of)\b/gi, ' author of article '],
  [/\bwho is behind\b|\bwho owns (?=the (?:email|e-mail))/gi, ' person from '],
  [/\b(?:who|people who|those who) (?:left|joined|moved to|switched)\b/gi, ' people job changes '],
  // A query for a contact means one person; the employer identifies the person.
  [
    /(?<!\b(?:e-?mail|address|phone|number)\b.{0,80})\b(?:who|people who|those who) works? (?:at|for|as)\b/gi,
    ' find people employees of ',
  ],
  [/\bhow many (followers|fans|subscribers|likes|views|posts|videos)\b/gi, ' profile $1 count '],
  [/\b(?:what is|what's|how is) it like to work (?:at|for)\b/gi, ' employee reviews of '],
  [
    /\b(?:create|make|compose|draw|paint|generate|produce|animate)\b(?=(?: [\w'-]+){0,4}? (?:picture|image|photo|drawing|illustration|logo)s?\b)/gi,
    ' generate text to image ',
  ],
  [
    /\b(?:create|make|compose|generate|produce|animate)\b(?=(?: [\w'-]+){0,4}? (?:video|film|clip|animation)s?\b)/gi,
    ' generate text to video ',
  ],
  [
    /\b(?:create|make|compose|write|generate|produce)\b(?=(?: [\w'-]+){0,4}? (?:song|tune|melody|jingle|music)s?\b)/gi,
    ' generate music ',
  ],
  [
    /\binto (?:speech|spoken words|a voice)\b|\bread (?:\w+ ){0,3}?(?:aloud|out loud)\b/gi,
    ' text to speech ',
  ],
  [/\b(?:rents?|rented|let) (?:out )?for\s*$/gi, ' rent estimate '],
  [/\b(?:odds|chances?|probability) (?=(?:on|of|that)\b)/gi, ' prediction market odds '],
  [
    /\b(?:to|for|by) (?:somebody|someone|people|visitors?|users?|customers|anyone) (?:in|from)\b/gi,
    ' from country geo location ',
  ],
  [/\b(?:where|at which|on which) (?:i|we|it|my agent) can (?:get|receive)\b/gi, ' inbox receive '],
  [
    /\bwhat (?:do |does |are |is )?(?:people|everybody|everyone|users) (?:search(?:es|ing)?|googl(?:e|es|ing)|look(?:s|ing)?) (?:for|up|on google)\b/gi,
    ' trend of google searches, related queries ',
  ],
  [/\brank(?:s|ed|ing)? (?:\w+ )?for\b/gi, ' seo ranked keywords '],
  [/\bget past\b/gi, ' unblock '],
  [/\b(?:as seen|seen|viewed|looks?) from\b/gi, ' from country geo location '],
  [/\bworth\b/gi, ' value estimate '],
  [/\bhow popular (?:is|are)\b|\bpopularity of\b/gi, ' search interest trend of '],
  [/\bhow much (?:is|are|does|do)\b/gi, ' price cost of '],
  [/\bhow far (?:along )?(?:is|are|has|have)\b/gi, ' status progress of '],
  [/\bsave\b(?=.{0,200}\b(?:files?|storage)\b)/gi, ' upload '],
  [/\b(?:say|says) about\b/gi, ' news about '],
]

export function toPlainWords(masked: string): string {
  return collapseSpaces(
    IDIOMS.reduce((text, [pattern, words]) => text.replace(pattern, words), masked),
  )
}

export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
