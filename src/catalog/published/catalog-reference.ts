/** /docs/reference/catalog and /docs/reference/actions: every action with price, billing rule and parameters. */
import type { Steps } from '../../lib/background/sliced.ts'
import { keptFields } from '../vocabulary/text-rest.ts'
import { canBeJob, type Action, type Service } from '../vocabulary/define.ts'
import { answerSchema } from './answer-schema.ts'
import { billingSentences } from './billing-block.ts'
import { exampleNeedsSentences } from './example-needs.ts'
import type { JsonSchema } from './json-schema.ts'
import { listFields, listParams, type ParamLine } from './param-lines.ts'
import { amountText, endpointAmount, priceText } from './price-block.ts'
import { requiredEndpointParams, requiredText } from './required-params.ts'

/** The Markdown of the overview: a table of actions per service. */
export function* catalogReference(services: readonly Service[]): Steps<string> {
  const parts = [HEAD]
  for (const service of services) {
    parts.push(overview(service))
    yield
  }
  return `${parts.join('\n\n')}\n`
}

/** These pages are of the version. Those of the catalog are of the gateway. */
const PRICE_NOTE =
  'An operator may set other prices: the descriptor, `GET /api/run/{service}/{action}`, has the price of this gateway.'

const HEAD = `# Actions

Every built-in action with its list price. ${PRICE_NOTE}

Call an action with \`POST /api/run/{service}/{action}\`. Every action also accepts \`max_cost_cents\`, the most that the call may cost. Actions that return text of third parties accept \`max_chars\`, the most characters of the answer; the rest becomes a file, linked in \`truncated\`.`

function overview({ id, title, actions }: Service): string {
  const rows = Object.entries(actions).map(
    ([name, action]) =>
      `| [\`${id}/${name}\`](actions/${id}.md#${anchor(id, name)}) | ${cell(action.summary)} | ${cell(priceText(action))} |`,
  )
  return `## ${id}: ${title}\n\n${['| Action | What you get | Price |', '|---|---|---|', ...rows].join('\n')}`
}

/** The title of the page of a service. */
export function serviceTitle({ id, title }: Service): string {
  return `${id}: ${title}`
}

/** The Markdown of the page of a service, /docs/reference/actions/{service}. */
export function* serviceReference(service: Service): Steps<string> {
  const parts = [
    `# ${serviceTitle(service)}`,
    `Category: ${service.category}. Prices are list prices. ${PRICE_NOTE}`,
  ]
  for (const [name, action] of Object.entries(service.actions)) {
    parts.push(actionSection(service, name, action))
    yield
  }
  return `${parts.join('\n\n')}\n`
}

function actionSection(service: Service, name: string, action: Action): string {
  return [
    `## ${service.id}/${name}`,
    action.summary,
    ...(action.description === undefined || action.description === action.summary
      ? []
      : [action.description]),
    billingSentences(action).join(' '),
    ...(keptFields(action.fileFields).length === 0
      ? []
      : [
          `Stored among the account's files: ${keptFields(action.fileFields)
            .map(({ field }) => `\`${field}\``)
            .join(', ')} of \`data\`.`,
        ]),
    action.kind === 'endpoint' ? endpointTable(action) : paramTable(listParams(action)),
    ...fieldTable(answerSchema(service, name), canBeJob(action)),
    `Example:\n\n\`\`\`json\n${JSON.stringify(action.example, null, 2)}\n\`\`\``,
    ...exampleNeedsSentences(action),
  ].join('\n\n')
}

function paramTable(lines: readonly ParamLine[]): string {
  if (lines.length === 0) return 'No parameters.'
  const rows = lines.map(
    ({ name, type, required, description, limits }) =>
      `| \`${name}\` | ${cell(type)} | ${required} | ${cell([description, limits].filter(Boolean).join(' '))} |`,
  )
  return ['| Parameter | Type | Required | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function fieldTable(schema: JsonSchema | undefined, isJob: boolean): string[] {
  if (schema === undefined) return []
  const rows = listFields(schema).map(
    ({ name, type, required, description }) =>
      `| \`${name}\` | ${cell(type)} | ${required === 'yes' ? 'yes' : 'no'} | ${cell(description)} |`,
  )
  const whole = isJob ? '`result` in core/result' : '`data`'
  return [
    [`| Field of ${whole} | Type | Always | Meaning |`, '|---|---|---|---|', ...rows].join('\n'),
  ]
}

function endpointTable(action: Extract<Action, { kind: 'endpoint' }>): string {
  const rows = action.endpoints.map(
    (entry) =>
      `| \`${entry.endpoint}\` | ${cell(entry.summary)} | ${amountText(endpointAmount(action, entry))} | ${requiredText(requiredEndpointParams(entry))} |`,
  )
  return ['| Endpoint | What you get | Price | Required |', '|---|---|---|---|', ...rows].join('\n')
}

function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
}

/** The anchor that Markdown renderers create for "## service/name". */
function anchor(service: string, name: string): string {
  return `${service}${name}`.toLowerCase()
}
