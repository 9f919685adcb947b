import { isStyledAway } from './collapsed.ts'
import { isWithin, type DomElement } from './dom.ts'
import { sectionsElsewhere } from './sections-elsewhere.ts'
import { linkLength, textLength } from './text-length.ts'

/**
 * Class and id names of elements around the content, delimited by `-`, `_`, spaces or a change of
 * case.
 */
const SURROUNDINGS = namesPattern(
  'cookie|cookies|consent|gdpr|newsletter|subscribe|subscription|signup|sign-up|share|sharing|sharedaddy|social|breadcrumb|breadcrumbs|sidebar|side-bar|' +
    'menu|nav|navbar|navigation|footer|related|recommended|recommendations|promo|promotion|advert|advertisement|ads|ad|sponsored|popup|modal|overlay|banner|' +
    'skip|pagination|pager|toolbar|widget|widgets|comment-form|comment-respond|author-bio|tags|taglist|outbrain|taboola|masthead|sitemap|login|search|searchbox|' +
    'toc|announcement|sr-only|visually-hidden|visuallyhidden|screen-reader-text|signature|cta|notice|disclaimer|copyright|bio|user-extras|user-title|user-banner|user-stats|extra-user-info|post-stats',
)
/** Names with only one meaning: a match may remove a larger share of the page. */
const SURE = /^(footer|cookies?|consent|gdpr|navbar|masthead|newsletter)$/
const BYLINES = namesPattern(
  'byline|bylines|dateline|published|pubdate|timestamp|authors|author|date|time|credit|credits|attribution|caption|wp-caption-text|posted-on|entry-meta|post-meta|meta|eyebrow|' +
    'kicker|reading-time|readtime|vcard',
)
const COMMENTS = namesPattern(
  'comments|comment|commentlist|comment-list|disqus|disqus_thread|respond|replies|reviews|review|carousel',
)

const UNSEEN =
  'script,style,noscript,template,meta,link,iframe,object,embed,canvas,svg,audio,video,select,textarea,button,datalist,dialog,label,input:not([type=checkbox])'
const NOT_CONTENT =
  '[hidden],[aria-hidden="true"],[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"],[role="dialog"],[role="alertdialog"],[role="menu"],[role="menubar"],nav,footer'
const ROOT_TAGS = /^(body|html|main|article)$/

/**
 * Removes the elements around the content. A rule that would remove most of the page is skipped: on
 * that page the name ("widget", "skip-item", "review") means something else.
 */
export function removeSurroundings(body: DomElement): void {
  for (const element of body.querySelectorAll(UNSEEN)) if (!isOpener(element)) element.remove()
  const whole = textLength(body)
  removeUnlessMost([...body.querySelectorAll(NOT_CONTENT)], whole * 0.8)
  removeUnlessMost([...body.querySelectorAll('[style]')].filter(isStyledAway), whole * 0.6)
  const visible = textLength(body)
  for (const element of body.querySelectorAll('aside,form,header,[role="complementary"]')) {
    if (isPeripheral(element, visible)) element.remove()
  }
  for (const [name, elements] of byName(body, SURROUNDINGS))
    removeUnlessMost(elements, visible * (SURE.test(name) ? 0.6 : 0.3))
}

/** Removes bylines, captions, comments, reviews and link blocks, unless they are the content. */
export function removeAccessories(root: DomElement): void {
  removeUnlessMost([...byName(root, COMMENTS).values()].flat(), textLength(root) * 0.5)
  const length = textLength(root)
  removeUnlessMost(
    [...root.querySelectorAll('ul,ol,div,section,table,p')].filter((element) =>
      isLinkBlock(element, length),
    ),
    length * 0.4,
  )
  const small = Math.min(300, length * 0.1)
  const bylines = [
    ...root.querySelectorAll('time,figcaption'),
    ...[...byName(root, BYLINES).values()].flat(),
  ]
  removeUnlessMost(
    bylines.filter((element) => textLength(element) < small),
    length * 0.25,
  )
}

/**
 * Only for pages of prose: on other pages, sections headed "related" or "similar" are the content.
 */
export function removeSectionsElsewhere(core: DomElement): void {
  removeUnlessMost(sectionsElsewhere(core), textLength(core) * 0.3)
}

/** An accordion's question is often a button inside a heading. */
function isOpener(element: DomElement): boolean {
  return element.localName === 'button' && element.closest('h1,h2,h3,h4,h5,h6,dt,summary') !== null
}

function removeUnlessMost(elements: readonly DomElement[], mostCharacters: number): void {
  const set = new Set(elements)
  const outer = [...set].filter(
    (element) => element.parentElement === null || !isWithin(element.parentElement, set),
  )
  const taken = outer.reduce((sum, element) => sum + textLength(element), 0)
  if (taken <= mostCharacters) for (const element of outer) element.remove()
}

/**
 * Matches page headers, sidebars and forms, but not an article's heading or a form around the whole
 * page.
 */
function isPeripheral(element: DomElement, pageLength: number): boolean {
  const length = textLength(element)
  const isHeader = element.localName === 'header'
  const isInContent = element.closest('article,main') !== null
  if (isHeader && isInContent && length < 600 && element.querySelector('nav,ul') === null)
    return false
  const isMenu =
    isHeader && !isInContent && length < pageLength * 0.7 && linkLength(element) > length * 0.4
  return isMenu || length < pageLength * 0.3
}

function isLinkBlock(element: DomElement, rootLength: number): boolean {
  const length = textLength(element)
  if (length <= 20 || length > rootLength * 0.2 || element.querySelectorAll('a').length < 3)
    return false
  return linkLength(element) / length > 0.8
}

function byName(root: DomElement, names: RegExp): Map<string, DomElement[]> {
  const found = new Map<string, DomElement[]>()
  for (const element of root.querySelectorAll('[class],[id]')) {
    if (ROOT_TAGS.test(element.localName)) continue
    const name = names.exec(labelOf(element))?.[1]?.toLowerCase()
    // Syntax highlighters use "comment" and "tag" in code; documentation uses "toc" in headings.
    if (name === undefined || element.closest('pre,code,h1,h2,h3,h4,h5,h6') !== null) continue
    const group = found.get(name)
    if (group === undefined) found.set(name, [element])
    else group.push(element)
  }
  return found
}

function labelOf(element: DomElement): string {
  const label = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  return label.slice(0, 500).replace(/([a-z])([A-Z])/g, '$1-$2')
}

function namesPattern(names: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(${names})(?:$|[\\s_-])`, 'i')
}
