import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Screencast } from '../view/screencast.ts'
import { recordSession, type Recorder, type SessionRecording } from './record-session.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-recording-'))
cleanUp(() => rmSync(folder, { recursive: true }))

let written: string[]
let stored: (string | null)[]
let errors: unknown[]
let show: (text: string) => void
let followers: number
let end: () => void
let recording: SessionRecording
let isStopped: boolean

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done))
}
const pass = async (seconds: number): Promise<void> => {
  for (let tick = 0; tick < seconds * 5; tick += 1) {
    mock.timers.tick(200)
    await settle()
  }
}

function start(more: Partial<Recorder> = {}): void {
  const screencast: Screencast = {
    follow(onFrame) {
      followers += 1
      show = (text) => onFrame(Buffer.from(text))
      return () => (followers -= 1)
    },
    latest: () => null,
    page: async () => null,
  }
  const recorder: Recorder = {
    folder,
    async startEncoder(path) {
      writeFileSync(path, 'video')
      return {
        async write(jpeg, count) {
          for (let frame = 0; frame < count; frame += 1) written.push(String(jpeg))
        },
        finish: async () => undefined,
        stop: () => void (isStopped = true),
      }
    },
    async store(_session, path) {
      stored.push(path)
    },
    onError: (error) => errors.push(error),
    ...more,
  }
  const ended = new Promise<void>((resolve) => (end = resolve))
  recording = recordSession(recorder, { session: 'ses_1', screencast, ended })
}

const path = join(folder, 'ses_1', 'video.mp4')
const countOf = (text: string): number => written.filter((one) => one === text).length

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  written = []
  stored = []
  errors = []
  followers = 0
  isStopped = false
})
afterEach(() => mock.timers.reset())

describe('the recording of a session', () => {
  it('has five frames a second, is stored at the end and leaves no file', async () => {
    start()
    await pass(1)
    show('a')
    await pass(2)
    show('b')
    await pass(1)
    assert.deepEqual([countOf('a'), countOf('b')], [10, 5])
    end()
    await recording.saved
    assert.deepEqual([stored, errors, followers, isStopped], [[path], [], 0, true])
    assert.equal(existsSync(path), false)
    await pass(1)
    assert.equal(written.length, 15)
  })

  it('shows a part without changes for ten seconds', async () => {
    start()
    show('a')
    await pass(60)
    assert.equal(countOf('a'), 50)
    show('b')
    await pass(1)
    assert.equal(countOf('b'), 5)
  })

  it('skips frames of a slow encoder instead of storing them', async () => {
    let release: () => void = () => undefined
    const counts: number[] = []
    start({
      startEncoder: async () => ({
        write: (_jpeg, count) => {
          counts.push(count)
          return new Promise<void>((done) => (release = done))
        },
        finish: async () => undefined,
        stop: () => undefined,
      }),
    })
    for (let at = 0; at < 100; at += 1) {
      show(`frame ${at}`)
      await pass(0.2)
    }
    release()
    await settle()
    await pass(0.2)
    assert.deepEqual(counts, [1, 25])
  })

  it('ends at the size limit of the encoder, and is stored', async () => {
    let frames = 0
    start({
      startEncoder: async (name) => {
        writeFileSync(name, 'video')
        return {
          write: async () => {
            frames += 1
            if (frames > 3) throw new AppError('internal')
          },
          finish: async () => undefined,
          stop: () => undefined,
        }
      },
    })
    show('a')
    await pass(5)
    assert.equal(frames, 4)
    end()
    await recording.saved
    assert.deepEqual([stored, errors], [[path], []])
  })

  it('fails without an image, an encoder, a valid video or storage, and leaves no file', async () => {
    start()
    end()
    await recording.saved
    assert.deepEqual([stored, errors], [[null], []])
    const failure = new AppError('internal', 'broken')
    const broken = { write: async () => undefined, stop: () => undefined }
    for (const more of [
      { startEncoder: () => Promise.reject(failure) },
      { startEncoder: async () => ({ ...broken, finish: () => Promise.reject(failure) }) },
      {
        store: () => {
          writeFileSync(path, 'video')
          return Promise.reject(failure)
        },
      },
    ]) {
      stored = []
      errors = []
      start(more)
      show('a')
      await pass(1)
      end()
      await recording.saved
      assert.deepEqual(errors, [failure])
      assert.deepEqual(stored, 'store' in more ? [] : [null])
      assert.equal(existsSync(path), false)
    }
  })

  it('shows its encoder no video of another session, and leaves no folder', async () => {
    writeFileSync(join(folder, 'ses_2.mp4'), 'video of another account')
    start()
    show('a')
    await pass(1)
    assert.deepEqual(readdirSync(dirname(path)), [basename(path)])
    end()
    await recording.saved
    assert.deepEqual(readdirSync(folder), ['ses_2.mp4'])
    rmSync(join(folder, 'ses_2.mp4'))
  })

  it('kills an encoder that no longer takes frames, a minute after the end', async () => {
    start({
      startEncoder: async () => {
        let fail: (error: Error) => void = () => undefined
        return {
          write: () => new Promise<void>((_, reject) => (fail = reject)),
          finish: () => Promise.reject(new AppError('internal')),
          stop: () => {
            isStopped = true
            fail(new AppError('internal'))
          },
        }
      },
    })
    show('a')
    await pass(1)
    end()
    await settle()
    mock.timers.tick(60_000)
    await settle()
    assert.equal(isStopped, true)
    await recording.saved
    assert.deepEqual(stored, [null])
  })

  it('kills an encoder that does not finish within a minute', async () => {
    let isKilled = false
    start({
      startEncoder: async () => {
        let fail: (error: Error) => void = () => undefined
        return {
          write: async () => undefined,
          finish: () => new Promise<void>((_, reject) => (fail = reject)),
          stop: () => {
            isKilled = true
            fail(new AppError('internal'))
          },
        }
      },
    })
    show('a')
    await pass(1)
    end()
    await settle()
    mock.timers.tick(59_999)
    assert.equal(isKilled, false)
    mock.timers.tick(1)
    await recording.saved
    assert.deepEqual([isKilled, stored], [true, [null]])
  })
})
