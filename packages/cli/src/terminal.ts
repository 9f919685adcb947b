/** The process as commands see it. Tests replace it. */
export type Terminal = {
  /** "./tollgate" in the repository, "tollgate" as a package. */
  readonly program: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Null for a pipe or a file. */
  readonly outColumns: number | null
  /** Null for a pipe or a file. */
  readonly errColumns: number | null
  out(text: string): void
  err(text: string): void
  /** All of the standard input. Null for a keyboard. */
  readInput(): Promise<string | null>
  /** Reads a line from the keyboard without showing it. Null without a keyboard. */
  readSecret(prompt: string): Promise<string | null>
}

const USUAL_COLUMNS = 100

/** Columns for tables; a pipe has no width of its own. */
export function widthFor({ outColumns }: Terminal): number {
  return outColumns ?? USUAL_COLUMNS
}
