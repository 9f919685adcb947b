/** Ways of asking that share no word with what does it, in words that do. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:are|is|were) (?:most )?(?:like|similar to)\b|\b(?:alternatives|competitors|rivals) (?:to|of|for)\b|\bsimilar to\b/gi, ' similar lookalike '],
  [/\bhow (?:did|was|has) (.{1,80}?) (?:look(?:ed)?|looked like)\b/gi, ' archived old version of page $1 '],
  [/\b(?:tech|technology) stack\b|\bruns? on\b/gi, ' technologies technographics '],
  [/\b(?:which|what) (?:urls?|pages|links) (?=(?:exist|are|does|do|has|have)\b)/gi, ' list pages of site map '],
  [/\b(?:my|our) (?:\w+ )?files\b/gi, ' stored files list '],
  [/\bwho (?:wrote|is the author of)\b/gi, ' author of article '],
  [/\bwho is behind\b|\bwho owns (?=the (?:email|e-mail))/gi, ' person from '],
  [/\b(?:who|people who|those who) works? (?:at|for)\b/gi, ' find people employees of '],
  [/\bget past\b/gi, ' unblock '],
  [/\b(?:as seen|seen|viewed|looks) from\b/gi, ' from country geo location '],
  [/\bworth\b/gi, ' value estimate '],
  [/\bhow popular (?:is|are)\b|\bpopularity of\b/gi, ' search interest trend of '],
  [/\bhow much (?:is|are|does|do)\b/gi, ' price cost of '],
  [/\bsave\b(?=.{0,200}\b(?:files?|storage)\b)/gi, ' upload '],
  [/\b(?:say|says) about\b/gi, ' news about '],
]

export function plainly(masked: string): string {
  return IDIOMS.reduce((text, [pattern, words]) => text.replace(pattern, words), masked).replace(/\s+/g, ' ').trim()
}
