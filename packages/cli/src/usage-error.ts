/** An invalid command line. The process prints it and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** How to fix it; null for the usage of the command. */
  readonly fix: string | null

  constructor(message: string, fix: string | null = null) {
    super(message)
    this.fix = fix
  }
}
