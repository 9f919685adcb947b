/** The process that compiles a caller's JSON Schema and validates one value with it. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { SchemaReport, SchemaTask } from './schema-checker.ts'

const MAX_PROBLEMS = 10

process.once('message', (task) => {
  process.send?.(checkTask(task as SchemaTask))
})

function checkTask({ schema, value }: SchemaTask): SchemaReport {
  // Formats are hints for the model, and dialects differ in details that matter to no extraction.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
  })
  const { $schema: _dialect, ...rest } = schema
  try {
    const check = ajv.compile(rest)
    if (value === undefined || check(value)) return { kind: 'valid' }
    return { kind: 'invalid', problems: (check.errors ?? []).slice(0, MAX_PROBLEMS).map(toText) }
  } catch (error) {
    return { kind: 'bad_schema', reason: error instanceof Error ? error.message : 'unknown' }
  }
}

function toText({ instancePath, message = 'is not valid', params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath
  return `${place} ${message} ${JSON.stringify(params)}`.slice(0, 300)
}
