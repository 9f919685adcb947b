/**
 * Loaded into a gateway process before anything else (`node --import`): its resolver then knows names that lead to private
 * addresses, some of them only at the second look-up.
 */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

type Resolved = { readonly address: string; readonly family: number }
const v4 = (address: string): Resolved => ({ address, family: 4 })
const v6 = (address: string): Resolved => ({ address, family: 6 })
const PUBLIC = v4('93.184.215.14')

const ANSWERS: Readonly<Record<string, readonly (readonly Resolved[])[]>> = {
  canary: [[v4('127.0.0.1')]],
  'one-of-two': [[PUBLIC, v4('127.0.0.1')]],
  mapped: [[v6('::ffff:127.0.0.1')]],
  six: [[v6('::1')]],
  rebinding: [[PUBLIC], [v4('127.0.0.1')]],
  ten: [[v4('10.0.0.5')]],
  metadata: [[v4('169.254.169.254')]],
  wire: [[v4('168.63.129.16')]],
  'unique-local': [[v6('fd00::5')]],
}
const asked = new Map<string, number>()
const lookUp = dns.lookup

Object.assign(dns, {
  async lookup(name: string, options: object): Promise<unknown> {
    const label = /^([\w-]+)\.example-egress\.com\.?$/i.exec(name)?.[1]?.toLowerCase()
    const answers = label === undefined ? undefined : ANSWERS[label]
    if (label === undefined || answers === undefined) return lookUp(name, options)
    const time = asked.get(label) ?? 0
    asked.set(label, time + 1)
    return answers[Math.min(time, answers.length - 1)]
  },
})
syncBuiltinESMExports()
