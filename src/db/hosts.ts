import { StartError } from '../errors/start-error.ts'

const WRITABLE = ['any', 'read-write', 'primary']
const READABLE = ['read-only', 'standby', 'prefer-standby']

/**
 * One URL for each host of a DATABASE_URL, in order. Accepts libpq's forms
 * `postgres://u:p@h1:5432,h2/db` and `postgres://u:p@/db?host=h1,h2&port=5432,5433`. Throws
 * StartError without the URL, because it may contain a password.
 */
export function hostsOf(url: string): readonly string[] {
  const { start, hosts, path, query } = splitUrl(url)
  const parameters = new URLSearchParams(query)
  refuseStandbys(parameters.get('target_session_attrs'))
  // pg has no option for several hosts. A URL with one host stays unchanged.
  const named = splitList(parameters.get('host'))
  const ports = splitList(parameters.get('port'))
  if (named.length <= 1 && hosts.length <= 1) return [requireReadable(url)]
  if (named.length > 1 && hosts.length > 1)
    throw invalidUrl('it has hosts before the name of the database and in the parameter "host"')
  if (ports.length > 1 && ports.length !== named.length)
    throw invalidUrl('the numbers of hosts and ports differ')
  if (named.length <= 1)
    return hosts.map((host) => requireReadable(`${start}${host}${path}${query}`))
  return named.map((host, place) => {
    const own = new URLSearchParams(parameters)
    own.set('host', host)
    const port = ports[ports.length === 1 ? 0 : place]
    if (port !== undefined) own.set('port', port)
    return requireReadable(`${start}${hosts[0] ?? ''}${path}?${own.toString()}`)
  })
}

type UrlParts = {
  readonly start: string
  readonly hosts: readonly string[]
  readonly path: string
  readonly query: string
}

function splitUrl(url: string): UrlParts {
  const [, scheme, user = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)([^?]*)(\?.*)?$/.exec(url) ?? []
  if (scheme === undefined)
    throw invalidUrl('it must look like postgres://user:password@host:5432/database')
  const hosts = authority.split(',')
  if (hosts.length > 1 && hosts.includes('')) throw invalidUrl('one of its hosts has no name')
  return { start: scheme + user, hosts, path, query }
}

function splitList(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(',')
}

function requireReadable(url: string): string {
  // pg accepts a socket's folder instead of a host, which URL.parse does not.
  if (URL.parse(url) === null && URL.parse(url.replace('@/', '@host/')) === null)
    throw invalidUrl('one of its hosts or ports is malformed')
  return url
}

/** Every host except the primary refuses the first call. */
function refuseStandbys(wanted: string | null): void {
  if (wanted === null || WRITABLE.includes(wanted)) return
  if (READABLE.includes(wanted))
    throw new StartError(
      `DATABASE_URL has target_session_attrs=${wanted}, but the gateway writes with every call. Use read-write.`,
    )
  throw new StartError(
    `DATABASE_URL has an unknown target_session_attrs. Use one of ${WRITABLE.join(', ')}.`,
  )
}

function invalidUrl(why: string): StartError {
  return new StartError(`DATABASE_URL is invalid: ${why}.`)
}
