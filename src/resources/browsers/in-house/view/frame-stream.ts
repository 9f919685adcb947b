import { Readable } from 'node:stream'
import type { Screencast } from './screencast.ts'

const BOUNDARY = 'tollgate-frame-5f2c91'
/** Browsers show such a stream in an img element, without a script. */
export const FRAME_STREAM_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`

const HEAD = `--${BOUNDARY}\r\ncontent-type: image/jpeg\r\n\r\n`
/** Chromium shows a frame after it has read the head of the next part. So parts have no length. */
const AFTER_FRAME = Buffer.from(`\r\n${HEAD}`)

/** Shows a viewer that has vanished, and keeps proxies from closing an idle stream. */
const REPEAT_MS = 10_000

/**
 * The frames for one viewer, until the browser ends. A slow viewer misses frames: the stream has at most
 * one unread frame.
 */
export function createFrameStream(screencast: Screencast, ended: Promise<void>): Readable {
  let isWanted = false
  let isOver = false
  let sent: Buffer | null = null

  function show(jpeg: Buffer | null, isRepeated = false): void {
    if (isOver || !isWanted || jpeg === null || (jpeg === sent && !isRepeated)) return
    sent = jpeg
    isWanted = false
    stream.push(Buffer.concat([jpeg, AFTER_FRAME]))
  }

  const leave = screencast.follow((jpeg) => show(jpeg))
  const timer = setInterval(() => show(screencast.latest(), true), REPEAT_MS).unref()
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      isWanted = true
      show(screencast.latest())
    },
    destroy(error, done) {
      isOver = true
      leave()
      clearInterval(timer)
      done(error)
    },
  })
  stream.push(HEAD)
  void ended.then(() => {
    if (isOver) return
    isOver = true
    stream.push(null)
  })
  return stream
}
