/** Tokens of media: `most` is held before a call, `likely` is billed if no usage is reported. */
export type MediaTokens = { readonly likely: number; readonly most: number }

export const NO_MEDIA_TOKENS: MediaTokens = { likely: 0, most: 0 }

export function addMediaTokens(one: MediaTokens, other: MediaTokens): MediaTokens {
  return { likely: one.likely + other.likely, most: one.most + other.most }
}

/** The text that the model reads, and facts about its media. */
export type Prompt = {
  readonly text: string
  readonly mediaTokens: MediaTokens
  readonly messageCount: number
  readonly imageCount: number
  readonly usesLongCache: boolean
}
