import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { cleanFilename, mimeOf } from './filename.ts'

test('cleans any name to 1 to 255 characters that are safe for paths, headers and the database', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const clean = cleanFilename(name)
      assert.ok(clean.isWellFormed() && [...clean].length >= 1 && [...clean].length <= 255)
      assert.doesNotMatch(clean, /[/\\\p{Cc}]/u)
      assert.equal(cleanFilename(clean), clean)
    }),
    { numRuns: 300 },
  )
  assert.deepEqual(
    ['../../etc/passwd', 'a\r\nb', '  ', 'Bericht Ärzte.pdf', 'x\ud800'].map(cleanFilename),
    ['.._.._etc_passwd', 'a__b', 'file', 'Bericht Ärzte.pdf', 'x\ufffd'],
  )
})

test('returns application/octet-stream for a name without a known extension', () => {
  assert.deepEqual(['a.PNG', 'a.tar.gz', 'a', 'a.constructor', '.png', 'a.exe'].map(mimeOf), [
    'image/png',
    'application/gzip',
    'application/octet-stream',
    'application/octet-stream',
    'image/png',
    'application/octet-stream',
  ])
})
