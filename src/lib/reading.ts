/** A figure that is read when somebody asks for it, in one value for each combination of labels. */
export type Reading = {
  readonly name: string
  readonly help: string
  /** A counter only grows while the process lives. */
  readonly kind: 'counter' | 'gauge'
  /** The names of its labels; none when left out. */
  readonly labels?: readonly string[]
  /** None while nobody can tell. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number }
