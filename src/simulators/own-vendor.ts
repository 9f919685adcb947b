/** Simulates the API of a file in ACTIONS_DIR with the answers that the file lists. */
import type { OwnFile } from '../catalog/own/own-file.ts'
import { simulatedAnswer } from '../catalog/own/simulation.ts'
import { toAuth } from '../catalog/own/to-record.ts'
import type { SimulatedRequest, SimulatedVendor } from './vendor.ts'
import { textsOf } from './routed.ts'

export function ownVendor(file: OwnFile): SimulatedVendor {
  const auth = toAuth(file.auth)
  return {
    credential: (request) => credentialIn(auth, request),
    failure: (status, reason) => ({ status, json: { error: { message: `simulated: ${reason}` } } }),
    quotaStatus: 402,
    texts: textsOf,
    answer: (request) => {
      const answer = simulatedAnswer(file, request)
      return answer === null ? undefined : { status: answer.status, json: answer.body ?? null }
    },
  }
}

function credentialIn(
  auth: ReturnType<typeof toAuth>,
  { headers, query }: SimulatedRequest,
): string | undefined {
  if (auth.in === 'none') return 'none'
  if (auth.in === 'query') return query.get(auth.name) ?? undefined
  const [name = 'authorization'] =
    auth.in === 'header' ? [auth.name] : auth.in === 'headers' ? Object.keys(auth.headers) : []
  return String(headers[name] ?? '')
}
