/** The answer of /search.json, which the search dialog shows. */
export type SearchHit = {
  readonly href: string
  readonly label: string
  /** Empty without a note. */
  readonly note: string
}

export type SearchGroup = {
  readonly title: string
  /** Best first, at least one. */
  readonly hits: readonly SearchHit[]
  /** The address of all hits. */
  readonly all: string
}
