import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import type { DemoStep } from '../../reader/video/step.ts'

/** Has a line spoken, as a step of the job: `sound` is null when none came, and the hop says why. */
export type Narrate = (
  tools: JobTools,
  line: string,
  voice: string | undefined,
) => Promise<{ readonly hop: Hop; readonly sound: Uint8Array | null }>

export type SpokenScript = {
  /** By the index of their step. */
  readonly sounds: ReadonlyMap<number, Uint8Array>
  readonly hops: ReadonlyMap<number, Hop>
}

/** Has the lines of a script spoken one after the other, as far as the budget covers them. Without a narrator none is. */
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

/** Gives the charges of lines back that are not to be heard. The hops as they then are. */
export function settleLines(
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
