/** A flag. Without `value` it is a switch. */
export type Flag = {
  readonly value?: string
  readonly about: string
  readonly required?: boolean
  /** Whether the flag takes several values, or can be repeated. */
  readonly isList?: boolean
}

export type Flags = Readonly<Record<string, Flag>>
