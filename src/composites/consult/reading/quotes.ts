/** Quoted texts of an intent: in double quotes, single quotes, guillemets or backticks. */
export const QUOTED =
  /(?<!\w)["“„]([^"“”„]{2,1500})["”“]|(?<![\p{L}\d])['‘]([^'‘’]{2,200})['’](?![\p{L}\d])|«([^«»]{2,400})»|`([^`]{2,400})`/gu

/** The text between the quotation marks. */
export function quotedText(text: string): string {
  return text.slice(1, -1).trim()
}
