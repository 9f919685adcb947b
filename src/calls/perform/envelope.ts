import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'

export type Answer = {
  readonly data: Data
  readonly untrusted: boolean
  readonly charge: Micros
  readonly requestId: Id
  readonly isTest: boolean
  readonly lowered?: Data | null
}

/** The envelope of a successful call as JSON text. Vendor bodies travel unchanged under `data`. Throws AppError upstream_error for one that is nested too deep. */
export function answerBody({
  data,
  untrusted,
  charge,
  requestId,
  isTest,
  lowered = null,
}: Answer): string {
  const tail = `"charged_cents":${toCentsRoundedUp(charge)},"charged_micros":${charge},"request_id":"${publicId('request', requestId)}"`
  return `{"ok":true,"data":${handedOn(() => JSON.stringify(markedBy({ untrustedContent: untrusted }, data)))},${tail}${lowered === null ? '' : `,"lowered":${JSON.stringify(lowered)}`}${isTest ? ',"test":true' : ''}}`
}

/** What `write` makes of a vendor's answer. Throws AppError upstream_error for one that is nested too deep to be written. */
export function handedOn(write: () => string): string {
  try {
    return write()
  } catch (cause) {
    // Reading JSON takes any depth, writing it does not. Looking for it beforehand would cost every call.
    if (cause instanceof RangeError)
      throw new AppError(
        'upstream_error',
        'The answer is nested too deep to be handed on. Nothing was charged.',
        { cause },
      )
    throw cause
  }
}

/** Data that holds text of strangers says so, so that agents do not obey it. */
export function markedBy(
  { untrustedContent }: { readonly untrustedContent: boolean },
  data: Data,
): Data {
  return untrustedContent ? { ...data, content_trust: 'untrusted' } : data
}
