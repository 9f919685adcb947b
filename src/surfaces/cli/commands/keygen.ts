import { newSecret } from '../../../keys/format.ts'
import type { Command } from '../command.ts'
import { readChoice } from '../read-value.ts'

export const keygen: Command = {
  name: 'keygen',
  summary: 'generate a secret for TOLLGATE_OWNER_KEY without storing it',
  flags: { mode: { value: '<mode>', about: 'live or test; default: live' } },
  example: 'TOLLGATE_OWNER_KEY=$(./tollgate keygen) npm start',
  async run({ flags }) {
    const key = newSecret(readChoice('mode', flags['mode'], ['live', 'test'], 'live'))
    return { data: { key }, text: key }
  },
}
