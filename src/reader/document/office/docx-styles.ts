import type { Archive } from '../archive.ts'
import { attributeOf, childOf, childrenOf, pathOf, type XmlElement } from '../xml.ts'
import { readNumbering, type ListPlace, type Numbering } from './docx-numbers.ts'
import { readPart } from './package.ts'
import { isOn, numberOf } from './properties.ts'

/** The part of a paragraph's format that becomes structure. */
export type ParagraphRole =
  | { readonly kind: 'heading'; readonly level: number; readonly place?: ListPlace | undefined }
  | { readonly kind: 'item'; readonly place: ListPlace }
  | { readonly kind: 'text' }

export type Styles = {
  readonly numbering: Numbering
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
  const numbering = readNumbering(archive, numberingPart)

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
    numbering,
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
      const list = first('numPr', 'numId')
      const depth = Math.min(8, Math.max(0, Number(first('numPr', 'ilvl') ?? 0) || 0))
      const place = list === undefined || list === '0' ? undefined : { list, level: depth }
      const level = headingLevel(chain, first('outlineLvl'))
      if (level !== null) return { kind: 'heading', level, place }
      return place === undefined || numbering.levelOf(place).format === 'none'
        ? { kind: 'text' }
        : { kind: 'item', place }
    },
  }
}

function firstOf(
  formats: readonly (XmlElement | undefined)[] | undefined,
  name: string,
): XmlElement | undefined {
  return formats?.map((format) => childOf(format, name)).find((one) => one !== undefined)
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
