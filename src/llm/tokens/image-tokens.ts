/**
 * The highest token count of an image in the chat format. Without a "detail", a whole phone photo
 * is sent. Some model vendors ignore "low" and "high" and limit images to 4800 tokens.
 */
const MOST_TOKENS = { bounded: 4_800, whole: 15_000 }

export function mostImageTokens(detail: unknown): number {
  return detail === 'low' || detail === 'high' ? MOST_TOKENS.bounded : MOST_TOKENS.whole
}
