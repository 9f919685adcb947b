const QUOTED = /^\s*>/
const ATTRIBUTION =
  /^(?:on|am|le|el|il|op|em|den)\b.{5,300}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\b.{0,200}:$/iu
const SEPARATOR =
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}$/iu
const HEAD = /^\W{0,4}(?:from|von|de|da)\W{0,4}:/i
const HEAD_SENT = /^\W{0,4}(?:sent|date|gesendet|datum|envoyé|enviado|inviato)\W{0,4}:/iu
const MOST_HEAD_LINES = 4
/** Some programs break the line that introduces the quotation. */
const MOST_ATTRIBUTION_LINES = 3
const LONGEST_ATTRIBUTION = 600

/** The text of a message without the earlier messages that it quotes; the whole text if it has nothing else. */
export function extractReply(text: string): string {
  const lines = text.split(/\r?\n/)
  const end = lines.findIndex((_line, index) => isStartOfQuotation(lines, index))
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !QUOTED.test(line))
  return (
    own
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim() || text.trim()
  )
}

function isStartOfQuotation(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trim() ?? ''
  if (SEPARATOR.test(line)) return true
  if (HEAD.test(line))
    return lines.slice(index + 1, index + MOST_HEAD_LINES).some((next) => HEAD_SENT.test(next))
  for (let count = 1; count <= MOST_ATTRIBUTION_LINES; count += 1) {
    const introduction = lines
      .slice(index, index + count)
      .join(' ')
      .trim()
    if (introduction.length > LONGEST_ATTRIBUTION) return false
    if (introduction.endsWith(':') && ATTRIBUTION.test(introduction))
      return isQuotedNext(lines, index + count)
  }
  return false
}

/** Quoted lines follow, or nothing: a person may write "On Monday she wrote:", too. */
function isQuotedNext(lines: readonly string[], from: number): boolean {
  const next = lines.slice(from).find((line) => line.trim() !== '')
  return next === undefined || QUOTED.test(next)
}
