import {
  field,
  textField,
  vendorFailure,
  joinProblems,
} from '../../catalog/answers/vendor-failure.ts'
import type { Reply, Vendor, VendorFailure } from '../../catalog/vocabulary/wire.ts'

export const fal: Vendor = {
  baseUrl: 'https://fal.run',
  origins: { queue: 'https://queue.fal.run', storage: 'https://rest.fal.ai' },
  auth: { in: 'header', name: 'authorization', prefix: 'Key ', credential: 'KEY' },
  docsUrl: 'https://docs.fal.ai/model-apis',
  readFailure,
}

/** A used-up balance differs from a rejected key only in its message. */
function readFailure(reply: Reply): VendorFailure {
  const message = readMessage(reply.body)
  const isPayment =
    reply.status === 402 || (reply.status === 403 && /locked|balance|payment/i.test(message))
  return vendorFailure(reply, {
    code: isPayment ? 'upstream_payment' : undefined,
    message: message === '' ? undefined : message,
  })
}

/** `detail` is a sentence, or a list of problems with the place of each. */
function readMessage(body: unknown): string {
  const detail = field(body, 'detail')
  if (Array.isArray(detail)) return joinProblems(detail)
  return typeof detail === 'string' ? detail : textField(body, 'error')
}

/** The quantity that the vendor billed, in its own unit for the model. */
export function billedUnits({ headers }: Reply): number | undefined {
  const units = Number(headers['x-fal-billable-units'] ?? Number.NaN)
  return Number.isFinite(units) && units > 0 ? units : undefined
}
