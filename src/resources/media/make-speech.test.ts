import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { speechArguments } from './make-speech.ts'

describe('arguments of espeak-ng', () => {
  it('name the language, the variant and the speed, and read the text from a file', () => {
    assert.deepEqual(speechArguments({ language: 'pt-BR', voice: 'f2', speed: 2 }), [
      '-b',
      '1',
      '-v',
      'pt-br+f2',
      '-s',
      '350',
      '-w',
      'speech',
      '-f',
      'text.txt',
    ])
  })

  it('never contain options or paths of a caller', () => {
    for (const language of [
      '-f/etc/passwd',
      'en -f /etc/passwd',
      '../en',
      'mb/mb-en1',
      '',
      'en+f2',
    ])
      assert.throws(() => speechArguments({ language, speed: 1 }), refusedWith('invalid_params'))
    for (const voice of ['-f', '../x', 'f2 -w x', ''])
      assert.throws(
        () => speechArguments({ language: 'en', voice, speed: 1 }),
        refusedWith('invalid_params'),
      )
  })
})
