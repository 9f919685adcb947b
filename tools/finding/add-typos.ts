/** Makes typing errors in an intent, as training examples: swaps, drops, doubles and replaces letters. */
const LEAST_LETTERS = 4
const NEIGHBOURS: Readonly<Record<string, string>> = {
  a: 'sq',
  b: 'vn',
  c: 'xv',
  d: 'sf',
  e: 'wr',
  f: 'dg',
  g: 'fh',
  h: 'gj',
  i: 'uo',
  j: 'hk',
  k: 'jl',
  l: 'k',
  m: 'n',
  n: 'bm',
  o: 'ip',
  p: 'o',
  q: 'wa',
  r: 'et',
  s: 'ad',
  t: 'ry',
  u: 'yi',
  v: 'cb',
  w: 'qe',
  x: 'zc',
  y: 'tu',
  z: 'x',
}

/** Changes about one word in three. Leaves addresses and words with digits as they are. */
export function addTypos(text: string, random: () => number): string {
  return text
    .split(' ')
    .map((word) =>
      /^\p{Script=Latin}+$/u.test(word) && word.length >= LEAST_LETTERS && random() < 0.4
        ? changeWord(word, random)
        : word,
    )
    .join(' ')
}

function changeWord(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 1))
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  const kind = random()
  if (kind < 0.35) return before.slice(0, -1) + letter + before.slice(-1) + after
  if (kind < 0.7) return before + after
  if (kind < 0.85) return before + letter + letter + after
  const near = NEIGHBOURS[letter.toLowerCase()] ?? letter
  return before + (near[Math.floor(random() * near.length)] ?? letter) + after
}
