/** A reply of an email server. `text` is its lines without the code, with spaces between them. */
export type SmtpReply = { readonly code: number; readonly text: string }

/**
 * - `unreachable`: no connection. `isRefused`: the guard rejected the address of the server.
 * - `no_session`: the server did not let the gateway name a recipient; `reply` is its reason, or
 *   null if it was silent, closed the connection or broke the protocol.
 * - `unsupported`: the server accepts no addresses outside ASCII.
 * - `answered`: the replies to the recipient and, if it was accepted, to the decoy; null without one.
 */
export type ProbeResult =
  | { readonly kind: 'unreachable'; readonly isRefused: boolean }
  | { readonly kind: 'no_session'; readonly reply: SmtpReply | null }
  | { readonly kind: 'unsupported' }
  | {
      readonly kind: 'answered'
      readonly recipient: SmtpReply
      readonly decoy: SmtpReply | null
    }

/** Which addresses to name to a server. `decoy` is an address of the same domain that cannot exist. */
export type ProbeRequest = {
  readonly host: string
  readonly recipient: string
  readonly decoy: string | null
  readonly signal: AbortSignal
}

/** Asks an email server whether it accepts addresses, and sends no message. Never rejects. */
export type MailboxProbe = (request: ProbeRequest) => Promise<ProbeResult>
