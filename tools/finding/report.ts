/** Scores of ranked intents by group, for the training command. */
import type { Intent } from '../../bench/finding/read-intents.ts'
import { groupOf } from '../../bench/finding/tables.ts'
import {
  toProbability,
  type Calibration,
} from '../../src/composites/discover/ranking/calibration.ts'

export type JudgedIntent = {
  readonly intent: Intent
  /** Best first. `score` is in log-odds. */
  readonly hits: readonly { readonly isRight: boolean; readonly score: number }[]
}

export function formatReport(
  judged: readonly JudgedIntent[],
  calibration: Calibration,
  highConfidence: number,
): string {
  const lines = [...Map.groupBy(judged, ({ intent }) => groupOf(intent))].map(
    ([group, members]) => {
      const share = (isTrue: (one: JudgedIntent) => boolean): string =>
        (members.filter(isTrue).length / members.length).toFixed(3)
      return [
        group,
        members.length,
        share(({ hits }) => hits[0]?.isRight === true),
        share(({ hits }) => hits.slice(0, 3).some(({ isRight }) => isRight)),
        share(({ hits }) => hits.some(({ isRight }) => isRight)),
        share(
          ({ hits }) => toProbability(calibration, hits[0]?.score ?? -Infinity) < highConfidence,
        ),
      ].join(' | ')
    },
  )
  return ['group | intents | hit@1 | hit@3 | candidate | no high confidence', ...lines].join('\n')
}
