/** `npx node tools/finding/count.ts`: prints how many intents each action has in `bench/finding/train` and `test`. */
import { join } from 'node:path'
import { countIntents, LEAST_INTENTS } from '../../bench/finding/count-intents.ts'
import { readIntents } from '../../bench/finding/read-intents.ts'
import { services } from '../../src/vendors/index.ts'

const FOLDER = join(import.meta.dirname, '../../bench/finding')
const counts = countIntents(
  services,
  readIntents(join(FOLDER, 'train')),
  readIntents(join(FOLDER, 'test')),
)
const few = counts.filter(({ train, test }) => train + test < LEAST_INTENTS)
const lines = counts.map(({ action, train, test }) => `| ${action} | ${train} | ${test} |`)
process.stdout.write(
  `| Action | Training intents | Further test intents |\n|---|---|---|\n${lines.join('\n')}\n\n`,
)
process.stdout.write(
  `${few.length} of ${counts.length} actions have fewer than ${LEAST_INTENTS} intents.\n`,
)
