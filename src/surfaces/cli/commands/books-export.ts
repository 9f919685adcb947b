import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportBooks } from '../../../history/export-transactions.ts'
import { StartError } from '../../../errors/start-error.ts'
import type { Command } from '../command.ts'
import { readChoice, readMoment, requirePeriod } from '../read-value.ts'

export const booksExport: Command = {
  name: 'books export',
  summary: 'write the history of all accounts to a new CSV file',
  flags: {
    file: { value: '<path>', about: 'target file; must not exist yet', required: true },
    from: { value: '<when>', about: 'start: a date or an RFC 3339 time' },
    until: { value: '<when>', about: 'end (exclusive)' },
    mode: { value: '<mode>', about: 'live or test; default: live' },
  },
  example: './tollgate books export --from 2027-01-01 --until 2027-02-01 --file january.csv',
  async run({ flags }, tools) {
    const { from, until, file: path = '' } = flags
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const filter = {
      ...(from === undefined ? {} : { fromMs: readMoment('from', from, tools.now()).getTime() }),
      ...(until === undefined ? {} : { toMs: readMoment('until', until, tools.now()).getTime() }),
    }
    requirePeriod({ fromMs: filter.fromMs ?? 0, untilMs: filter.toMs ?? Infinity })
    const database = await tools.database()
    try {
      // Only the operator may read the amounts of all accounts.
      const file = (await open(path, 'wx', 0o600)).createWriteStream()
      await pipeline(Readable.from(exportBooks(database, { mode, filter })), file)
      return {
        data: { file: path, bytes: file.bytesWritten },
        text: `Wrote ${file.bytesWritten} bytes to ${path}.`,
      }
    } catch (error) {
      const { syscall, code, message } = error as NodeJS.ErrnoException
      if (syscall !== 'open' && syscall !== 'write') throw error
      if (code === 'EEXIST')
        throw new StartError(`${path} already exists. Choose another file.`, { cause: error })
      throw new StartError(`Could not write the file: ${message}.`, { cause: error })
    }
  },
}
