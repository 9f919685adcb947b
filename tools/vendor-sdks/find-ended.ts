import type { MirroredMethods } from './mirrored-methods.ts'

/** A mirrored method that the vendor's SDK deprecates or no longer has. */
export type EndedMethod = {
  /** Such as `FirecrawlClient.startCrawl`. */
  readonly method: string
  readonly file: string
  readonly actions: readonly string[]
  /** The words of the SDK; null for a method that is missing. */
  readonly deprecated: string | null
}

/** `read` returns the text of a file below node_modules; null for a file that does not exist. */
export function findEnded(
  mirrored: readonly MirroredMethods[],
  read: (file: string) => string | null,
): readonly EndedMethod[] {
  return mirrored.flatMap(({ file, owner, methods }) => {
    const text = read(file)
    const scope = text === null ? null : scopeOf(text, owner)
    return Object.entries(methods).flatMap(([name, actions]) => {
      const ended = scope === null ? { deprecated: null } : findEnd(scope, name)
      const method = owner === null ? name : `${owner}.${name}`
      return ended === null ? [] : [{ method, file, actions, ...ended }]
    })
  })
}

/** The declaration of a class, interface or type, with its braces; null when it is missing. */
function scopeOf(text: string, owner: string | null): string | null {
  if (owner === null) return text
  const code = blankComments(text)
  const start = new RegExp(`\\b(?:class|interface|type)\\s+${owner}\\b`).exec(code)?.index
  const open = start === undefined ? -1 : code.indexOf('{', start)
  if (open === -1) return null
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1
    else if (code[at] === '}') depth -= 1
    if (depth === 0) return text.slice(open, at + 1)
  }
  return null
}

/** Null for a method that exists and has an overload that is not deprecated. */
function findEnd(scope: string, name: string): { readonly deprecated: string | null } | null {
  const code = blankComments(scope)
  const declaration = new RegExp(
    String.raw`^[ \t]*(?:(?:export|declare|async|function|const|readonly)\s+)*${name}\??\s*[(<:]`,
    'gm',
  )
  const notes: (string | null)[] = []
  for (const { index } of code.matchAll(declaration)) {
    const comment = commentBefore(scope, index)
    // An overload without a comment has that of the overload before it.
    notes.push(comment === null ? (notes.at(-1) ?? null) : deprecationIn(comment))
  }
  if (notes.length === 0) return { deprecated: null }
  const [first] = notes
  return typeof first === 'string' && !notes.includes(null) ? { deprecated: first } : null
}

/** Comments as spaces, so that positions stay the same. */
function blankComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  )
}

function commentBefore(text: string, index: number): string | null {
  const before = text.slice(0, index).trimEnd()
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/*')) : null
}

function deprecationIn(comment: string): string | null {
  const found = /@deprecated\b([^@]*)/.exec(comment.replace(/\*\/$/, ''))
  if (found === null) return null
  const words = (found[1] ?? '').replaceAll(/^\s*\*/gm, ' ')
  return words.replaceAll(/\s+/g, ' ').trim() || 'deprecated'
}

/** The entries of the SDK's DEPRECATED_MODELS, a record of names and dates. */
export function findDeprecatedModels(
  text: string,
): readonly { readonly name: string; readonly date: string }[] {
  const record = /\bDEPRECATED_MODELS = \{([^}]*)\}/.exec(text)?.[1] ?? ''
  return [...record.matchAll(/'([^']+)':\s*'([^']+)'/g)].map(([, name = '', date = '']) => ({
    name,
    date,
  }))
}
