/** Round after round, each side once in each; the first round only warms up. */
export async function inTurn<S, T>(
  rounds: number,
  sides: readonly S[],
  work: (side: S, turn: number) => Promise<T>,
): Promise<ReadonlyMap<S, T[]>> {
  const results = new Map(sides.map((side) => [side, [] as T[]]))
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const side of sides) {
      const result = await work(side, turn)
      if (turn >= 0) results.get(side)?.push(result)
    }
  }
  return results
}
