import type { DomElement } from '../extract/dom.ts'

/** Words of class, id and role names by the purpose of the element. Related words share a group. */
const GROUPS: readonly string[] = [
  'nav|navbar|navigation|menu|submenu|dropdown|megamenu',
  'footer|colophon|bottom',
  'header|masthead|topbar|top',
  'sidebar|side|aside|rail|secondary',
  'comment|comments|disqus|respond|reply|replies|commentlist',
  'related|recommended|recommendations|suggested|similar|upsell|crosssell|also|more|next|readmore',
  'share|sharing|social|follow|facebook|twitter',
  'ad|ads|advert|advertisement|sponsor|sponsored|promo|promotion|banner|outbrain|taboola|cta',
  'cookie|cookies|consent|gdpr|privacy',
  'breadcrumb|breadcrumbs|crumb|crumbs',
  'pagination|pager|paging|pages|loadmore',
  'meta|byline|dateline|date|time|timestamp|author|authors|published|posted|vcard',
  'content|contents|body|text|prose|richtext|rte|wysiwyg',
  'article|post|entry|story|news|blog|articlebody',
  'main|primary|page|wrapper',
  'product|products|pdp|item|items|sku',
  'review|reviews|rating|ratings|testimonial|testimonials',
  'price|prices|cart|basket|checkout|buy|stock',
  'widget|widgets|block|module',
  'modal|popup|overlay|dialog|lightbox|toast|notice|alert',
  'search|searchbox|filter|filters|facet|sort',
  'login|signin|signup|register|account|user|profile|avatar',
  'newsletter|subscribe|subscription|mailing|form',
  'tag|tags|taglist|category|categories|topics|label',
  'caption|figcaption|credit|image|photo|gallery|slider|carousel|media',
  'card|cards|teaser|tile|thumb|thumbnail|preview|excerpt|summary',
  'list|grid|row|results|listing|archive|feed',
  'toc|index|outline|anchors',
  'hidden|hide|sr|screen|visuallyhidden|offscreen|collapse|collapsed',
  'title|heading|headline|subtitle',
  'description|desc|intro|lead|details|detail|specs|specifications|features',
  'forum|thread|topic|message|messages|question|answer|answers|accepted',
  'bio|signature|about|copyright|legal|disclaimer|terms',
  'tab|tabs|accordion|panel|faq',
  'popular|latest|recent|trending|most|hot',
  'docs|documentation|markdown|highlight|code|api',
]
/** The first word of each group, as part of feature names. */
export const GROUP_NAMES: readonly string[] = GROUPS.map((words) => words.split('|', 1)[0] ?? '')

const GROUPS_BY_WORD = new Map<string, number[]>()
GROUPS.forEach((words, group) => {
  for (const word of words.split('|'))
    GROUPS_BY_WORD.set(word, [...(GROUPS_BY_WORD.get(word) ?? []), group])
})
const NAMES = ['class', 'id', 'itemprop', 'data-testid', 'data-component']
const MOST_CHARACTERS = 300
const NONE: ReadonlySet<number> = new Set()

/** Indexes in `GROUP_NAMES` of the groups that an element's attributes name. */
export function readClassGroups(element: DomElement): ReadonlySet<number> {
  const names = NAMES.map((name) => element.getAttribute(name) ?? '').join(' ')
  if (names.length <= NAMES.length) return NONE
  const words = names
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return new Set(words.flatMap((word) => GROUPS_BY_WORD.get(word) ?? []))
}
