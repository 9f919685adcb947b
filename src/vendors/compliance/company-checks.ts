/** Checks of companies in public registers. */
import { AppError } from '../../errors/app-error.ts'
import {
  publicSource,
  withCheck,
  withParams,
  referenceRows,
  unreadableReply,
} from '../shared/open-sources.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { get, type Reply } from '../../catalog/vocabulary/wire.ts'
import { edgar, isCompany, matchCompanies, tickers } from '../secfilings/source.ts'
import { gleif, registerRecord, verdict, word } from './registers.ts'

export const leiRecord = publicSource(
  gleif,
  ({ lei, company_name: name }) =>
    lei === undefined
      ? get('/lei-records', { 'filter[entity.legalName]': asText(name), 'page[size]': 10 })
      : get(`/lei-records/${word(lei)}`),
  registerRecord('GLEIF', 'data'),
)
export const relatedCompanies = (relation: string) =>
  withParams(
    'lei company_name',
    withCheck(
      ({ lei }) => {
        if (lei === undefined)
          throw new AppError(
            'upstream_not_configured',
            'Without its vendor this gateway finds relatives only by LEI. Nothing was charged.',
            { param: 'lei' },
          )
      },
      publicSource(
        gleif,
        ({ lei }) => get(`/lei-records/${word(lei)}/${relation}`),
        registerRecord('GLEIF', 'data'),
      ),
    ),
  )

/** A company that files with the SEC, by ticker, CIK or name, without the list of its filings. */
export const secCompany = publicSource(
  edgar,
  () => tickers,
  ({ body }) => {
    if (asText(field(body, 'cik')) === '') return unreadableReply()
    const facts =
      'cik name tickers exchanges sic sicDescription ein category fiscalYearEnd stateOfIncorporation addresses phone formerNames'
        .split(' ')
        .map((name) => [name, field(body, name) ?? null] as const)
    return verdict({ source: 'SEC EDGAR', result: Object.fromEntries(facts) })
  },
  [
    ({ body }, { ticker, cik, company, company_name: name }) => {
      const [found] = matchCompanies(
        referenceRows(body).filter((row) => isCompany(row)),
        asText(ticker ?? cik ?? company ?? name),
      )
      if (found === undefined)
        throw new AppError(
          'upstream_not_found',
          'The SEC lists no such company. Nothing was charged.',
        )
      return {
        ...get(`/submissions/CIK${String(found.cik_str).padStart(10, '0')}.json`),
        origin: 'data',
      }
    },
  ],
)

/** The body is a list of one company, or the company itself. */
export function bankruptcy({ body }: Reply): Outcome {
  const listed = field(field(body, '_embedded'), 'enheter')
  const company: unknown = Array.isArray(listed) ? listed[0] : body
  const state = field(company, 'konkurs')
  if (typeof state !== 'boolean')
    return failed('no_results', 'The public register has no such company. Nothing was charged.')
  return verdict({
    bankrupt: state,
    org_number: field(company, 'organisasjonsnummer') ?? null,
    name: field(company, 'navn') ?? null,
    winding_up: field(company, 'underAvvikling') ?? null,
    source: 'Brønnøysundregistrene',
  })
}
