/** Makes text of strangers safe for a target format. Each function is applied once, to whole texts. */

/** Control characters, line separators, and marks that reverse the direction of the text after them. */
const NOT_SHOWN = String.raw`\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069`
const NOT_SHOWN_RUN = new RegExp(`[${NOT_SHOWN}]+`, 'gu')
const NOT_IN_NAMES = new RegExp(String.raw`[/\\${NOT_SHOWN}]`, 'gu')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For terminals, plain-text emails, email headers and lists. */
export function toLine(text: string): string {
  return text.replaceAll(NOT_SHOWN_RUN, ' ')
}

/** For XML. The pages have the tag `html`, which browsers load without other modules. */
export function toXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/**
 * For the text of a Slack message (docs.slack.dev/messaging/formatting-message-text). Discord and
 * Mattermost accept the same body, but also run plain mentions and Markdown links.
 */
export function toSlackText(text: string): string {
  return toLine(text)
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/(?<![\w.+-])@(?=(?:everyone|here|channel|all)\b)/gi, '@\u200b')
    .replaceAll('](', ']\u200b(')
}

// Spreadsheets run text with such a start as a formula, some also after full-width characters. The
// apostrophe makes them show it as text.
const LOOKS_LIKE_A_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

/** For a cell of a spreadsheet, before the quotes of CSV. */
export function toSpreadsheetText(text: string): string {
  return LOOKS_LIKE_A_FORMULA.test(text) ? `'${text}` : text
}

/** For the name of a file. Empty if nothing remains. */
export function toFileName(text: string): string {
  return text.toWellFormed().replaceAll(NOT_IN_NAMES, '_').trim()
}
