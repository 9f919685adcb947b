import { isBelow, isTest, type Rule } from './source.ts'

/** Programs that hand the environment to the settings. */
const ENTRY_POINTS = [
  'src/app/processes/both.ts',
  'src/app/processes/serve.ts',
  'src/app/processes/work.ts',
  'src/surfaces/cli/main.ts',
]
/** Passes PATH to the processes of PostgreSQL, and reads no setting. */
const SERVER = 'src/db/postgres-server.ts'

/** Only settings read `process.env`, so that every variable is checked and documented. */
export const environment: Rule = {
  name: 'environment',
  find: (files) =>
    files
      .filter(({ name }) => isBelow(name, 'src') && !isBelow(name, 'src/app/settings'))
      .filter(({ name }) => !isTest(name) && ![...ENTRY_POINTS, SERVER].includes(name))
      .flatMap(({ name, uses, imports }) => [
        ...uses
          .filter((use) => use.name === 'process.env')
          .map((use) => `${name}:${use.line}: process.env`),
        ...imports
          .filter(
            ({ target, names }) =>
              target === 'node:process' && names.some((one) => one.name === 'env'),
          )
          .map(({ line }) => `${name}:${line}: env of node:process`),
      ]),
}
