/** A forward proxy of the operator, through which pages are read from its country. */
export type EgressProxy = {
  /** Two letters in lower case. */
  readonly country: string
  /** The operator declared that its addresses belong to homes. */
  readonly isResidential: boolean
  /** http or https, with the user and password of the proxy. */
  readonly url: string
}

/** The proxy as messages name it, such as "de" or "de-residential". */
export function nameOfProxy({ country, isResidential }: EgressProxy): string {
  return isResidential ? `${country}-residential` : country
}
