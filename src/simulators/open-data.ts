/** Simulated public sources and vendors with a simple key, as tables of routes. */
import { headerCredential, json, routed, type RoutedVendor } from './routed.ts'
import type { SimulatedReply, SimulatedVendor } from './vendor.ts'

export { isMiss, json } from './routed.ts'

export const SIMULATED = 'Simulated: made up by the test mode of the gateway.'

/** A source without a credential. `failure` is for sources with other errors than JSON. */
export function openData(
  routes: RoutedVendor['routes'],
  failure: SimulatedVendor['failure'] = plainFailure,
): SimulatedVendor {
  return routed({ credential: () => 'open', quotaStatus: 429, failure, routes })
}

/** A vendor with a key in a header or in the query. */
export function keyedData(
  credential: { header: string } | { query: string },
  routes: RoutedVendor['routes'],
  failure: SimulatedVendor['failure'] = plainFailure,
): SimulatedVendor {
  const readKey: SimulatedVendor['credential'] =
    'header' in credential
      ? headerCredential(credential.header)
      : ({ query }) => query.get(credential.query) ?? undefined
  return routed({ credential: readKey, quotaStatus: 402, failure, routes })
}

export function text(
  content: string,
  contentType = 'text/plain; charset=utf-8',
  status = 200,
): SimulatedReply {
  return { status, text: content, contentType }
}

function plainFailure(status: number): SimulatedReply {
  return json({ error: `Simulated failure with status ${status}.` }, status)
}
