/** Checks of numbers, addresses and terms. */
import {
  address,
  count,
  flag,
  maybe,
  number,
  oneOf,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../../catalog/vocabulary/returns.ts'
import { check } from './common.ts'

const valid = maybe(flag('Whether the value is valid.'))
const errors = maybe(words('Why it is not valid, in words.'))
const countryCode = maybe(text('The country as two letters.'))

const walletFields = {
  valid,
  address: maybe(text('The checked address.')),
  chain: maybe(text('The blockchain.')),
  type: maybe(text('The kind of address. null if it is not valid.')),
  network: maybe(oneOf('The network that the address belongs to.', ['mainnet', 'testnet'])),
}
const wallet = check(walletFields)
const rate = check({
  from: maybe(text('The first currency.')),
  to: maybe(text('The second currency.')),
  rate: maybe(number('The price of one unit of the first currency in the second.')),
  amount: maybe(number('The amount in the first currency.')),
  converted: maybe(number('The amount in the second currency.')),
  date: maybe(time('The day of the rate.')),
  source: maybe(text('Where the rate is from.')),
})

export const validators: Returns = {
  'check /x402/iban-validate': check({
    valid,
    iban: maybe(text('The IBAN without spaces.')),
    formatted: maybe(text('The IBAN in groups of four.')),
    country_code: countryCode,
    bank_code: maybe(text('The part that names the bank.')),
    account_number: maybe(text('The part after the check digits.')),
    errors,
  }),
  'check /x402/swift-validate': check({
    valid,
    swift: maybe(text('The BIC without spaces.')),
    bank_code: maybe(text('The four letters of the bank.')),
    country_code: countryCode,
    location_code: maybe(text('The two characters of the place.')),
    branch_code: maybe(text('The three characters of the branch. "XXX" is the head office.')),
    is_test: maybe(flag('Whether the BIC is for tests.')),
    errors,
  }),
  'check /x402/vat-format-validate': check({
    valid,
    vat_number: maybe(text('The number without spaces.')),
    country_code: countryCode,
    checked: maybe(oneOf('The scope of the check: the number may not exist.', ['format'])),
    errors,
  }),
  'check /x402/vat-validate': check({
    valid: maybe(flag('Whether the number is registered.')),
    vat_number: maybe(text('The number without spaces.')),
    name: maybe(text('The registered company, if the country publishes it.')),
    address: maybe(text('Its address, if the country publishes it.')),
    request_date: maybe(time('When the register was read.')),
    source: maybe(text('The register.')),
  }),
  'check /x402/cz-ico-validate': check({
    valid,
    ico: maybe(text('The number with eight digits.')),
  }),
  'check /x402/isbn-validate': check({
    valid,
    isbn: maybe(text('The ISBN without dashes.')),
    type: maybe(oneOf('The kind of ISBN.', ['ISBN-10', 'ISBN-13'])),
    isbn13: maybe(text('The ISBN with 13 digits.')),
  }),
  'check /x402/bitcoin-address-validate': wallet,
  'check /x402/dogecoin-address-validate': wallet,
  'check /x402/eth-address-validate': check({
    ...walletFields,
    checksum: maybe(flag('Whether the letters have the right case. null if all have the same.')),
    checksum_address: maybe(text('The address with the right case.')),
  }),
  'check /x402/solana-address-validate': wallet,
  'check /x402/tron-address-validate': wallet,
  'check /x402/xrp-address-validate': wallet,
  'check /x402/linkedin-url-validate': check({
    valid,
    url: maybe(text('The checked URL.')),
    type: maybe(text('The kind of page, such as a profile or a company.')),
    slug: maybe(text('The name in the URL.')),
    normalized: maybe(address('The URL in its usual form.')),
  }),
  'check /x402/password-strength': check({
    score: maybe(number('The strength, from 0 to 4.')),
    strength: maybe(
      oneOf('The same in words.', ['very weak', 'weak', 'fair', 'strong', 'very strong']),
    ),
    entropy_bits: maybe(number('The information in the password.', 'bits')),
    length: maybe(count('The length.', 'characters')),
    common: maybe(flag('Whether many people use the password.')),
  }),
  'check /x402/age-verify': check({
    age: maybe(count('The age at the reference date.', 'years')),
    minimum_age: maybe(number('The age that is required.', 'years')),
    meets_minimum: maybe(flag('Whether the person is old enough.')),
    reference_date: maybe(time('The day that the age is computed for.')),
  }),
  'check /x402/incoterms-explain': check({
    incoterm: maybe(text('The term as three letters.')),
    name: maybe(text('The name of the term.')),
    version: maybe(text('The edition of the rules.')),
    risk_passes: maybe(text('Where the risk passes to the buyer.')),
    seller_pays: maybe(text('The costs of the seller.')),
    seller_insures: maybe(flag('Whether the seller insures the goods.')),
    transport: maybe(text('The means of transport that the term is for.')),
    import_duties_paid_by: maybe(oneOf('Which side pays import duties.', ['seller', 'buyer'])),
  }),
  'check /x402/iso-country-lookup': check({
    query: maybe(text('Your words.')),
    found: maybe(flag('Whether a country matches.')),
    name: maybe(text('The name of the best match.')),
    alpha2: maybe(text('Its code with two letters.')),
    alpha3: maybe(text('Its code with three letters.')),
    matches: maybe(
      records('All matches.', {
        name: maybe(text('The name.')),
        alpha2: maybe(text('The code with two letters.')),
        alpha3: maybe(text('The code with three letters.')),
      }),
    ),
  }),
  'check /x402/exchange-rate': rate,
  'check /x402/currency-convert': rate,
  'check /x402/business-day-check': check({
    date: maybe(time('The checked day.')),
    country_code: countryCode,
    is_business_day: maybe(flag('Whether it is neither a weekend nor a public holiday.')),
    is_weekend: maybe(flag('Whether it is a Saturday or Sunday.')),
    holiday: maybe(text('The name of the public holiday.')),
    source: maybe(text('The calendar.')),
  }),
}
