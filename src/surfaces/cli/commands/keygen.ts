import { newSecret } from '../../../keys/format.ts'
import type { Command } from '../command.ts'
import { readChoice } from '../read-value.ts'

export const keygen: Command = {
  name: 'keygen',
  summary: 'make a well-formed secret, for TOLLGATE_OWNER_KEY; nothing is stored',
  flags: { mode: { value: '<mode>', about: 'live or test; live when left out' } },
  example: 'TOLLGATE_OWNER_KEY=$(./tollgate keygen) npm start',
  async run({ flags }) {
    const key = newSecret(readChoice('mode', flags['mode'], ['live', 'test'], 'live'))
    return { data: { key }, text: key }
  },
}
