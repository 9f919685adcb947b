/** Patterns for the entities in an intent: URLs, identifiers, codes, handles and quoted texts. */

import {
  CURRENCY_CODES,
  FOREIGN_CURRENCY_NAMES,
  FOREIGN_DURATION,
  foreignSeconds,
  NUMBER_WORDS,
  toMoney,
  toSeconds,
} from './amounts.ts'
import { CODE_RULE, FLIGHT_WORDS, IDENTIFIER_RULES } from './identifier-rules.ts'
import type { Rule } from './entity-kind.ts'

const HANDLE_HOSTS =
  'com|org|net|io|dev|ai|co|so|gg|fm|ly|sh|app|gov|edu|info|biz|me|tv|eu|de|fr|uk|ch|at|nl|es|it|se|no|dk|fi|pl|be|in|jp|cn|br|ca|au|us|xyz|tech|shop|store|cloud|example|test'
/** Domains of further countries, without those that are also endings of files. */
const COUNTRY_HOSTS =
  'ae|ar|bg|bo|by|cl|cy|cz|ec|ee|eg|ge|gh|gr|hk|hr|hu|id|ie|il|ir|is|ke|kr|kz|lk|lt|lu|lv|ma|mk|mt|mx|my|ng|nz|pa|pe|ph|pk|pt|qa|ro|ru|sa|sg|si|sk|sn|th|tn|tr|tw|tz|ua|ug|uy|uz|ve|vn|za|zm|zw'
const STREET =
  'street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|square|sq|terrace|ter|circle|cir|parkway|pkwy'

/** "Platz der Republik 1, 11011 Berlin", "10 Downing Street, London", "5 Avenue Foch, 75016 Paris". */
const EUROPEAN_ADDRESS =
  /(?<![\p{L}\d])(?:\p{Lu}[\p{L}.'’-]{1,30}(?: [\p{L}.'’-]{1,20}){0,4} \d{1,4} ?[a-z]?, \d{4,5} \p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?|(?:\p{Lu}[\p{L}-]{0,30}(?:stra(?:ß|ss)e|platz|weg|allee|gasse|ring|damm)|(?:Via|Viale|Piazza|Corso|Calle|Gran|Avenida|Paseo|Plaza|Rua|Praça|ul\.|Ulica|улица|ул\.) (?:[\p{L}.'’-]{1,25} ?){1,4}),? \d{1,4}(?:, (?:\d{4,5} )?\p{Lu}[\p{L}-]{1,30})?|\d{1,4},? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Qq]uai) (?:[\p{L}'’-]{1,25} ?){1,5}(?:, (?:\d{5} )?\p{Lu}[\p{L}-]{1,30})?)(?![\p{L}\d])/gu

/** Tickers of coins by their names. */
export const COINS: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  solana: 'SOL',
  dogecoin: 'DOGE',
  litecoin: 'LTC',
  ripple: 'XRP',
  cardano: 'ADA',
}

/** The names of the two largest coins in further languages, with their endings. */
const COIN_NAMES =
  /(?<!\p{L})(?:биткои?н|эфири?ум|bitcoin[aueo]m?|bitkoin|ethereum[aue])\p{L}{0,3}(?!\p{L})|(?:ال)?[ب]يتكوين|(?:ال)?إيثريوم|बिटकॉइन|इथेरियम|比特[币幣]|以太[坊币]|ビットコイン|イーサリアム|비트코인|이더리움/giu

function coinTicker(name: string): string {
  return /^(?:эф|eth|(?:ال)?إ|इ|以|イ|이)/i.test(name) ? 'ETH' : 'BTC'
}

