import { SIMULATED_ACCOUNT, type WireRequest } from '../catalog/vocabulary/wire.ts'
import { addCredentials, isSent } from './credentials.ts'
import type { SendOptions } from './sent.ts'
import { placeOf, type Target } from './target.ts'

export function pathOf(target: Target, wire: WireRequest): string {
  const { vendor, credentials } = target
  const { path, query } = wire
  const { basePath } = placeOf(target, wire)
  if (query === undefined && vendor.auth.in !== 'query') return `${basePath}${path}`
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (Array.isArray(value))
      for (const item of value as readonly (string | number)[])
        parameters.append(name, String(item))
    else if (value !== undefined) parameters.append(name, String(value))
  }
  if (vendor.auth.in === 'query' && isSent(vendor.auth, credentials))
    parameters.append(vendor.auth.name, credentials[vendor.auth.credential] ?? '')
  const text = parameters.toString()
  return `${basePath}${path}${text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`}`
}

/** An MCP server has one path. Its simulator has one for each tool. */
export function rpcPathOf(target: Target, wire: WireRequest): string {
  if (target.isSimulated === true) return pathOf(target, wire)
  const path = pathOf(target, { ...wire, path: '' })
  return path.startsWith('/') ? path : `/${path}`
}

export function bodyOf(
  { vendor: { auth, accountFields }, credentials }: Target,
  { json, form }: WireRequest,
): string | null {
  if (form !== undefined) return new URLSearchParams(form).toString()
  if (json === undefined) return null
  if (auth.in !== 'body' && accountFields === undefined) return JSON.stringify(json)
  const fields = Object.entries(accountFields ?? {}).map(([name, { setting, fallback }]) => [
    name,
    credentials[setting] ?? fallback,
  ])
  return JSON.stringify({
    ...(json as object),
    ...Object.fromEntries(fields),
    ...(auth.in === 'body' ? { [auth.name]: credentials[auth.credential] ?? '' } : {}),
  })
}

export function headersOf(
  { vendor, credentials, headers: fixed, isSimulated }: Target,
  wire: WireRequest,
  { vendorKey, accountId }: SendOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'idempotency-key': vendorKey,
    ...fixed,
    ...wire.headers,
  }
  if (wire.json !== undefined) headers['content-type'] = 'application/json'
  if (wire.form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
  if (isSimulated === true && accountId !== undefined) headers[SIMULATED_ACCOUNT] = accountId
  addCredentials(headers, vendor.auth, credentials)
  return headers
}
