/** From Icypeas' API documentation. */
import { uncheckedField } from '../../catalog/answers/unchecked.ts'
import {
  answer,
  anything,
  count,
  flag,
  items,
  maybe,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const STATES = [
  'NONE',
  'SCHEDULED',
  'IN_PROGRESS',
  'FOUND',
  'DEBITED',
  'NOT_FOUND',
  'DEBITED_NOT_FOUND',
  'BAD_INPUT',
  'INSUFFICIENT_FUNDS',
  'ABORTED',
]
const success = flag('Whether the vendor accepted the request.')
const state = oneOf(
  'The state of the search. NONE, SCHEDULED and IN_PROGRESS are running; all others are final.',
  STATES,
)
const started = answer({
  ...uncheckedField,
  success,
  item: record('The search that was started.', {
    _id: text('The id of the search, for emailasync/result.'),
    status: maybe(state),
  }),
})

export const returns: Returns = {
  'email-search': started,
  'email-verification': started,
  'domain-scan': started,
  result: answer({
    success,
    total: maybe(count('The number of searches.', 'searches')),
    sorts: maybe(items('Positions for further pages at the vendor.', anything('A position.'))),
    items: maybe(
      records('The searches.', {
        _id: text('The id of the search.'),
        name: maybe(text("The vendor's name of the search.")),
        status: maybe(state),
        order: maybe(count('The place in the list, from 0.')),
        results: maybe(
          record('The result. Empty while the search runs.', {
            firstname: maybe(text('The first name.')),
            lastname: maybe(text('The last name.')),
            fullname: maybe(text('The full name.')),
            gender: maybe(text('The gender, as the vendor infers it from the name.')),
            emails: maybe(
              records('The addresses, surest first.', {
                email: maybe(text('The address.')),
                certainty: maybe(
                  oneOf('How sure the address is.', [
                    'ultra_sure',
                    'very_sure',
                    'sure',
                    'probable',
                    'undeliverable',
                  ]),
                ),
                mxProvider: maybe(text('The operator of the email server, such as "google".')),
                mxRecords: maybe(words('The email servers.')),
              }),
            ),
            phones: maybe(items('Phone numbers.', anything('A number.'))),
            saasServices: maybe(items('Services that the domain uses.', anything('A service.'))),
          }),
        ),
        userData: maybe(
          record('Labels of the search at the vendor.', {
            webhookUrl: maybe(text('Empty, because callers poll the gateway.')),
            externalId: maybe(text('An id of the search.')),
          }),
        ),
        system: maybe(
          record('Times of the search.', {
            createdAt: maybe(time('When the search was started.')),
            modifiedAt: maybe(time('When the state last changed.')),
          }),
        ),
      }),
    ),
  }),
}
