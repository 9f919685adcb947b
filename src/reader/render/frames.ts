/** Pages that are nothing but a frame around others: they are read as the one that holds their content. */
import { attributeOf, isMoreThanNotice, markupIn, tagsIn } from '../extract/raw-markup.ts'

const CONTENT = /main|content|body|text|page|center|right|inhalt|haupt/i
const AROUND = /nav|menu|index|toc|top|head|banner|logo|left|bottom|foot|title/i

/** Where the content of a page made of frames is; undefined for every other page. */
export function contentFrame(html: string, base: string): string | undefined {
  const markup = markupIn(html)
  if (!/<frameset\b/i.test(markup) || isMoreThanNotice(withoutFrames(markup))) return undefined
  const frames = tagsIn(markup, 'frame').flatMap((tag) => {
    const url = URL.parse(attributeOf(tag, 'src'), base)
    return url === null || url.protocol === 'about:' || url.href === base
      ? []
      : [{ name: attributeOf(tag, 'name'), url }]
  })
  const called = frames.find(({ name }) => CONTENT.test(name) && !AROUND.test(name))
  const notAround = frames.findLast(
    ({ name, url }) => !AROUND.test(name === '' ? url.pathname : name),
  )
  return (called ?? notAround ?? frames.at(-1))?.url.href
}

function withoutFrames(markup: string): string {
  const [, inside = ''] = markup.split(/<noframes\b[^>]*>/i)
  return inside.replace(/<\/noframes\b[^]*/i, '')
}
