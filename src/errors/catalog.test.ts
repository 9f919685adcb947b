import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCatalog } from './catalog.ts'

// Names of fields may stand in a text; our own words for the works behind the gateway may not.
const JARGON = /\b(upstream|lane|rung|hop|payload|inference|schema)\b(?![._])/i

for (const [code, { title, fix }] of Object.entries(errorCatalog)) {
  test(`${code} tells a newcomer what happened and what to do, in sentences without our jargon`, () => {
    const words = `${title} ${fix}`.replaceAll(/details\.[a-z_.]+/g, '')
    assert.doesNotMatch(words, JARGON)
    assert.match(title, /^[A-Zo].*[^.]$/)
    assert.match(fix, /^[A-Z].*\.$|^details\..*\.$|^GET .*\.$/)
  })
}
