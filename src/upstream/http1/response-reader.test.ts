import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { AppError } from '../../errors/app-error.ts'
import { ResponseReader } from './response-reader.ts'

type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: string
  canGoOn: boolean | null
  keepAliveMs: number | undefined
}

/** Parses these pieces, each passed in a reused buffer. */
function read(pieces: readonly Buffer[], { isHead = false, closes = false } = {}): Answer[] {
  const answers: Answer[] = []
  const received = Buffer.alloc(64 * 1024, 'x')
  const reader = new ResponseReader({
    head: (status, headers) =>
      answers.push({ status, headers, body: '', canGoOn: null, keepAliveMs: undefined }),
    data(chunk) {
      const answer = answers.at(-1) as Answer
      answer.body += chunk.toString('latin1')
    },
    end(canGoOn, keepAliveMs) {
      Object.assign(answers.at(-1) as Answer, { canGoOn, keepAliveMs })
      if (canGoOn) reader.begin(isHead)
    },
  })
  reader.begin(isHead)
  for (const piece of pieces) {
    piece.copy(received)
    reader.push(received, 0, piece.length)
  }
  if (closes) reader.close()
  return answers
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const cut = (whole: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [
    ...new Set([...places.map((place) => place % (whole.length + 1)), whole.length]),
  ].sort((a, b) => a - b)
  return ends.map((end, index) => whole.subarray(index === 0 ? 0 : ends[index - 1], end))
}

const COUNTED = bytes(
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-One: a\r\nx-one:  b \r\ncontent-length: 11\r\nKeep-Alive: timeout=5\r\n\r\n{"a":"b\xe9"}\n',
)
const CHUNKED = bytes(
  'HTTP/1.1 201\r\ntransfer-encoding: Chunked\r\n\r\n5;name=value\r\nhello\r\n00A\r\n, chunked!\r\n0\r\nx-trailer: 1\r\n\r\n',
)

describe('a response', () => {
  it('is parsed the same wherever its bytes are split', () => {
    const whole = [COUNTED, CHUNKED].map((answer) => read([answer]))
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (which, places) => {
          assert.deepEqual(
            read(cut([COUNTED, CHUNKED][which] as Buffer, places)).map((answer) => ({
              ...answer,
              canGoOn: true,
            })),
            whole[which],
          )
        },
      ),
      { numRuns: 300 },
    )
    for (const answer of [COUNTED, CHUNKED])
      assert.equal(read([...answer].map((byte) => Buffer.of(byte))).length, 1)
  })

  it('has status, headers by lower-case name, body and the keep-alive time', () => {
    assert.deepEqual(read([COUNTED]), [
      {
        status: 200,
        headers: {
          'content-type': 'application/json',
          'x-one': ['a', 'b'],
          'content-length': '11',
          'keep-alive': 'timeout=5',
        },
        body: '{"a":"b\xe9"}\n',
        canGoOn: true,
        keepAliveMs: 5_000,
      },
    ])
    assert.deepEqual(
      read([CHUNKED]).map(({ status, body, canGoOn }) => ({ status, body, canGoOn })),
      [{ status: 201, body: 'hello, chunked!', canGoOn: true }],
    )
  })

  it('keeps every byte of a header except surrounding spaces, under any name', () => {
    const [answer] = read([
      Buffer.from(
        'HTTP/1.1 200 OK\r\nx-name: \t voil\u{e0} \r\nconstructor: 1\r\n__proto__: 2\r\nx-empty:\r\ncontent-length: 0\r\n\r\n',
      ),
    ])
    assert.deepEqual(answer?.headers, {
      'x-name': 'voil\xc3\xa0',
      constructor: '1',
      'x-empty': '',
      'content-length': '0',
    })
  })

  it('ends its connection when it declares a body but has none', () => {
    assert.deepEqual(
      read([bytes('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n')]).map(
        ({ canGoOn }) => canGoOn,
      ),
      [false],
    )
  })

  it('follows interim responses', () => {
    assert.deepEqual(
      read([
        bytes('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
        COUNTED,
      ]).map(({ status }) => status),
      [200],
    )
  })

  it('ends with the connection if it has no length', () => {
    const [answer] = read([bytes('HTTP/1.1 200 OK\r\n\r\nall that'), bytes(' comes')], {
      closes: true,
    })
    assert.deepEqual([answer?.body, answer?.canGoOn], ['all that comes', false])
  })

  it('has no body for HEAD, 204 and 304, with any headers', () => {
    assert.deepEqual(
      read([bytes('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n')], { isHead: true }).map(
        ({ body, canGoOn }) => [body, canGoOn],
      ),
      [['', true]],
    )
    assert.deepEqual(
      read([bytes('HTTP/1.1 204 No Content\r\n\r\n')]).map(({ canGoOn }) => canGoOn),
      [true],
    )
    assert.deepEqual(
      read([bytes('HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n')]).map(
        ({ canGoOn }) => canGoOn,
      ),
      [true],
    )
  })

  it('ends the connection on request, or for HTTP/1.0 without keep-alive', () => {
    assert.equal(
      read([bytes('HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 0\r\n\r\n')])[0]
        ?.canGoOn,
      false,
    )
    assert.equal(read([bytes('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n')])[0]?.canGoOn, false)
    assert.equal(
      read([bytes('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n')])[0]
        ?.canGoOn,
      true,
    )
  })
})

