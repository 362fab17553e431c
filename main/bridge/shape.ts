/** Limits of a window's input. */
const MAX_INPUT_BYTES = 1_048_576
const MAX_INPUT_DEPTH = 32
const MAX_INPUT_NODES = 5_000

type ShapeProblem = 'too-large' | 'too-deep' | 'too-many' | 'not-plain'

type Pending = { readonly value: unknown; readonly depth: number }

/** Keys that could modify prototypes when assigned carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Whether a value is plain data within the limits: what a JSON parser or a structured clone accepts can still break a
 * later step. Iterative, so depth cannot overflow the stack, and a cycle ends as `too-deep`.
 */
export function shapeProblem(input: unknown): ShapeProblem | undefined {
  const pending: Pending[] = [{ value: input, depth: 1 }]
  let nodes = 0
  let bytes = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    nodes += 1
    if (nodes > MAX_INPUT_NODES) return 'too-many'
    if (next.depth > MAX_INPUT_DEPTH) return 'too-deep'
    const { value, depth } = next
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (typeof value === 'object' && value !== null) {
      if (!isPlain(value)) return 'not-plain'
      const keys = Object.keys(value)
      if (keys.length > MAX_INPUT_NODES) return 'too-many'
      for (const key of keys) {
        if (FORBIDDEN_KEYS.has(key)) return 'not-plain'
        bytes += key.length
        pending.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 })
      }
    } else if (!isPrimitive(value)) return 'not-plain'
    if (bytes > MAX_INPUT_BYTES) return 'too-large'
  }
  return undefined
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const isPrimitive = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))
