import type { KeyVerdict } from '../../../app/chores/try-vendor-keys.ts'
import { broken, unchecked, type Check } from './check.ts'

const SERVICE = 'service '

/** The checks of lanes, with what the vendors say of the keys that lie behind those that are `ok`. */
export function withVerdicts(
  lanes: readonly Check[],
  verdicts: ReadonlyMap<string, KeyVerdict>,
): Check[] {
  return lanes.map((lane) => {
    const id = lane.name.slice(SERVICE.length)
    const verdict = lane.state === 'ok' ? verdicts.get(id) : undefined
    return verdict === undefined ? lane : withVerdict(lane, id, verdict)
  })
}

function withVerdict({ name, found, ...lane }: Check, id: string, verdict: KeyVerdict): Check {
  switch (verdict.kind) {
    case 'accepted':
      return { name, ...lane, found: `${found}; the vendor accepts the key` }
    case 'no-free-request':
      return unchecked(name, `${found}; key not checked: the vendor has no free request for it`)
    case 'unclear':
      return unchecked(name, `${found}; key not checked: the vendor answers ${verdict.status}`)
    case 'refused':
      return broken(
        name,
        `${found}; the vendor refuses the key (${verdict.status}): live calls fail`,
        `Set UPSTREAM_${id.toUpperCase().replaceAll('-', '_')}_… to a key in use.`,
      )
    case 'unpaid':
      return broken(
        name,
        `${found}; the vendor wants payment (${verdict.status})`,
        'Add credit at the vendor.',
      )
    case 'unreachable':
      return broken(
        name,
        `${found}; not reachable${verdict.status === null ? '' : `: it answers ${verdict.status}`}`,
        `See that this machine reaches ${verdict.origin}, then run the command again.`,
      )
  }
}
