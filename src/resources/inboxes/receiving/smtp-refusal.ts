/** A rejection that the sending server receives. A 4xx code lets it try again later. */
export class SmtpRefusal extends Error {
  override readonly name = 'SmtpRefusal'
  readonly responseCode: number

  constructor(responseCode: number, text: string, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause })
    this.responseCode = responseCode
  }
}
