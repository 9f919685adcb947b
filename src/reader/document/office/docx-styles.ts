import type { Archive } from '../archive.ts'
import { attributeOf, childOf, childrenOf, pathOf, type XmlElement } from '../xml.ts'
import { readPart } from './package.ts'

/** The part of a paragraph's format that becomes structure. */
export type ParagraphRole =
  | { readonly kind: 'heading'; readonly level: number }
  | {
      readonly kind: 'item'
      readonly level: number
      readonly isOrdered: boolean
      readonly list: string
      /** The first number of the list at this level. */
      readonly start: number
    }
  | { readonly kind: 'text' }

export type Styles = {
  roleOf(paragraph: XmlElement): ParagraphRole
  /** Reports whether Word hides a run of the paragraph. */
  isHidden(run: XmlElement, paragraph: XmlElement): boolean
}

type Style = {
  readonly name: string
  readonly basedOn: string | undefined
  readonly properties: XmlElement | undefined
  readonly runFormat: XmlElement | undefined
}

const MAX_INHERITANCE = 20
/** In half points. */
const UNREADABLE_SIZE = 2

/** Reads headings from outline levels and style names, and lists from the numbering. */
export function readStyles(archive: Archive, stylesPart: string, numberingPart: string): Styles {
  const styles = new Map(
    childrenOf(readPart(archive, stylesPart), 'style').map((style): [string, Style] => [
      attributeOf(style, 'styleId') ?? '',
      {
        name: (attributeOf(childOf(style, 'name'), 'val') ?? '').toLowerCase(),
        basedOn: attributeOf(childOf(style, 'basedOn'), 'val'),
        properties: childOf(style, 'pPr'),
        runFormat: childOf(style, 'rPr'),
      },
    ]),
  )
  const formatOf = readNumbering(archive, numberingPart)

  /** The style of a paragraph and those that it is based on. */
  function chainOf(id: string | undefined): Style[] {
    const chain: Style[] = []
    let style = id === undefined ? undefined : styles.get(id)
    while (style !== undefined && chain.length < MAX_INHERITANCE) {
      chain.push(style)
      style = style.basedOn === undefined ? undefined : styles.get(style.basedOn)
    }
    return chain
  }

  const styleOf = (format: XmlElement | undefined, name: string): Style[] =>
    chainOf(attributeOf(childOf(format, name), 'val'))

  return {
    isHidden(run, paragraph) {
      const own = childOf(run, 'rPr')
      const [ofRun, ofParagraph] = [
        styleOf(own, 'rStyle'),
        styleOf(childOf(paragraph, 'pPr'), 'pStyle'),
      ].map((chain) => chain.map(({ runFormat }) => runFormat))
      const size = numberOf(firstOf([own, ...(ofRun ?? []), ...(ofParagraph ?? [])], 'sz'))
      if (size !== undefined && size <= UNREADABLE_SIZE) return true
      const direct = childOf(own, 'vanish')
      return direct === undefined
        ? isOn(firstOf(ofRun, 'vanish')) || isOn(firstOf(ofParagraph, 'vanish'))
        : isOn(direct)
    },
    roleOf(paragraph) {
      const own = childOf(paragraph, 'pPr')
      const chain = styleOf(own, 'pStyle')
      const formats = [own, ...chain.map(({ properties }) => properties)]
      const first = (...path: string[]): string | undefined =>
        formats
          .map((format) => attributeOf(pathOf(format, ...path), 'val'))
          .find((value) => value !== undefined)
      const level = headingLevel(chain, first('outlineLvl'))
      if (level !== null) return { kind: 'heading', level }
      const list = first('numPr', 'numId')
      if (list === undefined || list === '0') return { kind: 'text' }
      const depth = Math.min(8, Math.max(0, Number(first('numPr', 'ilvl') ?? 0) || 0))
      const format = formatOf(list, depth)
      return format.name === 'none'
        ? { kind: 'text' }
        : {
            kind: 'item',
            level: depth,
            isOrdered: format.name !== 'bullet',
            list,
            start: format.start,
          }
    },
  }
}

function firstOf(
  formats: readonly (XmlElement | undefined)[] | undefined,
  name: string,
): XmlElement | undefined {
  return formats?.map((format) => childOf(format, name)).find((one) => one !== undefined)
}

/** Reports whether a property such as `w:b` is present and not switched off. */
export function isOn(property: XmlElement | undefined): boolean {
  return (
    property !== undefined && !/^(0|false|off|none)$/.test(attributeOf(property, 'val') ?? 'true')
  )
}

function headingLevel(chain: readonly Style[], outline: string | undefined): number | null {
  for (const { name } of chain) {
    if (name === 'title') return 1
    const level = /^heading ([1-9])$/.exec(name)?.[1]
    if (level !== undefined) return Number(level)
  }
  const level = Number(outline ?? Number.NaN)
  return level >= 0 && level < 9 ? level + 1 : null
}

/** `name` is "bullet", "none" or a kind of numbers. */
type LevelFormat = { readonly name: string; readonly start: number }
const BULLET: LevelFormat = { name: 'bullet', start: 1 }

/** Returns the format of a list at a depth. */
function readNumbering(
  archive: Archive,
  part: string,
): (list: string, depth: number) => LevelFormat {
  const root = readPart(archive, part)
  const formats = new Map(
    childrenOf(root, 'abstractNum').map((abstract): [string, ReadonlyMap<string, LevelFormat>] => [
      attributeOf(abstract, 'abstractNumId') ?? '',
      new Map(childrenOf(abstract, 'lvl').map(readLevel)),
    ]),
  )
  const lists = new Map(
    childrenOf(root, 'num').map((number) => [attributeOf(number, 'numId') ?? '', number]),
  )
  return (list, depth) => {
    const number = lists.get(list)
    const override = childrenOf(number, 'lvlOverride').find(
      (one) => attributeOf(one, 'ilvl') === String(depth),
    )
    const own = childOf(override, 'lvl')
    const abstract = attributeOf(childOf(number, 'abstractNumId'), 'val') ?? ''
    const format =
      own === undefined ? (formats.get(abstract)?.get(String(depth)) ?? BULLET) : readLevel(own)[1]
    return { ...format, start: numberOf(childOf(override, 'startOverride')) ?? format.start }
  }
}

function readLevel(level: XmlElement): [string, LevelFormat] {
  const name = attributeOf(childOf(level, 'numFmt'), 'val') ?? 'bullet'
  return [attributeOf(level, 'ilvl') ?? '', { name, start: numberOf(childOf(level, 'start')) ?? 1 }]
}

function numberOf(element: XmlElement | undefined): number | undefined {
  const value = Number(attributeOf(element, 'val') ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
