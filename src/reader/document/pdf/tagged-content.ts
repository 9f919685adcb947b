import type { StructureNode, TextContent } from './pdf-library.ts'

/** The text of one piece of marked content. */
export type MarkedText = {
  readonly text: string
  readonly size: number
  readonly isMonospace: boolean
}
/** The structure that the program which wrote a tagged PDF stored for a page. */
export type TaggedPage = {
  readonly tree: StructureNode
  readonly texts: ReadonlyMap<string, MarkedText>
}

/** A structure that covers less of the page's text is not used. */
const MIN_COVERAGE = 0.9
export const MAX_DEPTH = 64
const ARTIFACT = 'artifact'
/** The page's structure with its texts; undefined if it leaves text out. */
export function readTagged(
  tree: StructureNode | null,
  { items, styles }: TextContent,
): TaggedPage | undefined {
  if (tree === null) return undefined
  const texts = new Map<string, { text: string; size: number; isMonospace: boolean }>()
  const open: (string | undefined)[] = []
  let isArtifact = 0
  let letters = 0
  for (const item of items) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') isArtifact -= open.pop() === ARTIFACT ? 1 : 0
      else {
        open.push(item.tag === 'Artifact' ? ARTIFACT : (item.id ?? undefined))
        isArtifact += item.tag === 'Artifact' ? 1 : 0
      }
      continue
    }
    if (isArtifact > 0) continue
    letters += lettersOf(item.str)
    const id = open.findLast((one) => one !== undefined)
    if (id === undefined) continue
    const known = texts.get(id) ?? { text: '', size: 0, isMonospace: true }
    known.text += item.str + (item.hasEOL ? ' ' : '')
    if (item.str.trim() !== '') {
      known.size = Math.max(known.size, Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0))
      known.isMonospace &&= styles[item.fontName]?.fontFamily === 'monospace'
    }
    texts.set(id, known)
  }
  const used = [...new Set(idsOf(tree))].reduce(
    (sum, id) => sum + lettersOf(texts.get(id)?.text ?? ''),
    0,
  )
  return letters > 0 && used >= letters * MIN_COVERAGE ? { tree, texts } : undefined
}

function lettersOf(text: string): number {
  return text.replace(/\s/g, '').length
}

/** The ids of the marked content below a node. */
export function idsOf(node: StructureNode, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  return (node.children ?? []).flatMap((child) =>
    'role' in child
      ? idsOf(child, depth + 1)
      : child.type === 'content' && child.id !== undefined
        ? [child.id]
        : [],
  )
}
