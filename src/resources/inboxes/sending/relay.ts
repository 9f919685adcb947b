/** The operator's SMTP server, which delivers sent messages. */
export type Relay = {
  send(message: OutgoingMessage): Promise<RelayOutcome>
}

export type OutgoingMessage = {
  /** The envelope's sender, which receives delivery reports. */
  readonly sender: string
  readonly recipients: readonly string[]
  /** The whole message, with its header. */
  readonly raw: Buffer
}

export type RejectedRecipient = {
  readonly recipient: string
  readonly status: string
  readonly reason: string
}

export type RelayOutcome =
  /** The relay is responsible for the message. It may have refused some recipients. */
  | { readonly kind: 'accepted'; readonly rejected: readonly RejectedRecipient[] }
  /** The message was certainly not sent. `isPermanent`: the relay rejects it every time. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly isPermanent: boolean }
  /** The connection ended after the whole message and before the relay's answer. */
  | { readonly kind: 'unknown' }
