/** Names of watch lists, which are never the name to screen, and endings of company names. */

/** Authorities and lists that exist only to publish watch lists. */
const LISTS =
  /\b(?:OFAC|SDN|OFSI|HMT|HM Treasury|UNSC|SECO|DFAT|FinCEN|Interpol|World ?Bank debarment|consolidated list)\b(?:'s)?/gi
/** Issuers that are lists only next to a word for one: "the EU, UK and UN sanctions lists". */
const ISSUERS = String.raw`(?:EU|UN|UK|US|USA|U\.S\.|U\.K\.|European Union|United Nations|United Kingdom|United States|Swiss|Canadian|Australian|Japanese|British|American|European)`
const JOINER = String.raw`(?:\s*(?:,|/|&|and|or)\s*|\s+)`
const BEFORE_LIST = new RegExp(
  String.raw`\b${ISSUERS}(?:${JOINER}(?:the )?${ISSUERS}){0,5}(?=${JOINER}(?:the )?(?:\w+ )?(?:sanctions?|watch ?lists?|lists?|embargo|PEP)\b)`,
  'gi',
)
const AFTER_CUE = new RegExp(
  String.raw`(?<=\b(?:sanctioned|sanctions? (?:lists? )?(?:of|by|from)|listed|designated|blacklisted|lists? (?:of|from|by))(?: by)? (?:the )?)${ISSUERS}(?:${JOINER}(?:the )?${ISSUERS}){0,5}`,
  'gi',
)
const SCREENING =
  /\b(?:sanction|screen|watch ?list|pep\b|ofac|sdn|politically exposed|aml|embargo|blacklist|designated)/i

/** The text without the names of lists, if it is about screening. */
export function withoutLists(text: string): string {
  if (!SCREENING.test(text)) return text
  return text.replace(LISTS, ' ').replace(BEFORE_LIST, ' ').replace(AFTER_CUE, ' ')
}

/** Whether a text has only names of lists and words about them: "OFAC", "EU sanction lists", "SDN". */
export function isListName(text: string): boolean {
  const rest = text
    .replace(LISTS, ' ')
    .replaceAll(new RegExp(String.raw`\b${ISSUERS}(?!\w)`, 'gi'), ' ')
    .replaceAll(
      /\b(?:the|of|and|or|on|in|by|from|all|any|every|sanctions?|sanctioned|watch|lists?|pep|peps|aml|kyc|screening|screen|check|embargo|blacklist|politically|exposed|person|people|persons|someone|somebody|anyone|name|names|company|companies|entity|entities|customer|supplier|client|vendor|party|global|international|consolidated)\b/gi,
      ' ',
    )
  return !/[\p{L}\d]/u.test(rest)
}

const ENDING =
  /^[ ,]+(?:AI|Inc|Ltd|Limited|LLC|LLP|GmbH|AG|SE|SA|S\.A\.|OU|OÜ|AS|ASA|AB|Oy|Oyj|NV|N\.V\.|BV|B\.V\.|SpA|S\.p\.A\.|SRL|S\.r\.l\.|KG|PLC|Plc|Co|Corp|KK|Pty Ltd|Sdn Bhd|Holdings?|Group|Bank|Energy)\b\.?/

/** Adds the rest of a company name that the name finder cuts: "Mistral" of "Mistral AI". */
export function completeName(name: string, text: string): string {
  const at = text.indexOf(name)
  const ending = at < 0 ? undefined : ENDING.exec(text.slice(at + name.length))?.[0]
  return ending === undefined ? name : `${name}${ending.replace(/\.$/, '')}`
}
