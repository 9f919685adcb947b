/** The most tokens that makers count for one image in the chat form. Without a "detail" a whole photograph of a phone is taken; some makers do not know "low" and "high" and stop at 4800. */
const MOST_TOKENS = { bounded: 4_800, whole: 15_000 }

export function mostImageTokens(detail: unknown): number {
  return detail === 'low' || detail === 'high' ? MOST_TOKENS.bounded : MOST_TOKENS.whole
}
