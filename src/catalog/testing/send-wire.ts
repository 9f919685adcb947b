/** Sends a wire request for tests of vendors. Production uses src/upstream. */
import type { Auth, Reply, Vendor, WireRequest } from '../vocabulary/wire.ts'

export const TEST_CREDENTIAL = 'credential-that-must-stay-hidden'

/** Sends with a test credential in the place that the vendor's `auth` names. */
export async function sendWire(
  baseUrl: string,
  vendor: Pick<Vendor, 'auth' | 'accountFields' | 'headers'>,
  wire: WireRequest,
): Promise<Reply> {
  const { auth } = vendor
  const url = new URL(`${baseUrl}${wire.origin === undefined ? '' : `/${wire.origin}`}${wire.path}`)
  for (const [name, value] of Object.entries(wire.query ?? {})) {
    for (const item of value === undefined ? [] : [value].flat())
      url.searchParams.append(name, String(item))
  }
  if (auth.in === 'query' && auth.optional !== true)
    url.searchParams.set(auth.name, TEST_CREDENTIAL)
  const response = await fetch(url, {
    method: wire.method,
    headers: {
      ...(wire.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...vendor.headers,
      ...wire.headers,
      ...(wire.anonymous === true ? {} : credentialHeader(auth)),
    },
    ...(wire.json === undefined ? {} : { body: JSON.stringify(bodyOf(vendor, wire.json)) }),
    ...(wire.form === undefined ? {} : { body: new URLSearchParams(wire.form) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: parseReply(text),
    ...(wire.followsRedirects !== undefined ? { path: pathOf(response.url) } : {}),
  }
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

function bodyOf(
  { auth, accountFields }: Pick<Vendor, 'auth' | 'accountFields'>,
  json: unknown,
): unknown {
  if (auth.in !== 'body' && accountFields === undefined) return json
  const fields = Object.fromEntries(
    Object.entries(accountFields ?? {}).map(([name, { fallback }]) => [name, fallback]),
  )
  return {
    ...(json as object),
    ...fields,
    ...(auth.in === 'body' ? { [auth.name]: TEST_CREDENTIAL } : {}),
  }
}

function credentialHeader(auth: Auth): Record<string, string> {
  if (auth.in === 'headers')
    return Object.fromEntries(Object.keys(auth.headers).map((name) => [name, TEST_CREDENTIAL]))
  if (auth.in === 'header' && auth.optional === true) return {}
  if (auth.in === 'header') return { [auth.name]: `${auth.prefix ?? ''}${TEST_CREDENTIAL}` }
  return auth.in === 'basic'
    ? { authorization: `Basic ${Buffer.from(`user:${TEST_CREDENTIAL}`).toString('base64')}` }
    : {}
}

/** Parsed JSON, or the text if it is not JSON. */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