/** Rules in the order in which they apply. All repetitions are bounded, so no text is slow. */
export const RULES: readonly Rule[] = [
  {
    kind: 'linkedin',
    mask: 'linkedin profile',
    pattern: /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/[^\s"'<>),]{1,300}/gi,
    read: ([text = '']) => withScheme(text),
  },
  {
    kind: 'url',
    mask: 'url',
    pattern: /https?:\/\/[^\s"'<>]{1,2000}/gi,
    read: ([text = '']) => text.replace(/[.,;:!?)\]]+$/, ''),
  },
  { kind: 'email', mask: 'email', pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g },
  {
    kind: 'doi',
    mask: 'doi',
    pattern: /\b10\.\d{4,9}\/[^\s"'<>,;]{1,120}/g,
    read: ([text = '']) => text.replace(/[.)]+$/, ''),
  },
  {
    kind: 'url',
    mask: 'url',
    pattern: new RegExp(
      String.raw`\b(?:[a-z0-9-]{1,63}\.){1,4}(?:${HANDLE_HOSTS})\/[^\s"'<>,;]{1,500}`,
      'gi',
    ),
    read: ([text = '']) => `https://${text.replace(/[.!?)]+$/, '')}`,
  },
  {
    kind: 'ticker',
    mask: 'ticker',
    pattern:
      /\b[A-Z\d]{1,6}\.(?:DE|PA|L|MI|AS|SW|TO|HK|T|KS|SS|SZ|AX|BR|MC|ST|CO|HE|OL|VI|WA|LS)\b/g,
  },
  {
    kind: 'domain',
    mask: '',
    pattern: new RegExp(
      String.raw`\b(?:[a-z0-9-]{1,63}\.){1,4}(?:${HANDLE_HOSTS})\b(?!\.[a-z]{2}\b)|\b[a-z0-9-]{2,63}\.(?:co|com|org|net|gov|gob|edu|ac|blogspot)\.[a-z]{2}\b|\b(?:[a-z0-9-]{2,63}\.){1,3}(?:${COUNTRY_HOSTS})\b`,
      'gi',
    ),
    read: ([text = '']) => text.toLowerCase(),
  },
  ...IDENTIFIER_RULES,
  {
    kind: 'duration',
    mask: '',
    pattern: new RegExp(
      String.raw`(?<!\b(?:last|past|previous|within|next|every) )\b(?:(\d{1,4}) ?(s|h)|(\d{1,4}|${Object.keys(NUMBER_WORDS).join('|')}|an?)[ -]?(secs?|seconds?|mins?|minutes?|hours?))\b(?!-hand| hand| ago| time| opinion)`,
      'gi',
    ),
    read: ([, short, letter, count, unit]) =>
      String(toSeconds(short ?? count ?? '', letter ?? unit ?? '')),
  },
  {
    kind: 'money',
    mask: '',
    pattern: new RegExp(
      String.raw`(?:(?<!\w)([$€£¥])|\b(${CURRENCY_CODES}) )\s?(\d[\d,]{0,12}(?:\.\d{1,2})?) ?(k|m|million|billion)?\b|\b(\d[\d,]{0,12}(?:\.\d{1,2})?) ?(k|m|million|billion)? ?(${CURRENCY_CODES}|dollars?|euros?|pounds|yen|cents?)\b`,
      'gi',
    ),
    read: (groups) => toMoney(groups),
  },
  {
    kind: 'money',
    mask: '',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d.,])(\d[\d.,]{0,12}) ?(${FOREIGN_CURRENCY_NAMES})(?!\p{Script=Latin}|\p{Script=Cyrillic})`,
      'giu',
    ),
    read: ([, amount = '', currency]) =>
      toMoney([
        ...Array<undefined>(5),
        amount.replaceAll(/[.,](?=\d{3}(?!\d))/g, ''),
        undefined,
        currency,
      ]),
  },
  {
    kind: 'duration',
    mask: '',
    pattern: new RegExp(FOREIGN_DURATION, 'giu'),
    read: ([text = '']) => String(foreignSeconds(text)),
  },
  {
    kind: 'ratio',
    mask: '',
    pattern: /(?<![\d:])(?:1:1|16:9|9:16|4:3|3:4|3:2|2:3|21:9)(?![\d:])/g,
  },
  {
    kind: 'address',
    mask: 'address',
    pattern: new RegExp(
      String.raw`\b\d{1,6} (?:[\p{L}\d.'-]{1,30} ){1,5}(?:${STREET})\b\.?(?:,? [\p{L} .'-]{2,40},? [A-Z]{2}(?:,? \d{5}(?:-\d{4})?)?|,? \d{5})?`,
      'giu',
    ),
  },
  { kind: 'address', mask: 'address', pattern: EUROPEAN_ADDRESS },
  {
    kind: 'coordinates',
    mask: 'latitude longitude',
    pattern: /-?\d{1,2}\.\d{2,8}, ?-?\d{1,3}\.\d{2,8}/g,
  },
  {
    kind: 'phone',
    mask: 'phone',
    pattern:
      /(?<![\w-])(?:\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,5}|\d{1,3}?[ .-]?\(?\d{3}\)?[ .-]\d{3,4}[ .-]?\d{3,4})(?![\w-])/g,
  },
  {
    kind: 'handle',
    mask: '',
    pattern: /(?<![\w@/])@([\w.]{2,40}\w)/g,
    read: ([, first = '']) => first,
  },
  {
    kind: 'hashtag',
    mask: 'hashtag',
    pattern:
      /(?<![\w&])#(\p{L}[\p{L}\d_]{1,60}?)(?=の(?:動画|投稿|写真)|的(?:视频|帖子|图片)|[をがで]|[^\p{L}\p{M}\d_]|$)|\b(?:hashtag|tagged) ["“']?(?!for\b|of\b|on\b|in\b|with\b|as\b)(\p{L}[\p{L}\d_]{1,40})/gu,
    read: ([, first, second]) => first ?? second ?? '',
  },
  {
    kind: 'ticker',
    mask: 'ticker',
    pattern: /(?<!\w)\$([A-Z]{1,6})\b|\b(?:ticker|symbol) (?:of )?([A-Z]{1,6})\b/g,
    read: ([, first, second]) => first ?? second ?? '',
  },
  {
    kind: 'ticker',
    mask: 'ticker',
    when: /\b(?:stocks?|shares?|quotes?|price history|tickers?|options?|dividends?|earnings|insiders?|filings?|10-[KQ]|CIK|holdings|short interest|technicals?|fundamentals|trading at)\b/i,
    pattern: new RegExp(
      String.raw`\b(?!(?:${CURRENCY_CODES}|SEC|CIK|CEO|CFO|CTO|COO|USA|UK|EU|US|API|ETF|ETFS|IPO|FBI|EPA|FDA|NDC|VIN|AI|ID|URL|FIX|NYSE|PDF|CSV|JSON|TV|HQ|IT|HR|GDP|CPI|EPS|XBRL|EDGAR|FORM|EIN|LEI|VAT|IBAN|BIC|ISIN|GDPR|RSI|MACD|EMA|SMA|PE|TTM|YOY|KYC|AML|PEP|UBO|CVE|DOI|NCT|DHL|UPS|VIX|ECB|FED|CAC|DAX|FTSE|OFAC|LLC|INC|LTD|PLC|AND|OR|FOR|THE)\b)[A-Z]{2,5}\b(?![-\/])`,
      'g',
    ),
  },
  {
    kind: 'ticker',
    mask: 'crypto ticker',
    pattern:
      /\b(?:BTC|ETH|SOL|XRP|DOGE|ADA|BNB|LTC|AVAX|DOT|TRX|USDC|USDT|DAI|ARB|SUI|TON|LINK|MATIC|PEPE|SHIB)\b(?!\/)/g,
  },
  {
    kind: 'ticker',
    mask: 'crypto ticker',
    pattern: /\b(bitcoin|ethereum|solana|dogecoin|litecoin|ripple|cardano)\b/gi,
    read: ([name = '']) => COINS[name.toLowerCase()] ?? '',
  },
  {
    kind: 'ticker',
    mask: 'crypto ticker',
    pattern: COIN_NAMES,
    read: ([name = '']) => coinTicker(name),
  },
  {
    kind: 'airport',
    mask: 'airport',
    when: FLIGHT_WORDS,
    pattern:
      /(?<![\p{L}\d])(?:from|to|at|in|of|via|for|into|airport|de|a|à|von|nach|da|do|za|ze|z|из|в) ([A-Z]{3})\b(?! [A-Z])|\b([A-Z]{3})(?= airport\b| (?:to|a|nach|à|–|-) [A-Z]{3}\b)|(?<=\b(?:airport|[A-Z][a-z]{2,20}) )([A-Z]{3})\b/gu,
    read: ([, first, second, third]) => first ?? second ?? third ?? '',
  },
  {
    kind: 'zip',
    mask: 'zip',
    pattern: /\b(?:zip(?: ?code)? )?(\d{5})(?:-\d{4})?\b(?! (?:results|people|rows|dollars|usd))/gi,
    read: ([, first = '']) => first,
  },
  {
    kind: 'label',
    mask: '',
    pattern: /\b(?:named|called) ([a-z][\w-]{1,39})\b(?! (?:at|who|from|of)\b)/g,
    read: ([, first = '']) => first,
  },
  CODE_RULE,
]

function withScheme(address: string): string {
  const text = address.replace(/[.,;:!?]+$/, '')
  return /^https?:/i.test(text) ? text : `https://${text}`
}
