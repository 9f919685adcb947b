/** Detects challenges and login forms in a page's source, for walls with too few words. */
import { attributeOf } from '../extract/raw-markup.ts'

/**
 * Scripts, frames and elements of a challenge itself. The vendors' scripts on ordinary pages are
 * not included.
 */
const CHALLENGES =
  /captcha-delivery\.com|id=["']?px-captcha|sec-if-cpt-container|\/_sec\/cp_challenge\/|[?&]bm-verify=|\.captcha\.awswaf\.com|(window\.)?kpsdk\b|\/ips\.js\?|_cf_chl_opt\b|sucuri_cloudproxy_js|\.arkoselabs\.com\/(fc|v2|cdn)\/|enforcement\.arkoselabs|geetest_|\/\.well-known\/sgcaptcha\/|\/(recaptcha|hcaptcha)\/challenge/i
/** These occur on ordinary pages too, which are longer. */
const WATCHERS = /_incapsula_resource|\.awswaf\.com\/[^"']*challenge/i
const WATCHED_PAGE_CHARACTERS = 5_000
/** Captcha checkboxes: a wall only if the page has nothing else to fill in. */
const BOXES = /class=["'][^"']*\b(h-captcha|g-recaptcha|cf-turnstile|frc-captcha|smart-captcha)\b/i
const INPUT = /<input\b[^<>]{0,1000}/gi
const OWN_FIELD = /^(text|email|password|search|tel|)$/

export function hasChallenge(html: string): boolean {
  if (CHALLENGES.test(html) || (html.length < WATCHED_PAGE_CHARACTERS && WATCHERS.test(html)))
    return true
  return (
    BOXES.test(html) &&
    !/<(textarea|select)\b/i.test(html) &&
    !inputTypes(html).some((type) => OWN_FIELD.test(type))
  )
}

export function hasPasswordField(html: string): boolean {
  return inputTypes(html).includes('password')
}

/** Detects the first step of a two-step login. */
export function hasAccountField(html: string): boolean {
  return (html.match(INPUT) ?? []).some(
    (tag) =>
      attributeOf(tag, 'type').toLowerCase() === 'email' ||
      /^(username|email)\b/i.test(attributeOf(tag, 'autocomplete')),
  )
}

function inputTypes(html: string): string[] {
  return (html.match(INPUT) ?? []).map((tag) => attributeOf(tag, 'type').toLowerCase())
}
