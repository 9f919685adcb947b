/** A linear congruential generator of numbers from 0 to 1: equal seeds give equal models. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Shuffles the list in place. */
export function shuffle(list: number[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other] as number, list[at] as number]
  }
}
