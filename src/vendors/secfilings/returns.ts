/** From the SEC's documentation of EDGAR's APIs. */
import { Type } from '../../lib/schema.ts'
import {
  address,
  answer,
  anything,
  count,
  items,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const column = (description: string) => maybe(items(description, anything('A value.')))
const cik = text('The Central Index Key of the filer, with ten digits.')

/** Columns of the table of filings: row n is value n of each column. */
const filingColumns = {
  accessionNumber: column('The number of each filing, for secfilings/document.'),
  filingDate: column('When each filing was submitted.'),
  reportDate: column('The end of the period that each filing is about.'),
  acceptanceDateTime: column('When the SEC accepted each filing.'),
  act: column('The law that each filing is made under: "33" or "34".'),
  form: column('The form of each filing, such as "10-K".'),
  fileNumber: column("The SEC's file number of each filing."),
  filmNumber: column("The SEC's number of each scanned filing."),
  items: column('The items of each 8-K, separated by commas.'),
  size: column('The size of each filing in bytes.'),
  isXBRL: column('1 if the filing has XBRL data.'),
  isInlineXBRL: column('1 if the XBRL data is in the document.'),
  primaryDocument: column('The name of the main document, for secfilings/document.'),
  primaryDocDescription: column('The description of the main document.'),
}
const place = maybe(
  record('An address.', {
    street1: maybe(text('The street.')),
    street2: maybe(text('More of the street.')),
    city: maybe(text('The city.')),
    stateOrCountry: maybe(text('The code of the state or country.')),
    stateOrCountryDescription: maybe(text('The name of the state or country.')),
    zipCode: maybe(text('The postal code.')),
  }),
)

export const returns: Returns = {
  entities: answer({
    entities: records('The filers, best match first.', {
      cik,
      ticker: maybe(text('The stock symbol, if there is one.')),
      name: maybe(text('The name of the filer.')),
    }),
  }),
  filings: answer({
    cik: maybe(text('The Central Index Key.')),
    name: maybe(text('The name of the filer.')),
    entityType: maybe(text('The kind of filer, such as "operating".')),
    tickers: maybe(words('The stock symbols.')),
    exchanges: maybe(
      items('The exchange of each symbol.', maybe(text('The name of the exchange.'))),
    ),
    sic: maybe(text('The Standard Industrial Classification code.')),
    sicDescription: maybe(text('The industry of that code.')),
    ownerOrg: maybe(text("The SEC's office for the filer.")),
    ein: maybe(text("The employer's tax number.")),
    lei: maybe(text('The Legal Entity Identifier.')),
    description: maybe(text('A description of the filer.')),
    website: maybe(text('The website.')),
    investorWebsite: maybe(text('The website for investors.')),
    category: maybe(text('The size class, such as "Large accelerated filer".')),
    fiscalYearEnd: maybe(text('The last day of the fiscal year as MMDD.')),
    stateOfIncorporation: maybe(text('The code of the state or country.')),
    stateOfIncorporationDescription: maybe(text('The name of the state or country.')),
    phone: maybe(text('The phone number.')),
    addresses: maybe(record('The addresses.', { mailing: place, business: place })),
    flags: maybe(text('Flags of the SEC.')),
    formerNames: maybe(
      records('Earlier names.', {
        name: maybe(text('The name.')),
        from: maybe(time('When it was first used.')),
        to: maybe(time('When it was last used.')),
      }),
    ),
    insiderTransactionForOwnerExists: maybe(count('1 if the filer reported trades as an owner.')),
    insiderTransactionForIssuerExists: maybe(count('1 if insiders of the filer reported trades.')),
    filings: record('The filings.', {
      recent: maybe(
        record('The latest filings, newest first, one list per column.', filingColumns),
      ),
      files: maybe(
        records('The files with older filings.', {
          name: maybe(text('The name of the file.')),
          filingCount: maybe(count('The number of filings.')),
          filingFrom: maybe(time('The date of its oldest filing.')),
          filingTo: maybe(time('The date of its newest filing.')),
        }),
      ),
    }),
  }),
  fulltext: answer({
    hits: record('The result.', {
      total: maybe(
        record('How many filings match.', {
          value: maybe(count('The number.')),
          relation: maybe(oneOf('"gte" if there are more.', ['eq', 'gte'])),
        }),
      ),
      max_score: maybe(number('The highest relevance.')),
      hits: records('At most ten hits, best first.', {
        _id: maybe(text('The accession number and the filename, separated by a colon.')),
        _score: maybe(number('The relevance.')),
        _source: maybe(
          record('The document.', {
            ciks: maybe(words('The filers.')),
            display_names: maybe(words('Their names with ticker and CIK.')),
            adsh: maybe(text('The accession number.')),
            form: maybe(text('The form.')),
            root_forms: maybe(words('The form without "/A".')),
            file_type: maybe(text('The kind of document within the filing.')),
            file_description: maybe(text('The description of the document.')),
            file_date: maybe(time('When it was filed.')),
            period_ending: maybe(time('The end of the period that it is about.')),
            file_num: maybe(words("The SEC's file numbers.")),
            film_num: maybe(words("The SEC's numbers of the scanned filings.")),
            sics: maybe(words('The industry codes of the filers.')),
            biz_locations: maybe(words('The places of the filers.')),
            biz_states: maybe(words('The states of the filers.')),
            inc_states: maybe(words('The states of incorporation.')),
            items: maybe(words('The items of an 8-K.')),
            sequence: maybe(anything('The place of the document within the filing.')),
          }),
        ),
      }),
    }),
    aggregations: maybe(open('The number of hits by filer, form, industry and state.')),
    query: maybe(open('The query that the source ran.')),
    took: maybe(number('How long the search took.', 'milliseconds')),
    timed_out: maybe(Type.Boolean({ description: 'true if the search is incomplete.' })),
    _shards: maybe(open('The parts of the index that were searched.')),
  }),
  document: answer({
    url: address('The URL of the document.'),
    content_type: text('The media type.'),
    encoding: oneOf('The form of `content`.', ['text', 'base64']),
    content: text('The document.'),
  }),
  concept: answer({
    cik: maybe(count('The Central Index Key as a number.')),
    taxonomy: maybe(text('The taxonomy of the concept, such as "us-gaap".')),
    tag: maybe(text('The name of the concept.')),
    label: maybe(text('The name for people.')),
    description: maybe(text('The definition of the concept.')),
    entityName: maybe(text('The name of the filer.')),
    units: Type.Record(
      Type.String(),
      records('The reported values.', {
        start: maybe(time('The first day of the period. Absent for a value at a day.')),
        end: maybe(time('The last day of the period, or the day.')),
        val: maybe(number('The value, in the unit that is the key of the list.')),
        accn: maybe(text('The accession number of the filing.')),
        fy: maybe(count('The fiscal year of the filing.')),
        fp: maybe(oneOf('The fiscal period of the filing.', ['FY', 'Q1', 'Q2', 'Q3'])),
        form: maybe(text('The form of the filing.')),
        filed: maybe(time('When the filing was submitted.')),
        frame: maybe(text('The calendar period that the value stands for, such as "CY2025Q3I".')),
      }),
      { description: 'The values by unit, such as "USD" or "shares".' },
    ),
  }),
  index: answer({
    date: time('The requested day.'),
    filing_count: count('The number of filings of that day.'),
    filings: records('The filings.', {
      cik: text('The Central Index Key of the filer.'),
      company: text('The name of the filer.'),
      form: text('The form.'),
      date_filed: text('The day as YYYYMMDD.'),
      path: text('The path of the filing below https://www.sec.gov/Archives/.'),
    }),
  }),
}
