/** The password of a Basic Authorization header (RFC 7617); null without one. The user name does not matter. */
export function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? null : text.slice(colon + 1)
}
