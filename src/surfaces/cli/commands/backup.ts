import { resolve } from 'node:path'
import { backUp } from '../../../app/chores/back-up.ts'
import { recordChange } from '../../../db/record-change.ts'
import type { Command } from '../command.ts'

export const backup: Command = {
  name: 'backup',
  summary:
    'copy the built-in database and the files to a new folder, without a stop; the copy can serve as DATA_DIR',
  flags: { to: { value: '<folder>', about: 'target folder; must not exist yet', required: true } },
  example: './tollgate backup --to /backups/tollgate-2027-01-31',
  async run({ flags }, tools) {
    const target = resolve(flags['to'] ?? '')
    const database = await tools.database()
    await backUp(tools.config(), database, target)
    // The operator console shows when the last backup was made.
    await recordChange(database, {
      accountId: null,
      subject: 'backup',
      subjectId: target,
      what: 'created',
    })
    return {
      data: { folder: target },
      text: `Copied to ${target}. To test the backup, copy it and run: DATA_DIR=<copy> ./tollgate verify-ledger`,
    }
  },
}
