/** VAT, company and book numbers. */
import { readText, type Check } from './check.ts'

/** Formats of VAT numbers, without the country code. */
const VAT: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  CH: /^E\d{9}(MWST|TVA|IVA)?$/,
}

/** Checks only the format. Only the tax authority knows whether the number is in use. */
export const validateVatFormat: Check = (parameters) => {
  const vatNumber = readText(parameters, 'vat_number')
    .replaceAll(/[\s.-]/g, '')
    .toUpperCase()
  const country = vatNumber.slice(0, 2) === 'GR' ? 'EL' : vatNumber.slice(0, 2)
  const format = VAT[country]
  const isValid = format?.test(vatNumber.slice(2)) === true
  return {
    valid: isValid,
    vat_number: vatNumber,
    country_code: country,
    checked: 'format',
    errors: isValid
      ? []
      : [
          format === undefined
            ? 'The number must start with the code of a supported country.'
            : `The number does not have the format of a VAT number of ${country}.`,
        ],
  }
}

export const validateCzechIco: Check = (parameters) => {
  const ico = readText(parameters, 'ico').replaceAll(/\s/g, '').padStart(8, '0')
  const digits = /^\d{8}$/.test(ico) ? [...ico].map(Number) : []
  const sum = digits.slice(0, 7).reduce((total, digit, index) => total + digit * (8 - index), 0)
  return {
    valid: digits.length === 8 && ico !== '00000000' && (11 - (sum % 11)) % 10 === digits[7],
    ico,
  }
}

export const validateIsbn: Check = (parameters) => {
  const isbn = readText(parameters, 'isbn').replaceAll(/[\s-]/g, '').toUpperCase()
  const kind = isbn.length === 10 ? 'ISBN-10' : isbn.length === 13 ? 'ISBN-13' : null
  const isValid =
    kind === 'ISBN-10'
      ? isIsbn10(isbn)
      : kind === 'ISBN-13' && /^97[89]/.test(isbn) && isEan13(isbn)
  return {
    valid: isValid,
    isbn,
    type: kind,
    isbn13: isValid ? (kind === 'ISBN-13' ? isbn : toIsbn13(isbn)) : null,
  }
}

function isIsbn10(isbn: string): boolean {
  if (!/^\d{9}[\dX]$/.test(isbn)) return false
  return (
    [...isbn].reduce(
      (sum, digit, index) => sum + (digit === 'X' ? 10 : Number(digit)) * (10 - index),
      0,
    ) %
      11 ===
    0
  )
}

function sumWeighted(digits: string): number {
  return [...digits].reduce(
    (sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
}

function isEan13(code: string): boolean {
  return /^\d{13}$/.test(code) && sumWeighted(code) % 10 === 0
}

function toIsbn13(isbn10: string): string {
  const body = `978${isbn10.slice(0, 9)}`
  return `${body}${(10 - (sumWeighted(body) % 10)) % 10}`
}
