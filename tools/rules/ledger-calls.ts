import { isTest, type Rule } from './source.ts'

/** Where money is held and released or settled. */
const MAY_CALL = [
  'src/calls/charge.ts',
  'src/calls/jobs/submit.ts',
  'src/calls/jobs/finish.ts',
  'src/resources/sessions/books.ts',
  'src/resources/browsers/books.ts',
]

/** `ledger.hold` and `ledger.resolve` are used in few files, so that billing is read in one place. */
export const ledgerCalls: Rule = {
  name: 'ledger calls',
  find: (files) =>
    files
      .filter(({ name }) => !isTest(name) && !MAY_CALL.includes(name))
      .flatMap(({ name, uses }) =>
        uses
          .filter(
            (use) => use.kind === 'member' && /(?:^|\.)#?ledger\.(?:hold|resolve)$/.test(use.name),
          )
          .map((use) => `${name}:${use.line}: ${use.name}`),
      ),
}
