/**
 * The file of the learned model: a line of JSON, then the sparse weights of the linear model. Each row is the
 * hash of a feature (4 bytes), its number of weights (2 bytes), and for each weight the distance to the
 * column before it and the weight (a byte each). A distance of 255 continues in the next byte.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoostedTrees } from '../../../lib/boosted-trees.ts'
import { runWhole, type Steps } from '../../../lib/background/sliced.ts'
import type { Calibration } from './calibration.ts'
import type { LinearModel } from './linear-model.ts'

const FORMAT = 1
const LONG_DISTANCE = 255
const ROWS_PER_STEP = 64

export type RankingModel = {
  readonly linear: LinearModel
  readonly trees: BoostedTrees
  readonly calibration: Calibration
  /** A hit with at least this probability has high confidence. */
  readonly highConfidence: number
}

type Header = {
  readonly format: number
  readonly classes: readonly string[]
  readonly bias: readonly number[]
  readonly scale: number
  readonly rows: number
  readonly weights: number
  readonly trees: BoostedTrees
  readonly calibration: Calibration
  readonly highConfidence: number
}

const FILE = join(import.meta.dirname, 'model.bin')

let loaded: RankingModel | undefined

/** Reads the model on the first call. */
export function loadModel(): RankingModel {
  return runWhole(modelSteps())
}

export function* modelSteps(): Steps<RankingModel> {
  loaded ??= yield* decodeSteps(readFileSync(FILE))
  return loaded
}

export function encodeModel({ linear, trees, calibration, highConfidence }: RankingModel): Buffer {
  const header: Header = {
    format: FORMAT,
    classes: linear.classes,
    bias: [...linear.bias],
    scale: linear.scale,
    rows: linear.hashes.length,
    weights: linear.weights.length,
    trees,
    calibration,
    highConfidence,
  }
  const bytes: number[] = []
  linear.hashes.forEach((hash, row) => {
    const [start = 0, end = 0] = linear.starts.slice(row, row + 2)
    bytes.push(hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255, hash >>> 24)
    bytes.push((end - start) & 255, (end - start) >>> 8)
    let before = 0
    for (let cell = start; cell < end; cell += 1) {
      let distance = (linear.columns[cell] ?? 0) - before
      for (; distance >= LONG_DISTANCE; distance -= LONG_DISTANCE) bytes.push(LONG_DISTANCE)
      bytes.push(distance, (linear.weights[cell] ?? 0) & 255)
      before = linear.columns[cell] ?? 0
    }
  })
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(bytes)])
}

/** Throws a `RangeError` for a file of another format. */
export function decodeModel(file: Buffer): RankingModel {
  return runWhole(decodeSteps(file))
}

function* decodeSteps(file: Buffer): Steps<RankingModel> {
  const newline = file.indexOf('\n')
  const header = JSON.parse(file.subarray(0, newline).toString()) as Header
  if (header.format !== FORMAT)
    throw new RangeError(
      'The model of the action search has another format. Run: npx node tools/finding/train.ts',
    )
  return {
    linear: {
      classes: header.classes,
      bias: Float32Array.from(header.bias),
      scale: header.scale,
      ...(yield* decodeRows(file.subarray(newline + 1), header)),
    },
    trees: header.trees,
    calibration: header.calibration,
    highConfidence: header.highConfidence,
  }
}

function* decodeRows(
  bytes: Uint8Array,
  { rows, weights: size }: Header,
): Steps<Pick<LinearModel, 'hashes' | 'starts' | 'columns' | 'weights'>> {
  const hashes = new Uint32Array(rows)
  const starts = new Uint32Array(rows + 1)
  const columns = new Uint16Array(size)
  const weights = new Int8Array(size)
  let at = 0
  const next = (): number => bytes[at++] ?? 0
  for (let row = 0, cell = 0; row < rows; row += 1) {
    hashes[row] = next() | (next() << 8) | (next() << 16) | (next() << 24)
    const end = cell + (next() | (next() << 8))
    for (let column = 0; cell < end; cell += 1) {
      let distance = next()
      for (; distance === LONG_DISTANCE; distance = next()) column += LONG_DISTANCE
      column += distance
      columns[cell] = column
      weights[cell] = next()
    }
    starts[row + 1] = end
    if (row % ROWS_PER_STEP === 0) yield
  }
  return { hashes, starts, columns, weights }
}
