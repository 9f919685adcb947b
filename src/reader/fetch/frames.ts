/** Reads a frameset page as the frame that holds its content. */
import { attributeOf, isMoreThanNotice, markupIn, tagsIn } from '../extract/raw-markup.ts'

const CONTENT = /main|content|body|text|page|center|right|inhalt|haupt/i
const AROUND = /nav|menu|index|toc|top|head|banner|logo|left|bottom|foot|title/i

/** The URL of the content frame of a frameset page; undefined for other pages. */
export function contentFrame(html: string, base: string): string | undefined {
  const markup = markupIn(html)
  if (!/<frameset\b/i.test(markup) || isMoreThanNotice(withoutFrames(markup))) return undefined
  const frames = tagsIn(markup, 'frame').flatMap((tag) => {
    const url = URL.parse(attributeOf(tag, 'src'), base)
    return url === null || url.protocol === 'about:' || url.href === base
      ? []
      : [{ name: attributeOf(tag, 'name'), url }]
  })
  const namedContent = frames.find(({ name }) => CONTENT.test(name) && !AROUND.test(name))
  const notPeripheral = frames.findLast(
    ({ name, url }) => !AROUND.test(name === '' ? url.pathname : name),
  )
  return (namedContent ?? notPeripheral ?? frames.at(-1))?.url.href
}

function withoutFrames(markup: string): string {
  const [, inside = ''] = markup.split(/<noframes\b[^>]*>/i)
  return inside.replace(/<\/noframes\b[^]*/i, '')
}
