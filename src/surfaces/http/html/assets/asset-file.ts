export type AssetFile = {
  /** The path below /assets. */
  readonly name: string
  readonly contentType: string
  readonly content: Buffer | string
}
