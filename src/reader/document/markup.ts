/** Text as HTML, without the control characters that no page may contain. */
export function escapeHtml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- documents contain them
      .replace(/[\0-\u0008\u000b\u000c\u000e-\u001f]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}

/** An element, or nothing for blank content. */
export function element(tag: string, content: string): string {
  return content.trim() === '' ? '' : `<${tag}>${content}</${tag}>`
}

export function heading(level: number, content: string): string {
  return element(`h${Math.min(6, Math.max(1, level))}`, content)
}

export type Cell = { readonly html: string; readonly across?: number; readonly down?: number }

/** A table. The first row is its header, because Markdown tables have one. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const filled = rows.filter((row) => row.length > 0)
  if (filled.length === 0) return ''
  const write = (row: readonly Cell[], tag: string): string =>
    `<tr>${row.map(({ html, across = 1, down = 1 }) => `<${tag} colspan="${across}" rowspan="${down}">${html}</${tag}>`).join('')}</tr>`
  const [head = [], ...body] = filled
  // A table with one column is a list of paragraphs.
  if (filled.every((row) => row.length === 1 && (row[0]?.across ?? 1) === 1))
    return filled.map(([cell]) => `<div>${cell?.html ?? ''}</div>`).join('')
  return `<table><thead>${write(head, 'th')}</thead><tbody>${body.map((row) => write(row, 'td')).join('')}</tbody></table>`
}

export type ListItem = {
  readonly level: number
  readonly isOrdered: boolean
  readonly html: string
  readonly start?: number | undefined
}

/** Consecutive items as nested lists. */
export function nestedLists(items: readonly ListItem[]): string {
  const out: string[] = []
  const open: { readonly level: number; readonly tag: string; next: number }[] = []
  const closeTo = (level: number): void => {
    while ((open.at(-1)?.level ?? -1) > level) out.push(`</li></${open.pop()?.tag}>`)
  }
  for (const { level, isOrdered, html, start } of items) {
    const tag = isOrdered ? 'ol' : 'ul'
    closeTo(level)
    const last = open.at(-1)
    if (last !== undefined && last.level === level && last.tag === tag) out.push('</li>')
    else {
      if (last !== undefined && last.level === level) out.push(`</li></${open.pop()?.tag}>`)
      out.push(isOrdered && (start ?? 1) > 1 ? `<ol start="${start}">` : `<${tag}>`)
      open.push({ level, tag, next: start ?? 1 })
    }
    const list = open.at(-1)
    const isJump = isOrdered && list !== undefined && start !== undefined && start !== list.next
    out.push(`<li${isJump ? ` value="${start}"` : ''}>${html}`)
    if (list !== undefined) list.next = (isJump ? start : list.next) + 1
  }
  closeTo(-1)
  return out.join('')
}
