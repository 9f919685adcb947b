import type { Archive } from '../archive.ts'
import { attributeOf, childOf, childrenOf, type XmlElement } from '../xml.ts'
import { readPart } from './package.ts'
import { isOn, numberOf } from './properties.ts'

/** A level of a list. `format` is "bullet", "none" or a kind of numbers; `text` shows "%1" for the number of level 1. */
export type ListLevel = {
  readonly format: string
  readonly start: number
  readonly text: string
  readonly isLegal: boolean
}
/** Where a paragraph stands: a level, from 0, of a list. */
export type ListPlace = { readonly list: string; readonly level: number }
export type Numbering = {
  levelOf(place: ListPlace): ListLevel
  /** Counts the paragraph. Returns its number, and the label that Word shows, such as "(a)". */
  count(place: ListPlace): { readonly number: number; readonly label: string }
}

const BULLET: ListLevel = { format: 'bullet', start: 1, text: '', isLegal: false }

/** Reads the lists of a document. Lists of the same definition continue each other. */
export function readNumbering(archive: Archive, part: string): Numbering {
  const root = readPart(archive, part)
  const definitions = new Map(
    childrenOf(root, 'abstractNum').map((one): [string, ReadonlyMap<string, ListLevel>] => [
      attributeOf(one, 'abstractNumId') ?? '',
      new Map(childrenOf(one, 'lvl').map(readLevel)),
    ]),
  )
  const lists = new Map(
    childrenOf(root, 'num').map((list) => [attributeOf(list, 'numId') ?? '', list]),
  )
  const counted = new Map<string, (number | undefined)[]>()
  const startedAgain = new Set<string>()
  const definitionOf = (list: string): string =>
    attributeOf(childOf(lists.get(list), 'abstractNumId'), 'val') ?? `list ${list}`
  const overrideOf = ({ list, level }: ListPlace): XmlElement | undefined =>
    childrenOf(lists.get(list), 'lvlOverride').find(
      (one) => attributeOf(one, 'ilvl') === String(level),
    )

  function levelOf(place: ListPlace): ListLevel {
    const own = childOf(overrideOf(place), 'lvl')
    return own === undefined
      ? (definitions.get(definitionOf(place.list))?.get(String(place.level)) ?? BULLET)
      : readLevel(own)[1]
  }

  /** The number with which the list starts again at its first paragraph of the level. */
  function restartOf(place: ListPlace): number | undefined {
    const key = `${place.list}/${place.level}`
    if (startedAgain.has(key)) return undefined
    startedAgain.add(key)
    return numberOf(childOf(overrideOf(place), 'startOverride'))
  }

  return {
    levelOf,
    count(place) {
      const definition = definitionOf(place.list)
      const numbers = (counted.get(definition) ?? []).slice(0, place.level + 1)
      const { format, start, text, isLegal } = levelOf(place)
      const last = numbers[place.level]
      const number = restartOf(place) ?? (last === undefined ? start : last + 1)
      numbers[place.level] = number
      counted.set(definition, numbers)
      const label = text.replace(/%([1-9])/g, (_sign, digit: string) => {
        const at = { list: place.list, level: Number(digit) - 1 }
        const shown = at.level === place.level ? { format, start } : levelOf(at)
        return formatCount(numbers[at.level] ?? shown.start, isLegal ? 'decimal' : shown.format)
      })
      return { number, label: format === 'bullet' || format === 'none' ? '' : label.trim() }
    },
  }
}

function readLevel(level: XmlElement): [string, ListLevel] {
  return [
    attributeOf(level, 'ilvl') ?? '',
    {
      format: attributeOf(childOf(level, 'numFmt'), 'val') ?? 'bullet',
      start: numberOf(childOf(level, 'start')) ?? 1,
      text: attributeOf(childOf(level, 'lvlText'), 'val') ?? '',
      isLegal: isOn(childOf(level, 'isLgl')),
    },
  ]
}

const ROMAN = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
})
const MOST_ROMAN = 3_999
const MOST_LETTERS = 780

/** A count in a number format of Word, such as "lowerRoman"; decimal for the formats of other scripts. */
export function formatCount(count: number, format: string): string {
  const isUpper = format.startsWith('upper')
  const written = format.endsWith('Roman')
    ? romanOf(count)
    : format.endsWith('Letter')
      ? letterOf(count)
      : format === 'decimalZero'
        ? String(count).padStart(2, '0')
        : format === 'ordinal'
          ? `${count}${ordinalEnd(count)}`
          : String(count)
  return isUpper ? written.toUpperCase() : written
}

function romanOf(count: number): string {
  if (count > MOST_ROMAN) return String(count)
  let rest = count
  return ROMAN.map(([sign, value]) => {
    const times = Math.floor(rest / value)
    rest -= times * value
    return sign.repeat(times)
  }).join('')
}

/** Word continues after z with aa, bb. */
function letterOf(count: number): string {
  if (count < 1 || count > MOST_LETTERS) return String(count)
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26))
}

function ordinalEnd(count: number): string {
  const isTeen = Math.floor((count % 100) / 10) === 1
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')
}
