/** Speeds that a viewer can follow. */
export const FRAMES_PER_SECOND = 25

/** Eases in and out. `part` is from 0 to 1. */
export function eased(part: number): number {
  return part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2
}

export function between(from: number, to: number, part: number): number {
  return from + (to - from) * part
}

export type Point = { readonly x: number; readonly y: number }

/** A point on a slightly curved path, like that of a hand. */
export function alongBow(from: Point, to: Point, part: number): Point {
  const bow = Math.sin(Math.PI * part) * 0.08
  return {
    x: between(from.x, to.x, part) - (to.y - from.y) * bow,
    y: between(from.y, to.y, part) + (to.x - from.x) * bow,
  }
}

/** How long the pointer takes to move by this many CSS pixels. */
export function travelMs(distance: number): number {
  return Math.min(900, 320 + distance * 0.55)
}

/** How long the page takes to scroll by this many CSS pixels. */
export function scrollMs(distance: number): number {
  return Math.min(1_400, 450 + Math.abs(distance) * 0.5)
}

const WORDS_PER_SECOND = 3
const DENSE_CHARACTERS_PER_SECOND = 7

/** How long a viewer takes to read a caption and look at its subject. */
export function readingMs(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return Math.min(
    7_000,
    900 + Math.max(words / WORDS_PER_SECOND, dense / DENSE_CHARACTERS_PER_SECOND) * 1_000,
  )
}
