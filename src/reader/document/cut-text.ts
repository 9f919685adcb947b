/** The beginning of a text, if possible until the end of a line. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const line = cut.lastIndexOf('\n')
  return (
    line > maxChars * 0.9 ? cut.slice(0, line) : cut.replace(/[\ud800-\udbff]$/, '')
  ).trimEnd()
}
