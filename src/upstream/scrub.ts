const LONGEST_MESSAGE = 300
const SHORTEST_SECRET = 4

/** A vendor's own words, made safe to show: the operator's credentials and addresses are taken out, the rest is cut short. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, '[hidden]').replaceAll(encodeURIComponent(secret), '[hidden]')
  }
  return clean.length > LONGEST_MESSAGE ? `${clean.slice(0, LONGEST_MESSAGE)}…` : clean
}
