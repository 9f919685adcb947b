/** The one base URL of a file. */
import { listedFields, type Fields } from '../../../lib/json-fields.ts'
import { asText } from './as-text.ts'
import type { Document } from './document.ts'
import { serverOf } from './modernize.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'

/** `chosen`: of the command line, wins. `from`: the URL of the document, for relative servers. Throws Refusal. */
export function chooseServer(
  { root, isSwagger }: Document,
  chosen: string | undefined,
  from: string | undefined,
): string {
  if (chosen !== undefined) return chosen
  const servers = isSwagger ? serverOf(root) : listedFields(root['servers'])
  const urls = servers.map(({ url }) => asText(url))
  const [url, ...others] = urls
  if (url === undefined) throw new Refusal('The document names no server: add --server URL.')
  if (others.length > 0)
    throw new Refusal(
      `The document names several servers: add --server with one of ${urls.slice(0, 10).join(', ')}.`,
    )
  if (url.includes('{'))
    throw new Refusal(`The server ${url} has variables: add --server with their values.`)
  const whole = URL.parse(url, from)
  if (whole === null)
    throw new Refusal(`The server ${url} is relative: add --server with the whole URL.`)
  return whole.href.replace(/\/+$/, '')
}

/** Throws Refusal for an operation whose own servers are others. */
export function requireServer({ servers }: Operation, baseUrl: string): void {
  const urls = servers.map(({ url }: Fields) => asText(url).replace(/\/+$/, ''))
  if (urls.length > 0 && !urls.includes(baseUrl.replace(/\/+$/, '')))
    throw new Refusal(
      `has a server of its own, ${urls[0]}: import it as another service, with --server`,
    )
}
