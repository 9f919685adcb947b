const LONGEST_MESSAGE = 300
const SHORTEST_SECRET = 4

/** A vendor's own words, made safe to show: the operator's credentials and addresses are taken out, the rest is cut short. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, '[hidden]')
  }
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE)}…` : clean
}

/** As it is, and as it stands in an address, a form or a JSON body that is quoted back. */
function formsOf(secret: string): ReadonlySet<string> {
  return new Set([secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1), JSON.stringify(secret).slice(1, -1)])
}
