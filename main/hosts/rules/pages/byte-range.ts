export type ByteRange = { readonly start: number; readonly end: number }

/**
 * The one range a `Range` header asks for, both ends included; `whole` when there is none or it is not understood;
 * `unsatisfiable` when it lies behind the end. Players ask for ranges to seek.
 */
export function readRange(header: string | undefined | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [, from = '', to = ''] = match
  if (from === '')
    return to === '0' || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(to)), end: size - 1 }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? 'whole' : { start, end }
}
