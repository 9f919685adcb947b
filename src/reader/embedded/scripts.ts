export type Script = { readonly attributes: string; readonly text: string }

/** No real page has more; each costs an attempt to parse it. */
const MOST_SCRIPTS = 3_000
const END = /<\/script/gi

/** All script elements of a source. Each character is read once, however the tags are broken. */
export function* scriptsIn(html: string): Generator<Script> {
  const start = /<script\b/gi
  let count = 0
  for (let found = start.exec(html); found !== null; found = start.exec(html)) {
    count += 1
    if (count > MOST_SCRIPTS) return
    const open = html.indexOf('>', found.index)
    if (open === -1) return
    END.lastIndex = open
    const end = END.exec(html)?.index
    if (end === undefined) return
    yield { attributes: html.slice(found.index + 7, open), text: html.slice(open + 1, end) }
    start.lastIndex = end
  }
}
