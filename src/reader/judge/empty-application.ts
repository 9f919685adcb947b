/** Detects applications that show a menu and a footer but no content until their scripts run. */
import { bodyOf, parseDocument, type DomElement } from '../extract/dom.ts'
import { TreeTooLarge } from '../dom/parse-html.ts'

/** Elements that an application fills. */
const MOUNT_NAME =
  /^(_+(next|nuxt|layout|gatsby|sapper|docusaurus)|((react|vue|main|my|js|web|ng)[-_])?(root|app|application|mount|react|vue|spa)([-_](root|app|container|mount|content|wrapper))?|app[A-Z]\w*|main|content|page|page-content|main-content|main-content-wrapper|maincontent|container|view|viewport|ember\d*|svelte)$/
/** Layers that stay empty on complete pages. */
const OVERLAY_NAME =
  /modal|portal|toast|popup|overlay|dialog|notification|drawer|tooltip|fb-root|chat|widget|cookie/i
const MOUNT_TAG = /^(main|app-root|router-outlet|ng-view)$/
const MOUNTS =
  'main,[role="main"],app-root,router-outlet,ng-view,[ng-view],[data-reactroot],[data-server-rendered],div[id],section[id]'
const MEDIA = 'img[src],iframe,video,canvas,object,embed,table,form,input'
/** Text of an application that is still loading. */
const LOADING =
  /^(loading|please wait|one moment|wird geladen|laden|chargement|cargando|carregando|caricamento|ładowanie|загрузка|yükleniyor|جار التحميل|लोड हो रहा|加载中|載入中|読み込み中|로딩|memuat)\b.{0,30}$|^(加载中|載入中|読み込み中|로딩).{0,20}$/iu
const LONGEST_LOADING = 40
const LONGEST_NOTICE = 400
const AROUND =
  'script,style,noscript,template,nav,footer,header,aside,dialog,select,button,label,form,[hidden],[role="navigation"],[role="banner"],[role="contentinfo"],[role="dialog"],[role="search"]'
const AROUND_NAME =
  /(^|[\s_-])(global-?)?(footer|fotter|header|nav|navbar|navigation|menu|sidebar|cookies?|consent|newsletter|copyright|legal|breadcrumbs?|topbar|toolbar|lang(uage)?s?|social|skip)([\s_-]|$)/i
/** Signs that a part is still loading. */
const LOADER =
  '[aria-busy="true"],[role="progressbar"],[class*="skeleton" i],[class*="spinner" i],[class*="spin-text" i],[class*="placeholder-glow" i]'
/** More words than this outside menus, footers and links are content. */
const OWN_WORDS = 25
/** A page without an empty element is a shell with at least so many words in menus and footers. */
const AROUND_WORDS = 12
/** It then has fewer words than this outside them, links included: while it loads, and otherwise. */
const ALL_WORDS = { loading: 25, other: 12 }

/**
 * Reports whether scripts must still fill a page that shows menus and footers. `isMenu`: the
 * extracted content may be a menu. Other content counts as missing only while the page loads.
 */
export function isEmptyApplication(html: string, isMenu: boolean): boolean {
  try {
    const body = bodyOf(parseDocument(html))
    // A copy for browsers without scripts is content.
    if (body.querySelectorAll('noscript').some(({ textLength }) => textLength > LONGEST_NOTICE))
      return false
    const isLoading = body.querySelector(LOADER) !== null
    if (!isMenu && !isLoading) return false
    const hasScripts = isLoading || /<script\b/i.test(html)
    for (const element of body.querySelectorAll('script,style,noscript,template')) element.remove()
    const allWords = countWords(body)
    const hasMount = isMenu && body.querySelectorAll(MOUNTS).some(isEmptyMount)
    // A header may contain the headline of the content.
    const headlineWords = countWords(...body.querySelectorAll('h1'))
    removeAround(body)
    const words = countWords(body)
    const isFilled =
      !hasScripts ||
      allWords - words < AROUND_WORDS ||
      body.querySelector(MEDIA) !== null ||
      headlineWords + words >= (isLoading ? ALL_WORDS.loading : ALL_WORDS.other)
    for (const link of body.querySelectorAll('a')) link.remove()
    return (hasMount && countWords(body) < OWN_WORDS) || !isFilled
  } catch (error) {
    if (error instanceof TreeTooLarge) return false
    throw error
  }
}

function isEmptyMount(element: DomElement): boolean {
  const name = element.getAttribute('id') ?? ''
  if (!(MOUNT_TAG.test(element.localName) || MOUNT_NAME.test(name) || name === '')) return false
  if (OVERLAY_NAME.test(name) || element.querySelector(MEDIA) !== null) return false
  return (
    element.textLength === 0 ||
    (element.textLength <= LONGEST_LOADING && LOADING.test((element.textContent ?? '').trim()))
  )
}

/** Removes menus, headers, footers, notices and signs of loading. */
function removeAround(body: DomElement): void {
  for (const element of body.querySelectorAll(`${AROUND},${LOADER}`)) element.remove()
  for (const element of body.querySelectorAll('[class],[id]'))
    if (
      AROUND_NAME.test(
        `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`.slice(0, 300),
      )
    )
      element.remove()
}

function countWords(...elements: readonly DomElement[]): number {
  const text = elements.map(({ textContent }) => textContent ?? '').join(' ')
  return text.match(/\p{L}[\p{L}\p{N}'’-]+/gu)?.length ?? 0
}
