/**
 * The first characters as a text of its own, for what is kept: a slice keeps all of the text that it is from in memory.
 * A character that would be cut in half becomes the one that stands for what cannot be read.
 */
export function shortText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most)).toString()
}
