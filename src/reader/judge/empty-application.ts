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
/** More words than this next to an empty application are content. */
const OWN_WORDS = 25

/**
 * Reports whether the page has an empty element for an application, and next to it only menus,
 * links and footers.
 */
export function isEmptyApplication(html: string): boolean {
  try {
    const body = bodyOf(parseDocument(html))
    // A copy for browsers without scripts is content.
    if (body.querySelectorAll('noscript').some(({ textLength }) => textLength > LONGEST_NOTICE))
      return false
    for (const element of body.querySelectorAll('script,style,noscript,template')) element.remove()
    return body.querySelectorAll(MOUNTS).some(isEmptyMount) && ownWords(body) < OWN_WORDS
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

/** The words outside menus, footers and links. Changes the tree. */
function ownWords(body: DomElement): number {
  for (const element of body.querySelectorAll(AROUND)) element.remove()
  for (const element of body.querySelectorAll('[class],[id]'))
    if (
      AROUND_NAME.test(
        `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`.slice(0, 300),
      )
    )
      element.remove()
  for (const link of body.querySelectorAll('a')) link.remove()
  return (body.textContent ?? '').match(/\p{L}[\p{L}\p{N}'’-]+/gu)?.length ?? 0
}
