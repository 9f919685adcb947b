import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import type { DemoStep } from '../../reader/video/step.ts'

/** Speaks one line as a step of the job. If `sound` is null, the hop gives the reason. */
export type Narrate = (
  tools: JobTools,
  line: string,
  voice: string | undefined,
) => Promise<{ readonly hop: Hop; readonly sound: Uint8Array | null }>

export type SpokenScript = {
  /** Sounds by the index of their step. */
  readonly sounds: ReadonlyMap<number, Uint8Array>
  readonly hops: ReadonlyMap<number, Hop>
}

/** Speaks the lines of a script one after the other within the budget. `narrate` is null without a voice. */
export async function speakLines(
  narrate: Narrate | null,
  tools: JobTools,
  script: readonly DemoStep[],
  voice: string | undefined,
): Promise<SpokenScript> {
  const sounds = new Map<number, Uint8Array>()
  const hops = new Map<number, Hop>()
  if (narrate === null) return { sounds, hops }
  for (const [index, { say }] of script.entries()) {
    if (say === undefined) continue
    const { hop, sound } = await narrate(tools, say, voice)
    hops.set(index, hop)
    if (sound !== null) sounds.set(index, sound)
  }
  return { sounds, hops }
}

/** Waives the charges of lines that are not in the video. Returns the updated hops. */
export function waiveUnusedLines(
  tools: JobTools,
  { hops }: SpokenScript,
  spoken: readonly number[],
): Hop[] {
  return [...hops].map(([index, hop]) => {
    if (spoken.includes(index) || hop.charged_micros === 0) return hop
    tools.waive(hop)
    return withoutCharge(hop)
  })
}
