import { resolve } from 'node:path'
import { announce, EMPTIED } from '../../../../app/wiring/own/own-catalog.ts'
import { readOwn, type Own } from '../../../../app/wiring/own/read-own.ts'
import type { Service } from '../../../../catalog/vocabulary/define.ts'
import { tryAnswers, type Trial } from '../../../../catalog/own/random-answers.ts'
import { seededRandom } from '../../../../lib/seeded-random.ts'
import { faultText } from '../../../../catalog/own/read-folder.ts'
import { createValidator } from '../../../../catalog/validate/validate.ts'
import { priceText } from '../../../../catalog/published/price-block.ts'
import { credentialsOf, settingsOf } from '../../../../catalog/vocabulary/wire.ts'
import { UsageError, type Command, type Report, type Tools } from '../../command.ts'
import { columns } from '../../show.ts'

const FOLDER = {
  value: '<folder>',
  about: 'the folder of the files; ACTIONS_DIR by default',
  isOptional: true,
} as const
const REPORTED_ANSWERS = 10_000
/** Also of each action in a large folder. */
const LEAST_ANSWERS = 200

export const actionsCheck: Command = {
  name: 'actions check',
  summary: 'check the files of your own actions; prints each fault with file, line and pointer',
  flags: {
    report: {
      value: '',
      about: `also bill ${REPORTED_ANSWERS} random answers and print those billed wrongly`,
    },
  },
  operand: FOLDER,
  example: './tollgate actions check actions/ --report',
  async run({ operand, flags }, tools) {
    const own = await readOwn(settingsFor(tools, operand))
    if (own.faults.length > 0) return reportFaults(own)
    const counted = { files: own.folder.files.length, actions: namesIn(own).length }
    const text = `No faults: ${counted.files} files, ${counted.actions} actions.`
    if (flags['report'] === undefined) return { data: { ...counted, faults: [] }, text }
    const trials = bill(own)
    const wrong = trials.filter(({ misbilled }) => misbilled.length > 0)
    const answers = trials.reduce((sum, trial) => sum + trial.answers, 0)
    const idle = trials.flatMap(({ name, decided }) =>
      decided.flatMap((count, rule) => (count === 0 ? [`${name}: rule ${rule} decided none`] : [])),
    )
    return {
      data: {
        ...counted,
        faults: [],
        answers,
        misbilled: wrong.map(({ name, misbilled }) => ({
          action: name,
          examples: misbilled.map(shown),
        })),
        idle,
      },
      text: [
        text,
        `${answers} random answers, billed wrongly: ${trials.reduce((sum, { wrong: one }) => sum + one, 0)}.`,
        ...wrong.flatMap(({ name, misbilled }) =>
          misbilled.map((one) => `${name}: ${JSON.stringify(shown(one))}`),
        ),
        ...idle,
      ].join('\n'),
      exitCode: wrong.length === 0 ? 0 : 1,
    }
  },
}

export const actionsList: Command = {
  name: 'actions list',
  summary: 'list your own actions with their prices and settings',
  flags: {},
  operand: FOLDER,
  example: './tollgate actions list',
  async run({ operand }, tools) {
    const own = await readOwn(settingsFor(tools, operand))
    if (own.faults.length > 0) return reportFaults(own)
    const { upstreams } = tools.config()
    const rows = own.folder.files.flatMap(({ service: id, actions }, index) => {
      const service = own.folder.services[index]
      return actions.map((one) => {
        const action = service?.actions[one.action]
        return {
          action: `${id}/${one.action}`,
          price: action === undefined ? '' : priceText(action),
          cost_cents: one.cost?.cents ?? null,
          missing: service === undefined ? [] : missingSettings(service, upstreams),
        }
      })
    })
    return {
      data: { hash: own.hash, actions: rows },
      text: columns(
        ['action', 'price', 'cost', 'missing settings'],
        rows.map(({ action, price, cost_cents: cost, missing }) => [
          action,
          price,
          cost === null ? 'unknown' : `${cost}¢`,
          missing.join(' '),
        ]),
      ),
    }
  },
}

export const actionsReload: Command = {
  name: 'actions reload',
  summary: 'make all running processes use the files as they are now, or none if there is a fault',
  flags: { 'allow-empty': { value: '', about: 'a folder without files removes all own actions' } },
  example: './tollgate actions reload',
  async run({ flags }, tools) {
    const { actionsDir } = tools.config()
    const own = await readOwn(tools.config())
    if (own.faults.length > 0) return reportFaults(own)
    const isEmpty = actionsDir !== null && own.folder.files.length === 0
    if (isEmpty && flags['allow-empty'] === undefined)
      return reportFaults({
        faults: [{ file: actionsDir, line: null, pointer: null, problem: EMPTIED }],
      })
    await announce(await tools.database(), own.hash, tools.now())
    return {
      data: { hash: own.hash, actions: namesIn(own) },
      text: `Announced ${namesIn(own).length} actions (${own.hash.slice(0, 12)}). /readyz of each process and ./tollgate doctor show whether its files are the same.`,
    }
  },
}

/** The settings with the folder of the command line. Throws UsageError without any folder. */
function settingsFor(tools: Tools, operand: string) {
  const settings = tools.config()
  if (operand !== '') return { ...settings, actionsDir: resolve(operand) }
  if (settings.actionsDir === null)
    throw new UsageError('Name a folder, or set ACTIONS_DIR to the folder of your files.')
  return settings
}

function reportFaults({ faults }: Pick<Own, 'faults'>): Report {
  return {
    data: { faults },
    text: faults.map(faultText).join('\n'),
    exitCode: 1,
  }
}

function namesIn({ folder }: Own): string[] {
  return folder.files.flatMap(({ service, actions }) =>
    actions.map(({ action }) => `${service}/${action}`),
  )
}

function bill({ folder }: Own): readonly (Trial & { readonly name: string })[] {
  const all = folder.files.flatMap(({ service, actions }, index) =>
    actions.map((own) => ({ service, own, action: folder.services[index]?.actions[own.action] })),
  )
  const validator = createValidator()
  const count = Math.max(LEAST_ANSWERS, Math.ceil(REPORTED_ANSWERS / Math.max(1, all.length)))
  return all.flatMap(({ service, own, action }, seed) =>
    action?.kind !== 'call'
      ? []
      : [
          {
            name: `${service}/${own.action}`,
            ...tryAnswers(own, action, validator.validate(action.input, own.example), {
              count,
              random: seededRandom(seed),
            }),
          },
        ],
  )
}

function shown({ reply, rule, charged, expected }: Trial['misbilled'][number]) {
  return {
    status: reply.status,
    body: reply.body,
    rule,
    charged_micros: Number(charged),
    expected_micros: Number(expected),
  }
}

function missingSettings(
  { id, vendor }: Service,
  upstreams: ReturnType<Tools['config']>['upstreams'],
): readonly string[] {
  if (vendor === undefined) return []
  const { url = null, credentials = {} } = upstreams.get(id) ?? {}
  if (url !== null) return []
  return credentialsOf(vendor).flatMap((name, index) =>
    credentials[name] === undefined ? [settingsOf(id, vendor)[index] ?? name] : [],
  )
}
