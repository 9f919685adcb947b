/** Any JSON object. */
export type Data = Readonly<Record<string, unknown>>

/** A text that is not among the known values. */
export type OtherText = string & Record<never, never>
