import { isBelow, isTest, type Rule, type SourceFile } from './source.ts'

/** The files that hold money, and that settle or release it. */
const MAY_CALL = [
  'src/calls/charge.ts',
  'src/jobs/submit.ts',
  'src/jobs/finish.ts',
  'src/resources/sessions/books.ts',
]
const METHOD = /(?:^|\.)#?ledger\.(?:hold|resolve|enlarge)$/
/** The same steps as part of a larger transaction. */
const FUNCTIONS = ['holdWithin', 'resolveWithin', 'resolveFromBought']

/** Only few files hold and resolve, so that billing is read in one place. */
export const ledgerCalls: Rule = {
  name: 'ledger calls',
  find: (files) =>
    files
      .filter(({ name }) => isBelow(name, 'src') && !isBelow(name, 'src/ledger'))
      .filter(({ name }) => !isTest(name) && !MAY_CALL.includes(name))
      .flatMap((file) => [...methodsIn(file), ...functionsIn(file)]),
}

function methodsIn({ name, uses }: SourceFile): readonly string[] {
  return uses
    .filter((use) => use.kind === 'member' && METHOD.test(use.name))
    .map((use) => `${name}:${use.line}: ${use.name}`)
}

function functionsIn({ name, imports }: SourceFile): readonly string[] {
  return imports
    .filter(({ target }) => isBelow(target, 'src/ledger'))
    .flatMap(({ names, line }) =>
      names
        .filter((imported) => FUNCTIONS.includes(imported.name))
        .map((imported) => `${name}:${line}: imports ${imported.name}`),
    )
}
