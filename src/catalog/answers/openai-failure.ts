/** Errors of APIs in OpenAI's form: `{ error: { code, message, metadata } }`. */
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Reply, VendorFailure } from '../vocabulary/wire.ts'
import { field, vendorFailure } from './vendor-failure.ts'

export function openaiFailure(reply: Reply): VendorFailure {
  const error = field(reply.body, 'error')
  const code = field(error, 'code')
  return vendorFailure(reply, {
    code: mapOpenaiError(reply.status, error),
    vendorCode: code,
    message: field(error, 'message'),
  })
}

/**
 * The code of an error with a misleading status: used-up credit (429) or content refused with 403.
 */
export function mapOpenaiError(status: number, error: unknown): ErrorCode | undefined {
  if (field(error, 'code') === 'insufficient_quota') return 'upstream_payment'
  const metadata = field(error, 'metadata')
  return status === 403 &&
    (Array.isArray(field(metadata, 'reasons')) ||
      field(metadata, 'error_type') === 'content_policy_violation')
    ? 'upstream_rejected'
    : undefined
}
