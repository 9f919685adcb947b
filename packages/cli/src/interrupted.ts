/** Ctrl-C. The process exits with code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** The effect on a call or job in progress. */
  readonly note: string

  constructor(note = '') {
    super('Interrupted.')
    this.note = note
  }
}
