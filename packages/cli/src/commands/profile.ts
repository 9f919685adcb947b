import type { Command } from '../command.ts'
import { maskKey, readProfiles, writeProfiles, type Profiles } from '../connect/profiles.ts'
import { suggest } from '../../../../src/catalog/validate/suggest.ts'
import { table } from '../output/table.ts'
import { UsageError } from '../usage-error.ts'
import { widthFor } from '../terminal.ts'

const operand = { value: '<name>', about: 'the name of a profile' } as const

export const profileList: Command = {
  name: 'profile list',
  summary: 'list the stored gateways; keys are shortened',
  flags: {},
  example: 'profile list',
  async run(_, { terminal }) {
    const { current, profiles } = readProfiles(terminal.environment)
    const all = Object.entries(profiles).map(([name, { url, key, test_key: testKey }]) => ({
      name,
      url,
      key: maskKey(key),
      test_key: testKey === undefined ? null : maskKey(testKey),
      is_current: name === current,
    }))
    const rows = all.map((one) => [
      one.is_current ? '*' : '',
      one.name,
      one.url,
      one.key,
      one.test_key ?? '',
    ])
    return {
      data: all,
      text:
        rows.length === 0
          ? `No profiles. "${terminal.program} login" creates one.`
          : table(['', 'name', 'gateway', 'key', 'test key'], rows, widthFor(terminal)),
    }
  },
}

export const profileUse: Command = {
  name: 'profile use',
  summary: 'select the profile of further commands',
  operand,
  flags: {},
  example: 'profile use work',
  async run({ operands }, { terminal }) {
    const stored = readProfiles(terminal.environment)
    const name = requireName(operands[0] ?? '', stored)
    writeProfiles(terminal.environment, { ...stored, current: name })
    return {
      data: { current: name },
      text: `Commands use ${name} (${stored.profiles[name]?.url ?? ''}).`,
    }
  },
}

export const profileRemove: Command = {
  name: 'profile remove',
  summary: 'remove a stored gateway and its key from this machine',
  operand,
  flags: {},
  example: 'profile remove work',
  async run({ operands }, { terminal }) {
    const stored = readProfiles(terminal.environment)
    const name = requireName(operands[0] ?? '', stored)
    const profiles = Object.fromEntries(
      Object.entries(stored.profiles).filter(([other]) => other !== name),
    )
    writeProfiles(terminal.environment, {
      current: stored.current === name ? null : stored.current,
      profiles,
    })
    return {
      data: { removed: name },
      text: `Removed ${name}. Its key stays valid; "keys revoke" ends a key.`,
    }
  },
}

function requireName(name: string, { profiles }: Profiles): string {
  if (Object.hasOwn(profiles, name)) return name
  const near = suggest(name, Object.keys(profiles), 1)[0]
  throw new UsageError(
    `There is no profile "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    '"profile list" lists them.',
  )
}