describe('rejected responses, against response splitting', () => {
  const head = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`
  const refused: readonly (readonly [string, string])[] = [
    ['two lengths', head('content-length: 1\r\ncontent-length: 2')],
    ['the same length twice', head('content-length: 1\r\ncontent-length: 1')],
    ['a length that is not a number', head('content-length: +1')],
    ['a list of lengths', head('content-length: 1, 1')],
    ['a length and chunks', head('content-length: 1\r\ntransfer-encoding: chunked')],
    ['another coding', head('transfer-encoding: gzip, chunked')],
    ['two codings', head('transfer-encoding: chunked\r\ntransfer-encoding: chunked')],
    ['a space before the colon', head('content-length : 1')],
    ['a header on two lines', head('x-a: 1\r\n b')],
    ['a line without a colon', head('nothing')],
    ['a bare line feed', head('x-a: 1\nx-b: 2')],
    ['a bare carriage return', head('x-a: 1\rx-b: 2')],
    ['a zero byte', head('x-a: 1\0')],
    ['another protocol', 'HTTP/2 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n'],
    ['a chunk without a size', `${head('transfer-encoding: chunked')}\r\nhello\r\n`],
    ['a chunk of a negative size', `${head('transfer-encoding: chunked')}-1\r\nhello\r\n`],
    [
      'a chunk longer than its size',
      `${head('transfer-encoding: chunked')}3\r\nhello\r\n0\r\n\r\n`,
    ],
    [
      'a chunk of more than can be counted',
      `${head('transfer-encoding: chunked')}fffffffffffffffff\r\n`,
    ],
    [
      'a size that ends in a bare line feed',
      `${head('transfer-encoding: chunked')}5\nhello\r\n0\r\n\r\n`,
    ],
    [
      'a lone carriage return after a size',
      `${head('transfer-encoding: chunked')}5;\rname\r\nhello\r\n0\r\n\r\n`,
    ],
    ['a zero byte after a size', `${head('transfer-encoding: chunked')}5;\0\r\nhello\r\n0\r\n\r\n`],
    [
      'another answer in the place of trailers',
      `${head('transfer-encoding: chunked')}0\r\n${head('content-length: 0')}`,
    ],
    [
      'a carriage return alone among trailers',
      `${head('transfer-encoding: chunked')}0\r\nx-trailer: 1\r2\r\n\r\n`,
    ],
    ['an unrequested response', `${head('content-length: 0')}${head('content-length: 0')}`],
    ['an endless head', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(70_000)}`],
    ['interim answers without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3_000)],
    [
      'trailers without end',
      `${head('transfer-encoding: chunked')}0\r\n${'x-trailer: 1\r\n'.repeat(6_000)}`,
    ],
    ['an endless size', `${head('transfer-encoding: chunked')}${'0'.repeat(5_000)}`],
  ]
  for (const [what, text] of refused) {
    it(what, () => {
      const pieces = Array.from({ length: Math.ceil(text.length / 30_000) }, (_, place) =>
        bytes(text.slice(place * 30_000, (place + 1) * 30_000)),
      )
      assert.throws(
        () => read(pieces),
        (error) => error instanceof AppError && error.code === 'upstream_error',
      )
    })
  }

  it('a connection that closes before the end of the answer', () => {
    for (const text of [
      '',
      'HTTP/1.1 200',
      head('content-length: 5') + 'four',
      head('transfer-encoding: chunked') + '5\r\nhello\r\n',
    ]) {
      assert.throws(() => read([bytes(text)], { closes: true }), AppError)
    }
  })

  it('parses or rejects any bytes without another outcome', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'HTTP/1.1 200 OK',
            '\r\n',
            '\r\n\r\n',
            'content-length: 3',
            'transfer-encoding: chunked',
            'abc',
            '3',
            '0',
            ' ',
            '\n',
            ':',
            'x: y',
          ),
          { maxLength: 14 },
        ),
        (parts) => {
          try {
            read([bytes(parts.join(''))], { closes: true })
          } catch (error) {
            assert.ok(error instanceof AppError, String(error))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
