import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'

export type Envelope = {
  readonly data: Data
  readonly untrusted: boolean
  readonly charge: Micros
  readonly requestId: Id
  readonly isTest: boolean
  /** Fields of the input that `max_cost_cents` lowered. */
  readonly lowered?: Data | null
  /** Advice for an agent that repeats itself. */
  readonly advice?: object | null
}

/** The JSON text of a successful call, with the vendor's body unchanged under `data`. Throws AppError upstream_error for a body that is nested too deeply. */
export function writeEnvelope({
  data,
  untrusted,
  charge,
  requestId,
  isTest,
  lowered = null,
  advice = null,
}: Envelope): string {
  const tail = `"charged_cents":${toCentsRoundedUp(charge)},"charged_micros":${charge},"request_id":"${publicId('request', requestId)}"`
  return `{"ok":true,"data":${writeOrReject(() => JSON.stringify(markUntrusted({ untrustedContent: untrusted }, data)))},${tail}${lowered === null ? '' : `,"lowered":${JSON.stringify(lowered)}`}${advice === null ? '' : `,"advice":${JSON.stringify(advice)}`}${isTest ? ',"test":true' : ''}}`
}

/** Runs `write`. Throws AppError upstream_error for an answer that is nested too deeply to be written as JSON. */
export function writeOrReject(write: () => string): string {
  try {
    return write()
  } catch (cause) {
    // JSON.parse accepts any depth and JSON.stringify does not. A check beforehand would slow down every call.
    if (cause instanceof RangeError)
      throw new AppError(
        'upstream_error',
        'The answer is nested too deeply to be returned. Nothing was charged.',
        { cause },
      )
    throw cause
  }
}

/** Marks data that contains text of third parties, so that agents do not follow instructions in it. */
export function markUntrusted(
  { untrustedContent }: { readonly untrustedContent: boolean },
  data: Data,
): Data {
  return untrustedContent ? { ...data, content_trust: 'untrusted' } : data
}
