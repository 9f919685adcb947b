const LONGEST_MESSAGE = 300
const SHORTEST_SECRET = 4
/** Written in one way everywhere. */
const PLAIN = /^[\w.-]*$/

/** A vendor's own words, made safe to show: the operator's credentials and addresses are taken out, the rest is cut short. */
export function scrub(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((shown, secret) => (secret.length < SHORTEST_SECRET ? shown : hidden(shown, secret)), text)
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE)}…` : clean
}

/** The text without a secret as it is, and as it stands in an address, a form or a JSON body that is quoted back. */
export function hidden(text: string, secret: string): string {
  if (PLAIN.test(secret)) return text.replaceAll(secret, '[hidden]')
  const forms = new Set([secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1), JSON.stringify(secret).slice(1, -1)])
  return [...forms].reduce((shown, form) => shown.replaceAll(form, '[hidden]'), text)
}
