import { StartError } from '../errors/start-error.ts'

const WRITABLE = ['any', 'read-write', 'primary']
const READABLE = ['read-only', 'standby', 'prefer-standby']

/**
 * One URL for each host of a DATABASE_URL, in their order. As libpq writes them: `postgres://u:p@h1:5432,h2/db`, or
 * `postgres://u:p@/db?host=h1,h2&port=5432,5433`. Throws StartError, which never repeats the URL: it may hold a password.
 */
export function hostsOf(url: string): readonly string[] {
  const { start, hosts, path, query } = partsOf(url)
  const parameters = new URLSearchParams(query)
  refuseStandbys(parameters.get('target_session_attrs'))
  // Not of pg: without it a URL of one host stays as it was written.
  const named = listOf(parameters.get('host'))
  const ports = listOf(parameters.get('port'))
  if (named.length <= 1 && hosts.length <= 1) return [readable(url)]
  if (named.length > 1 && hosts.length > 1)
    throw invalidUrl('hosts stand before the name of the database and in the parameter "host"')
  if (ports.length > 1 && ports.length !== named.length)
    throw invalidUrl('there are not as many ports as hosts')
  if (named.length <= 1) return hosts.map((host) => readable(`${start}${host}${path}${query}`))
  return named.map((host, place) => {
    const own = new URLSearchParams(parameters)
    own.set('host', host)
    const port = ports[ports.length === 1 ? 0 : place]
    if (port !== undefined) own.set('port', port)
    return readable(`${start}${hosts[0] ?? ''}${path}?${own.toString()}`)
  })
}

type Parts = {
  readonly start: string
  readonly hosts: readonly string[]
  readonly path: string
  readonly query: string
}

function partsOf(url: string): Parts {
  const [, scheme, user = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)([^?]*)(\?.*)?$/.exec(url) ?? []
  if (scheme === undefined)
    throw invalidUrl('it must look like postgres://user:password@host:5432/database')
  const hosts = authority.split(',')
  if (hosts.length > 1 && hosts.includes('')) throw invalidUrl('one of its hosts has no name')
  return { start: scheme + user, hosts, path, query }
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(',')
}

function readable(url: string): string {
  // A URL has no place for a socket's folder before the path, where pg reads one.
  if (URL.parse(url) === null && URL.parse(url.replace('@/', '@host/')) === null)
    throw invalidUrl('one of its hosts or ports is malformed')
  return url
}

/** Every host but the primary would refuse the first call. */
function refuseStandbys(wanted: string | null): void {
  if (wanted === null || WRITABLE.includes(wanted)) return
  if (READABLE.includes(wanted))
    throw new StartError(
      `DATABASE_URL has target_session_attrs=${wanted}, but the gateway writes with every call. Use read-write.`,
    )
  throw new StartError(
    `DATABASE_URL has a target_session_attrs that is not known. It takes ${WRITABLE.join(', ')}.`,
  )
}

function invalidUrl(why: string): StartError {
  return new StartError(`DATABASE_URL is invalid: ${why}.`)
}
