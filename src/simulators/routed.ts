/** A simulated vendor as a table of routes. Any text of a request can ask for a fault. */
import { faultOf } from './faults.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from './vendor.ts'

/** `parts` are the decoded values of the ":name" segments of the route. ":name*" matches all remaining segments. */
type Route = (request: SimulatedRequest, parts: Readonly<Record<string, string>>) => SimulatedReply

export type RoutedVendor = Pick<SimulatedVendor, 'credential' | 'failure' | 'quotaStatus'> & {
  /** By method and path, such as "GET /people/:id". The first match applies. */
  readonly routes: Readonly<Record<string, Route>>
}

export function routed({ routes, ...vendor }: RoutedVendor): SimulatedVendor {
  const table = Object.entries(routes).map(([route, answer]) => ({
    pattern: patternOf(route),
    answer,
  }))
  return {
    ...vendor,
    texts: textsOf,
    answer: (request) => {
      for (const { pattern, answer } of table) {
        const match = pattern.exec(`${request.method} ${request.path}`)
        if (match !== null) return answer(request, decoded(match.groups ?? {}))
      }
      return undefined
    },
  }
}

export function json(body: unknown, status = 200): SimulatedReply {
  return { status, json: body }
}

/** A credential in these headers, whose names are in lower case. */
export function headerCredential(...names: readonly string[]): SimulatedVendor['credential'] {
  return ({ headers }) =>
    names.every((name) => String(headers[name] ?? '').trim() !== '') ? 'given' : undefined
}

/** Whether the request asks for a miss: a text contains `nobody` or `sim:miss`. */
export function isMiss(request: SimulatedRequest, label: string): boolean {
  return textsOf(request).some(
    (text) => /nobody/i.test(text) || faultOf(text, label)?.kind === 'miss',
  )
}

/** A whole number of the query or body, or `otherwise`. */
export function countOf(value: unknown, otherwise: number): number {
  const count = Number(value ?? otherwise)
  return Number.isInteger(count) && count >= 0 ? count : otherwise
}

/** Every text of a request, decoded. */
export function textsOf({ path, query, body }: SimulatedRequest): string[] {
  return [...path.split('/').map(decode), ...query.values(), ...stringsIn(body, 0)].filter(
    (text) => text !== '',
  )
}

const MAX_DEPTH = 8

function stringsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return []
  return Object.values(value).flatMap((item) => stringsIn(item, depth + 1))
}

function patternOf(route: string): RegExp {
  const escaped = route.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^${escaped.replaceAll(/:([a-z]+)\\\*/gi, '(?<$1>.+)').replaceAll(/:([a-z]+)/gi, '(?<$1>[^/]+)')}$`,
  )
}

function decoded(parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, decode(value)]))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
