/** Points of a rising line from a hit's score (log-odds) to the share of right hits with that score. */
export type Calibration = {
  readonly scores: readonly number[]
  readonly probabilities: readonly number[]
}

/** The probability, 0 to 1, that a hit of this score is right. Linear between points. */
export function toProbability({ scores, probabilities }: Calibration, score: number): number {
  const above = scores.findIndex((point) => point > score)
  if (above === 0) return probabilities[0] ?? 0
  if (above < 0) return probabilities.at(-1) ?? 0
  const [from = 0, to = 0] = scores.slice(above - 1, above + 1)
  const [low = 0, high = 0] = probabilities.slice(above - 1, above + 1)
  return low + ((high - low) * (score - from)) / (to - from)
}
