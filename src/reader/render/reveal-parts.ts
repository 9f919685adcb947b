import type { Page } from 'playwright-core'
import { evaluateIsolated } from './isolated-world.ts'

/** Containers of the usual consent managers, and their buttons that accept. */
const CONTAINERS = [
  '#onetrust-consent-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#didomi-host',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '#qc-cmp2-container',
  '#truste-consent-track',
  '#consent_blackbar',
  '#cookie-law-info-bar',
  '#cmpbox',
  '#cmpbox2',
  '#sp-cc',
  '#gdpr-consent-tool-wrapper',
  '#cookiescript_injected',
  '#iubenda-cs-banner',
  '#cookiefirst-root',
  '#tarteaucitronRoot',
  '#axeptio_overlay',
  '#hs-eu-cookie-confirmation',
  '#termly-code-snippet-support',
  '#klaro',
  '.cc-window',
  '.cky-consent-container',
  '.osano-cm-window',
  '.fc-consent-root',
  '.cmplz-cookiebanner',
  '.qc-cmp-ui-container',
  '[id^="sp_message_container_"]',
].join(', ')
const ACCEPT =
  /^(accept|accept all|accept (all )?cookies|allow all|allow all cookies|agree|i agree|i accept|agree and (close|continue)|got it|ok|okay|alle akzeptieren|alles akzeptieren|akzeptieren|alle cookies akzeptieren|zustimmen|einverstanden|tout accepter|accepter|j'accepte|aceptar|aceptar todo|aceptar todas|accetta|accetta tutto|accetta tutti|aceitar|aceitar todos|alles accepteren|accepteren|akkoord|zaakceptuj wszystko|akceptuję|zgadzam się|přijmout vše|godkänn alla|acceptera alla|tillad alle|accepter alle|godta alle|hyväksy kaikki|принять|принять все|同意|すべて受け入れる|同意する|全部接受|接受)$/i

/** The text of a banner that no known manager made. */
const BANNER_WORDS = /cookie|consent|gdpr|datenschutz|privacy (policy|choices)|同意/i
const MAX_BANNER_CHARACTERS = 2_500
const MAX_STEPS = 12

/** Clicks the button that accepts in a known consent manager. Returns whether there was one. */
export async function acceptConsent(page: Page): Promise<boolean> {
  return (await evaluateIsolated(
    page,
    `(() => {
      const accepts = ${ACCEPT}
      for (const container of document.querySelectorAll(${JSON.stringify(CONTAINERS)}))
        for (const button of (container.shadowRoot ?? container).querySelectorAll('button, [role="button"], a, input[type="button"], input[type="submit"]'))
          if (accepts.test((button.innerText || button.value || '').trim())) {
            button.click()
            return true
          }
      return false
    })()`,
  )) as boolean
}

/** Removes consent banners: known managers, and fixed boxes with a button and the words of one. */
export async function removeConsent(page: Page): Promise<void> {
  await evaluateIsolated(
    page,
    `(() => {
      for (const container of document.querySelectorAll(${JSON.stringify(CONTAINERS)})) container.remove()
      const words = ${BANNER_WORDS}
      const candidates = document.querySelectorAll('[class*="cookie" i], [id*="cookie" i], [class*="consent" i], [id*="consent" i], [aria-modal="true"]')
      for (const box of [...candidates].slice(0, 200)) {
        if (!box.isConnected || box === document.body || box === document.documentElement) continue
        const { position } = getComputedStyle(box)
        if (position !== 'fixed' && position !== 'sticky') continue
        const text = box.innerText ?? ''
        if (text.length <= ${MAX_BANNER_CHARACTERS} && words.test(text) && box.querySelector('button, [role="button"], a') !== null) box.remove()
      }
    })()`,
  )
}

/**
 * Scrolls through a page that is longer than its screen, so that parts which load when they are
 * seen do so, and returns to the top. Each step lasts until its frame is drawn, because observers
 * report visible elements after that. Returns whether it scrolled.
 */
export async function scrollThrough(page: Page): Promise<boolean> {
  return (await evaluateIsolated(
    page,
    `(async () => {
      const root = document.scrollingElement
      if (root === null || document.scripts.length === 0 || root.scrollHeight <= innerHeight) return false
      const frame = () => new Promise((resume) => { requestAnimationFrame(() => setTimeout(resume)); setTimeout(resume, 60) })
      const step = innerHeight * 0.9
      for (let count = 0, at = step; count < ${MAX_STEPS} && at < root.scrollHeight - innerHeight * 0.1; count += 1, at += step) {
        root.scrollTo({ top: at, behavior: 'instant' })
        await frame()
      }
      root.scrollTo({ top: 0, behavior: 'instant' })
      await frame()
      return true
    })()`,
  )) as boolean
}
