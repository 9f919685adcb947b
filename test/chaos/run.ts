// The long form of the kill test. Run: npx node test/chaos/run.ts --kills 500 [--database-kills 20]
import { parseArgs } from 'node:util'
import { killAndCompare } from './kill.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    'database-kills': { type: 'string', default: '20' },
  },
})
const from = performance.now()
const { kills, databaseKills, calls, swept, lost, heldAfterwards, broken, findings } =
  await killAndCompare(Number(values.kills), Number(values['database-kills']))
process.stdout
  .write(`${kills} processes and ${databaseKills} databases killed in ${((performance.now() - from) / 1000).toFixed(0)} s
${calls.asked} calls asked for, ${calls.held} holds and ${calls.ended} ends acknowledged; ${lost} holds went with PostgreSQL before their answers, the last sweep gave back ${swept}, ${heldAfterwards} µ$ stayed held
${broken.length} promises broken, ${findings.length} findings in the books
${[...broken.slice(0, 20), ...findings.map((finding) => JSON.stringify(finding))].map((line) => `${line}\n`).join('')}`)
process.exitCode = broken.length + findings.length === 0 && heldAfterwards === 0n ? 0 : 1
