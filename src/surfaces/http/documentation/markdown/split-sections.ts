/** A code block, from its opening to its closing fence. */
export const FENCE = /^([ \t]*)(```+|~~~+)[^]*?^\1\2[ \t]*$/gm

/** The parts of a document that its headings of the second level begin. Headings in code begin none. */
export function splitSections(markdown: string): string[] {
  const inCode = [...markdown.matchAll(FENCE)].map(
    ({ index, 0: block }) => [index, index + block.length] as const,
  )
  const starts = [...markdown.matchAll(/^## /gm)]
    .map(({ index }) => index)
    .filter((start) => !inCode.some(([from, to]) => from < start && start < to))
  return [0, ...starts].map((start, at) => markdown.slice(start, starts[at]))
}
