import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCatalog } from './catalog.ts'

// Field names are allowed. Internal terms are not.
const JARGON = /\b(upstream|lane|rung|hop|payload|inference|schema)\b(?![._])/i

for (const [code, { title, fix }] of Object.entries(errorCatalog)) {
  test(`${code} explains the error and its fix without internal terms`, () => {
    const words = `${title} ${fix}`.replaceAll(/details\.[a-z_.]+/g, '')
    assert.doesNotMatch(words, JARGON)
    assert.match(title, /^[A-Zo].*[^.]$/)
    assert.match(fix, /^[A-Z].*\.$|^details\..*\.$|^GET .*\.$/)
  })
}
