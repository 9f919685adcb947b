import { type DomElement } from './dom.ts'
import { linkLength, textLength } from './text-length.ts'
import { collapse } from './text.ts'

/**
 * Headings above links to other pages, or above a request to the visitor. Omits headings such as
 * "latest", which news lists also use.
 */
const PHRASES = [
  '((you|customers|people|others|readers) (may|might|also|who)\\b.*)',
  '(more|other) (from|by|like|related|popular|stories|articles|news|posts|products|reading)\\b.*',
  '(related|similar|recommended|suggested)( (articles?|posts?|products?|items?|stories|content|topics?|questions|searches|threads|discussions|pages|reading|links|news|resources|courses|videos|recipes|guides|categories|for you|by .*))?',
  'recent (articles|posts|stories|news|comments|blogs?|topics|discussions|questions)( .{0,20})?',
  'recently (viewed|added)|most (read|popular|viewed|recent|shared)|frequently bought together|sponsored( .*)?|from our (partners|blog)|around the web',
  '((what to )?read|up) (next|more|also)|keep reading',
  'leave a (reply|comment)|post a comment|about the authors?|written by|share( this)?( \\w+)?|follow us( .*)?|stay (connected|in touch|up to date|informed)',
  '(sign up|subscribe)\\b.*|join (our|the) (newsletter|mailing list|conversation).*|(our )?newsletter',
  'verwandte .*|ähnliche .*|(das )?könnte (dir|ihnen|sie) .*|mehr (zum thema|aus|von)\\b.*|meistgelesen|weitere (artikel|themen|nachrichten|beiträge|produkte).*',
  '[àa] lire (aussi|également)|articles (similaires|liés|récents|associés)|vous (aimerez|pourriez|allez) .*|sur le même (sujet|thème)',
  '(artículos|noticias|productos|entradas) (relacionad[ao]s|recientes|similares)|también (te|le) .*|te puede interesar',
  'articoli (correlati|recenti|simili)|potrebbe(ro)? .*|leggi anche|(artigos|notícias|produtos|posts) (relacionad[ao]s|recentes)|leia (também|mais)|veja também',
  'gerelateerde .*|lees ook|meer over .*|читайте также|похожие .*|関連記事|関連商品|相关(文章|阅读|推荐|产品)|推荐阅读',
]
const ELSEWHERE = new RegExp(`^(${PHRASES.join('|')})[:.!?…]*$`, 'iu')
const HEADINGS =
  'h1,h2,h3,h4,h5,h6,[role="heading"],strong,b,div[class*="title" i],div[class*="heading" i],span[class*="title" i],p[class*="title" i]'
const LONGEST_HEADING = 60
/** No real page has more; a hostile one could. */
const MOST_SECTIONS = 30
const MOST_LEVELS = 10
const NO_RANK = 7
/** A longer text without links was written for this page, under any heading. */
const OWN_TEXT = 600

/** The sections about other pages, found by their headings. */
export function sectionsElsewhere(root: DomElement): DomElement[] {
  const headings = [...root.querySelectorAll(HEADINGS)]
    .filter((heading) => ELSEWHERE.test(headingText(heading)))
    .slice(0, MOST_SECTIONS)
  if (headings.length === 0) return []
  const most = textLength(root) * 0.5
  return headings
    .flatMap((heading) => sectionOf(heading, root, most))
    .filter((part) => textLength(part) < OWN_TEXT || linkLength(part) > 0)
}

function headingText(heading: DomElement): string {
  const text = collapse(heading.textContent ?? '').trim()
  return text.length > LONGEST_HEADING ? '' : text
}

/**
 * The section under a heading: the element that starts with it, or its siblings up to the next
 * heading of its rank.
 */
function sectionOf(heading: DomElement, root: DomElement, most: number): DomElement[] {
  let start = heading
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const above = start.parentElement
    if (above === null || above === root || !beginsWith(above, start) || textLength(above) > most)
      break
    start = above
  }
  if (textLength(start) > textLength(heading) + 20) return [start]
  const section = [start]
  const rank = rankOf(start)
  for (
    let next = start.nextElementSibling;
    next !== null && rankOf(next) > rank;
    next = next.nextElementSibling
  )
    section.push(next)
  return section
}

function beginsWith(element: DomElement, child: DomElement): boolean {
  for (const node of element.childNodes) {
    if (node === child) return true
    if ((node.textContent ?? '').trim() !== '') return false
  }
  return false
}

function rankOf(element: DomElement): number {
  const heading = /^h[1-6]$/.test(element.localName)
    ? element
    : element.querySelector('h1,h2,h3,h4,h5,h6')
  return heading === null ? NO_RANK : Number(heading.localName.slice(1))
}
