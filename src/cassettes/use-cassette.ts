/**
 * Carries out a call with a cassette. Invariants:
 *
 * 1. A replay holds and charges nothing, and reaches no vendor.
 * 2. A recorded call is held and charged as without a cassette. A full account is rejected before.
 * 3. A paid answer is never lost: if its recording fails, the caller still receives it.
 */
import { toStoredFailure } from '../errors/stored-failure.ts'
import { AppError } from '../errors/app-error.ts'
import type { CassetteDeps, NotRecorded, Scene, Take } from './cassette.ts'
import { findRecording } from './find-recording.ts'
import { requireCapacity, storeRecordings } from './store-recording.ts'

/** The recorded answer, which the caller of this function sends. Null: carry the call out, and pass its end to `keepTake` or `keepError`. Throws AppError. */
export async function replayScene(deps: CassetteDeps, scene: Scene): Promise<Take | null> {
  const take = await findRecording(deps, scene)
  if (take === null) await requireCapacity(deps, { owner: scene.owner, name: scene.use.name })
  else scene.use.report({ kind: 'replayed', charged: take.charged })
  return take
}

/** Stores an answer. Never throws: the answer may have been paid. */
export async function keepTake(deps: CassetteDeps, scene: Scene, take: Take): Promise<void> {
  const { use, owner, route, input } = scene
  try {
    const place = { owner, name: use.name, replacesLive: false }
    const recording = {
      ...take,
      route,
      input,
      isLive: owner.mode === 'live',
      recordedMs: deps.now(),
    }
    const stored = await storeRecordings(deps, place, [recording])
    use.report(
      stored === 0 ? { kind: 'not_recorded', reason: 'live_recording' } : { kind: 'recorded' },
    )
  } catch (error) {
    use.report({ kind: 'not_recorded', reason: reasonOf(error) })
  }
}

function reasonOf(error: unknown): NotRecorded {
  const code = error instanceof AppError ? error.code : null
  if (code === 'payload_too_large') return 'too_large'
  return code === 'cassette_quota_exceeded' ? 'full' : 'unavailable'
}

/** Stores an error that belongs to the call. Errors of the account, the key and the gateway are not stored, and in auto mode no error that may pass. */
export async function keepError(deps: CassetteDeps, scene: Scene, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || !belongsToCall(error)) return
  if (scene.use.mode === 'auto' && error.isRetryable) return
  const { status, body } = toStoredFailure(error)
  await keepTake(deps, scene, { status, body, isEvents: false, model: null, charged: 0n })
}

/** 402, 409 and 429 are about money, other calls and time, 401 and 403 about the key. */
function belongsToCall({ code, spec, chargedMicros }: AppError): boolean {
  if (chargedMicros > 0 || code === 'idempotency_key_reused') return false
  if (spec.fault === 'vendor') return true
  return spec.fault === 'caller' && [400, 404, 422].includes(spec.status)
}
