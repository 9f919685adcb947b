import { posix } from 'node:path'
import { FENCE } from './split-sections.ts'

export type LinkTarget = {
  /** The path of the file in the repository. */
  readonly from: string
  /** The address of a file, or null when the gateway does not serve it. */
  readonly addressOf: (file: string) => string | null
}

const LINK = /(?<image>!?)\[(?<label>(?:[^[\]]|\[[^\]]*\])*)\]\((?<href>[^)\s]+)\)/g

/** Points links between files at the pages of the gateway. A link to a file that it does not serve becomes its words. */
export function rewriteLinks(markdown: string, target: LinkTarget): string {
  const parts: string[] = []
  let end = 0
  for (const fence of markdown.matchAll(FENCE)) {
    parts.push(rewriteProse(markdown.slice(end, fence.index), target), fence[0])
    end = fence.index + fence[0].length
  }
  return [...parts, rewriteProse(markdown.slice(end), target)].join('')
}

function rewriteProse(text: string, { from, addressOf }: LinkTarget): string {
  return text.replaceAll(LINK, (whole, ...rest: unknown[]) => {
    const { image = '', label = '', href = '' } = rest.at(-1) as Record<string, string>
    if (/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(href)) return whole
    const [path = '', fragment] = href.split('#', 2)
    const address = addressOf(posix.join(posix.dirname(from), path))
    if (address === null) return label
    return `${image}[${label}](${address}${fragment === undefined ? '' : `#${fragment}`})`
  })
}
