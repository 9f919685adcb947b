/**
 * Scripts that run inside recorded pages. A page can falsify their results, so they affect only the
 * video.
 */

// The page itself, or its largest scrollable part if the page does not scroll.
const SCROLLER = `(() => {
  const root = document.scrollingElement ?? document.documentElement
  if (root.scrollHeight > innerHeight + 20) return root
  const area = (element) => element.clientWidth * element.clientHeight
  const parts = [...document.querySelectorAll('main, div, section, article')].filter((element) => element.scrollHeight > element.clientHeight + 40 && /auto|scroll/.test(getComputedStyle(element).overflowY))
  return parts.sort((one, other) => area(other) - area(one))[0] ?? root
})()`

/** { top, most, screen } in CSS pixels. */
export const SCROLL_STATE = `(() => { const part = ${SCROLLER}; return { top: part.scrollTop, most: part.scrollHeight - part.clientHeight, screen: part.clientHeight } })()`

export function scrollTo(topPx: number): string {
  return `${SCROLLER}.scrollTo({ top: ${topPx}, behavior: 'instant' })`
}

/** Hides cookie banners, which cover the page, without accepting anything. */
export const HIDE_BANNERS = `(() => {
  const bannerName = /cookie|consent|gdpr|onetrust|didomi|usercentrics/i
  const consent = /cookies?\\b[^]*\\b(accept|agree|allow|reject|decline|got it|preferences|settings)/i
  let isHidden = false
  for (const element of document.querySelectorAll('div, section, aside, dialog, form')) {
    if (getComputedStyle(element).position !== 'fixed' || element.querySelector('button, a, [role=button]') === null) continue
    const text = element.innerText ?? ''
    if (text.length > 3000 || !(bannerName.test(element.id + ' ' + element.className) || consent.test(text))) continue
    element.style.setProperty('display', 'none', 'important')
    isHidden = true
  }
  for (const part of isHidden ? [document.documentElement, document.body] : []) if (part !== null && getComputedStyle(part).overflow === 'hidden') part.style.setProperty('overflow', 'auto', 'important')
})()`

/** Makes links and forms open in the same window. */
export const ONE_WINDOW = `(() => { for (const element of document.querySelectorAll('a[target], area[target], form[target], base[target]')) element.setAttribute('target', '_self') })()`

const MAX_TEXT = 240
const MAX_ITEMS = 120

/** Collects the PageFacts of a page. */
export const SURVEY = `(() => {
  const clean = (text) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, ${MAX_TEXT})
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0 && element.getBoundingClientRect().width > 8
  const content = (selector) => clean(document.querySelector(selector)?.getAttribute('content'))
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown).slice(0, ${MAX_ITEMS})
  const following = (heading) => {
    for (let node = heading, climbs = 0; node !== null && climbs < 3; node = node.parentElement, climbs += 1) {
      for (let next = node.nextElementSibling, steps = 0; next !== null && steps < 3; next = next.nextElementSibling, steps += 1) {
        if (/^H[1-6]$/.test(next.tagName) || next.querySelector('h1, h2, h3') !== null) return ''
        const text = next.matches('p, li') ? next : next.querySelector('p, li')
        if (text !== null && isShown(text) && clean(text.innerText).length > 20) return clean(text.innerText)
      }
    }
    return ''
  }
  return {
    url: location.href,
    title: clean(document.title),
    siteName: content('meta[property="og:site_name" i]'),
    description: content('meta[name="description" i]') || content('meta[property="og:description" i]'),
    words: clean((document.body?.innerText ?? '').slice(0, 4000)),
    headings: shown('h1, h2, h3').map((heading) => ({ level: Number(heading.tagName[1]), text: clean(heading.innerText), topPx: Math.round(heading.getBoundingClientRect().top + scrollY), following: following(heading) })).filter(({ text }) => text !== ''),
    links: shown('a[href]').map((link) => ({ text: clean(link.innerText || link.getAttribute('aria-label')), href: link.href, isNavigation: link.closest('nav, header, [role=navigation]') !== null })).filter(({ text, href }) => text !== '' && /^https?:/.test(href)),
    tabs: shown('[role=tab]:not([aria-selected=true]), summary').filter((tab) => tab.closest('form') === null).map((tab) => clean(tab.innerText)).filter((text) => text !== ''),
    heightPx: Math.round(document.documentElement.scrollHeight),
  }
})()`
