import { fetch as send } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'

export type StripeSettings = {
  readonly key: string
  readonly webhookSecret: string
  readonly url: string
}

/** The status and the body of a response. The body is empty if it is not a JSON object. */
export type StripeAnswer = { readonly status: number; readonly ok: boolean; readonly body: Fields }

const TIMEOUT_MS = 15_000

/**
 * Sends a request to Stripe's API; `form` makes it a POST. `idempotencyKey`: repetitions with the same
 * key return the first response. Throws AppError `upstream_error` without a response.
 */
export async function requestStripe(
  { key, url }: StripeSettings,
  path: string,
  {
    form,
    idempotencyKey,
  }: { readonly form?: URLSearchParams; readonly idempotencyKey?: string } = {},
): Promise<StripeAnswer> {
  try {
    const answer = await send(`${url}${path}`, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(form === undefined ? {} : { body: form.toString() }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: answer.status, ok: answer.ok, body: fieldsOf(await answer.json()) }
  } catch (error) {
    throw new AppError('upstream_error', 'The card processor did not respond.', { cause: error })
  }
}

/** The error for a response that the gateway cannot use. It never contains the body, which can repeat the key. */
export function rejectedByStripe(message: string, { status }: StripeAnswer): AppError {
  return new AppError('upstream_error', message, {
    details: { upstream: { service: 'stripe', status } },
  })
}
