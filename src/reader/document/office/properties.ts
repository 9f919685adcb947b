import { attributeOf, type XmlElement } from '../xml.ts'

/** Reports whether a property of Word such as `w:b` is present and not switched off. */
export function isOn(property: XmlElement | undefined): boolean {
  return (
    property !== undefined && !/^(0|false|off|none)$/.test(attributeOf(property, 'val') ?? 'true')
  )
}

/** The value of a property as a count from 0. */
export function numberOf(property: XmlElement | undefined): number | undefined {
  const value = Number(attributeOf(property, 'val') ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
