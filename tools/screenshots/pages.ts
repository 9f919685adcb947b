/** The pages that the README and the documentation show. */
export type Shot = {
  /** The file is {name}-{scheme}.png, on phones {name}-phone-{scheme}.png. */
  readonly name: string
  readonly path: (filled: { readonly callId: string }) => string
  /** Null needs no account. */
  readonly isSignedIn: boolean
  readonly onPhone?: boolean
  /** An element to show at the top. */
  readonly scrollTo?: string
}

export const SHOTS: readonly Shot[] = [
  { name: 'landing', path: () => '/', isSignedIn: false },
  { name: 'action', path: () => '/catalog/core/onescrape', isSignedIn: false },
  { name: 'home', path: () => '/balance', isSignedIn: true, onPhone: true },
  { name: 'call', path: ({ callId }) => `/calls/${callId}`, isSignedIn: true },
  { name: 'keys', path: () => '/keys', isSignedIn: true },
  { name: 'operator', path: () => '/operate', isSignedIn: true },
]
