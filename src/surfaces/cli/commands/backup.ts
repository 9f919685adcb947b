import { resolve } from 'node:path'
import { backUp } from '../../../app/chores/back-up.ts'
import type { Command } from '../command.ts'

export const backup: Command = {
  name: 'backup',
  summary:
    'copy the built-in database and the files to a new folder while everything runs; it can serve as DATA_DIR',
  flags: { to: { value: '<folder>', about: 'where to; must not exist yet', required: true } },
  example: './tollgate backup --to /backups/tollgate-2027-01-31',
  async run({ flags }, tools) {
    const target = resolve(flags['to'] ?? '')
    await backUp(tools.config(), await tools.database(), target)
    return {
      data: { folder: target },
      text: `Copied to ${target}. Try it on a copy of the copy: DATA_DIR=… ./tollgate verify-ledger`,
    }
  },
}
