/** At most `maxChars` characters, to the end of a line if one is near, and never half a character. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const line = cut.lastIndexOf('\n')
  return (
    line > maxChars * 0.9 ? cut.slice(0, line) : cut.replace(/[\ud800-\udbff]$/, '')
  ).trimEnd()
}
