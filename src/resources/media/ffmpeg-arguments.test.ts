import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assembleArguments,
  convertArguments,
  FORMAT_NAMES,
  frameOf,
  probeArguments,
  scaleFilter,
} from './ffmpeg-arguments.ts'

const part = { startSeconds: 1.5, seconds: 2 }
const exact = { kind: 'exact', width: 854, height: 480 } as const

/** The values of an option. */
const valuesOf = (args: readonly string[], option: string): readonly string[] =>
  args.filter((_, at) => args[at - 1] === option)

describe('a frame', () => {
  it('has the aspect ratio, with the resolution as its shorter or longer side', () => {
    for (const [ratio, resolution, expected] of [
      ['16:9', '720p', [1280, 720]],
      ['9:16', '720p', [720, 1280]],
      ['1:1', '1K', [1024, 1024]],
      ['4:3', '2K', [2048, 1536]],
      ['21:9', '480p', [1120, 480]],
      ['16:9', '480p', [854, 480]],
    ] as const) {
      const frame = frameOf(ratio, resolution, '720p')
      assert.deepEqual(frame, { kind: 'exact', width: expected[0], height: expected[1] })
    }
    assert.deepEqual(frameOf('1:1', undefined, '480p'), { kind: 'exact', width: 480, height: 480 })
  })

  it('is that of the file without both, and has its ratio without a ratio', () => {
    assert.deepEqual(frameOf(undefined, undefined, '1K'), { kind: 'own' })
    assert.match(scaleFilter(frameOf(undefined, '720p', '1K')), /gte\(iw,ih\),-2,720/)
    assert.match(scaleFilter(frameOf(undefined, '1K', '1K')), /lt\(iw,ih\),-2,1024/)
  })
})

describe('arguments of ffmpeg', () => {
  const assembly = {
    clips: [
      { file: 'clip0', hasAudio: true, seconds: 2 },
      { file: 'clip1', hasAudio: false, seconds: 1.25 },
    ],
    frame: exact,
    output: 'made',
    audio: 'audio',
    logo: 'logo',
    hasCaptions: true,
  }

  it('store no frames of a GIF until its last one, for a palette of all', () => {
    const own = { kind: 'own' } as const
    const args = convertArguments({ input: 'i', output: 'o', format: 'gif', part, frame: own })
    const [graph = ''] = valuesOf(args, '-filter_complex')
    assert.match(graph, /palettegen=stats_mode=single\[p\];\[b\]\[p\]paletteuse=new=1$/)
  })

  it('let every input open only files, of listed formats and codecs', () => {
    const all = [
      ...FORMAT_NAMES.map((format) =>
        convertArguments({ input: 'input', output: 'made', format, part, frame: exact }),
      ),
      assembleArguments(assembly),
      probeArguments('input'),
    ]
    for (const args of all) {
      const inputs = valuesOf(args, '-i')
      assert.ok(inputs.every((file) => file.startsWith('file:')))
      for (const option of ['-protocol_whitelist', '-format_whitelist', '-codec_whitelist'])
        assert.equal(valuesOf(args, option).length, inputs.length, option)
      assert.deepEqual(new Set(valuesOf(args, '-protocol_whitelist')), new Set(['file,pipe']))
      for (const format of ['concat', 'hls', 'dash', 'sdp', 'image2', 'lavfi', 'svg_pipe', 'tty'])
        assert.ok(
          !valuesOf(args, '-format_whitelist').some((list) => list.split(',').includes(format)),
          format,
        )
    }
    assert.deepEqual(valuesOf(assembleArguments(assembly), '-i'), [
      'file:clip0',
      'file:clip1',
      'file:audio',
      'file:logo',
    ])
  })

  it('read nothing from standard input, limit the length, and drop names and places of the files', () => {
    for (const format of FORMAT_NAMES) {
      const args = convertArguments({ input: 'input', output: 'made', format, part, frame: exact })
      assert.ok(args.includes('-nostdin'))
      assert.deepEqual(valuesOf(args, '-map_metadata'), ['-1'])
      assert.deepEqual(valuesOf(args, '-ss'), ['1.500'])
      assert.equal(valuesOf(args, '-t')[0], '2.000')
    }
  })

  it('fill clips without audio with silence of their length', () => {
    const [graph = ''] = valuesOf(assembleArguments(assembly), '-filter_complex')
    assert.match(graph, /\[0:a:0\]aresample/)
    assert.match(graph, /anullsrc=r=44100:cl=stereo,atrim=duration=1\.250/)
    assert.match(graph, /\[2:a:0\].*amix/)
    assert.match(graph, /\[3:v:0\].*overlay/)
    assert.match(graph, /ass=captions\.ass/)
  })
})
