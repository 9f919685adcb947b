/** Checks IBANs and BICs by the structures of the SWIFT registry and the check digits of ISO 7064. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { type Check, readText } from './check.ts'
import { isCountry } from './countries.ts'

/** Groups of the account number by country: F digits, A letters or digits, U letters. The first group is the bank. */
const STRUCTURES =
  'AD:F04F04A12 AE:F03F16 AL:F08A16 AT:F05F11 AZ:U04A20 BA:F03F03F08F02 BE:F03F07F02 BG:U04F04F02A08 BH:U04A14 BI:F05F05F11F02 BR:F08F05F10U01A01 BY:A04F04A16 CH:F05A12 CR:F04F14 CY:F03F05A16 CZ:F04F06F10 DE:F08F10 DJ:F05F05F11F02 DK:F04F09F01 DO:A04F20 EE:F02F02F11F01 EG:F04F04F17 ES:F04F04F01F01F10 FI:F06F07F01 FK:U02F12 FO:F04F09F01 FR:F05F05A11F02 GB:U04F06F08 GE:U02F16 GI:U04A15 GL:F04F09F01 GR:F03F04A16 GT:A04A20 HR:F07F10 HU:F03F04F01F15F01 IE:U04F06F08 IL:F03F03F13 IQ:U04F03F12 IS:F04F02F06F10 IT:U01F05F05A12 JO:U04F04A18 KW:U04A22 KZ:F03A13 LB:F04A20 LC:U04A24 LI:F05A12 LT:F05F11 LU:F03A13 LV:U04A13 LY:F03F03F15 MC:F05F05A11F02 MD:A02A18 ME:F03F13F02 MK:F03A10F02 MN:F04F12 MR:F05F05F11F02 MT:U04F05A18 MU:U04F02F02F12F03U03 NI:U04F20 NL:U04F10 NO:F04F06F01 OM:F03A16 PK:U04A16 PL:F08F16 PS:U04A21 PT:F04F04F11F02 QA:U04A21 RO:U04A16 RS:F03F13F02 RU:F09F05A15 SA:F02A18 SC:U04F02F02F16U03 SD:F02F12 SE:F03F16F01 SI:F05F08F02 SK:F04F06F10 SM:U01F05F05A12 SO:F04F03F12 ST:F04F04F11F02 SV:U04F20 TL:F03F14F02 TN:F02F03F13F02 TR:F05F01A16 UA:F06A19 VA:F03F15 VG:U04F16 XK:F04F10F02 YE:U04F04A18'
const CLASSES: Readonly<Record<string, string>> = { F: '[0-9]', A: '[A-Z0-9]', U: '[A-Z]' }

type Structure = {
  readonly pattern: RegExp
  readonly length: number
  readonly bank: readonly [from: number, to: number]
}
const structures: ReadonlyMap<string, Structure> = new Map(
  STRUCTURES.split(' ').map((line) => [line.slice(0, 2), parseStructure(line.slice(3))]),
)

function parseStructure(groups: string): Structure {
  const parts = (groups.match(/[FAU][0-9]{2}/g) ?? []).map((group) => ({
    kind: group.charAt(0),
    size: Number(group.slice(1)),
  }))
  const [first = { kind: 'F', size: 0 }, second = { kind: 'F', size: 0 }] = parts
  // In Italy and San Marino a check letter precedes the bank.
  const bank =
    first.kind === 'U' && first.size === 1
      ? ([1, 1 + second.size] as const)
      : ([0, first.size] as const)
  return {
    pattern: new RegExp(`^${parts.map(({ kind, size }) => `${CLASSES[kind]}{${size}}`).join('')}$`),
    length: 4 + parts.reduce((sum, { size }) => sum + size, 0),
    bank,
  }
}

/** The remainder of dividing by 97 a text whose letters count as 10 to 35. */
export function modulo97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

export const validateIban: Check = (parameters) => {
  const iban = readText(parameters, 'iban').replaceAll(/[\s-]/g, '').toUpperCase()
  const country = iban.slice(0, 2)
  const structure = structures.get(country)
  const errors = findErrors(iban, structure)
  const account = iban.slice(4)
  const isValid = errors.length === 0
  return {
    valid: isValid,
    iban,
    formatted: iban.replaceAll(/(.{4})(?=.)/g, '$1 '),
    country_code: country,
    bank_code: isValid && structure !== undefined ? account.slice(...structure.bank) : null,
    account_number: isValid ? account : null,
    errors,
  }
}

function findErrors(iban: string, structure: Structure | undefined): string[] {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/.test(iban))
    return ['An IBAN has two letters, two digits and up to thirty letters or digits.']
  if (structure === undefined) return [`${iban.slice(0, 2)} has no IBANs.`]
  if (iban.length !== structure.length)
    return [
      `An IBAN of ${iban.slice(0, 2)} has ${structure.length} characters, not ${iban.length}.`,
    ]
  if (!structure.pattern.test(iban.slice(4)))
    return ['The account number has letters in place of digits, or digits in place of letters.']
  return modulo97(`${iban.slice(4)}${iban.slice(0, 4)}`) === 1
    ? []
    : ['The check digits are wrong.']
}

export const validateBic: Check = (parameters): Data => {
  const bic = readText(parameters, 'swift').replaceAll(/\s/g, '').toUpperCase()
  const [, bank, country, location, branch] =
    /^([A-Z]{4})([A-Z]{2})([A-Z0-9]{2})([A-Z0-9]{3})?$/.exec(bic) ?? []
  const isKnown = country !== undefined && (country === 'XK' || isCountry(country))
  return {
    valid: isKnown,
    swift: bic,
    bank_code: bank ?? null,
    country_code: country ?? null,
    location_code: location ?? null,
    branch_code: bank === undefined ? null : (branch ?? 'XXX'),
    is_test: location?.charAt(1) === '0',
    errors: isKnown
      ? []
      : [
          bank === undefined
            ? 'A BIC has eight or eleven characters: bank, country, location and branch.'
            : `There is no country ${country}.`,
        ],
  }
}
