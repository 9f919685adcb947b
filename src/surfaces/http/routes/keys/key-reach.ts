/** Which actions a key can call: the catalog against the patterns of the key and of the keys above it. */
import type { Catalog } from '../../../../catalog/index.ts'
import { requireAllowed } from '../../../../keys/policy/require-allowed.ts'
import { compilePolicy } from '../../../../keys/policy/key-policy.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { html, type Html } from '../../html/html.ts'
import { countText } from '../account/account-components.ts'

type Patterns = Pick<KeyRecord, 'id' | 'allow' | 'deny'>

/** The names `service/action` of all actions, in alphabetical order. */
export function namesOfActions({ allActions }: Pick<Catalog, 'allActions'>): readonly string[] {
  return allActions()
    .map(({ service, name }) => `${service.id}/${name}`)
    .toSorted()
}

/** The names that the patterns of all these keys allow. */
function reachOf(keys: readonly Patterns[], names: readonly string[]): readonly string[] {
  const policies = keys.flatMap(({ id, allow, deny }) => {
    const keyId = parsePublicId('key', id)
    const stored = { allow, deny, max_call_micros: null, rate_limit: null, allowed_ips: null }
    return (keyId === null ? null : compilePolicy(keyId, stored)) ?? []
  })
  return names.filter((name) => {
    const slash = name.indexOf('/')
    try {
      requireAllowed({ policies }, name.slice(0, slash), name.slice(slash + 1))
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'action_not_allowed') return false
      throw error
    }
  })
}

const NAMES_SHOWN = 60

export type Reach = {
  /** The keys above, the topmost first. */
  readonly above: readonly Patterns[]
  /** Null: a new key without patterns. */
  readonly key: Patterns | null
  /** The names of all actions. */
  readonly names: readonly string[]
}

/** The actions that the key can call. The island follows the fields of the patterns. */
export function reachSummary({ above, key, names }: Reach): Html {
  const inherited = reachOf(above, names)
  const reached = key === null ? inherited : reachOf([key], inherited)
  const all = reached.length === names.length
  const words = all
    ? `Can call all ${countText(names.length)} actions`
    : `Can call ${countText(reached.length)} of ${countText(names.length)} actions`
  const further = reached.length - NAMES_SHOWN
  return html`<details class="reach" data-reach${inherited.length < names.length && html` data-above="${inherited.join(' ')}"`}><summary>${words}</summary>
<ul class="reach-names">${reached.slice(0, NAMES_SHOWN).map((name) => html`<li><code>${name}</code></li>`)}${further > 0 && html`<li>and ${countText(further)} more</li>`}</ul></details>
${actionNames(names)}`
}

/** The names for the island, which completes patterns while you type. */
function actionNames(names: readonly string[]): Html {
  return html`<datalist id="action-names">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`
}
