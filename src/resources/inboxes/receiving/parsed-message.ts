/** A message as the parser returns it. All texts are bounded. */
export type ParsedMessage = {
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  /** "Name <address>" or an address. */
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly replyTo: readonly string[]
  readonly subject: string
  /** As written. */
  readonly date: string
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly ParsedAttachment[]
  readonly receivedCount: number
  readonly signatureCount: number
  /** Written by a program: an automatic reply, a mailing list or a delivery report. */
  readonly isAutomatic: boolean
  readonly report: DeliveryReport | null
}

export type ParsedAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly disposition: string | null
  readonly contentId: string | null
  readonly content: Uint8Array
}

/** A report about a message that was not delivered (RFC 3464). */
export type DeliveryReport = {
  /** The Message-ID of the message that the report is about. */
  readonly messageId: string | null
  readonly failures: readonly {
    readonly recipient: string
    /** Such as 5.1.1. */
    readonly status: string
    readonly reason: string
  }[]
}

/** Why a message cannot be stored. `busy`: not now, because others are parsed. */
export type ParseFault = 'too_complex' | 'too_many_attachments' | 'broken' | 'busy'

export type ParseAnswer =
  | { readonly kind: 'parsed'; readonly message: ParsedMessage }
  | { readonly kind: 'fault'; readonly fault: ParseFault }
