/** A metric that is read at each scrape, with one value per combination of labels. */
export type Reading = {
  readonly name: string
  readonly help: string
  /** A counter only grows during the life of the process. */
  readonly kind: 'counter' | 'gauge'
  /** Label names; none when omitted. */
  readonly labels?: readonly string[]
  /** Returns no samples while the value is unknown. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number }
