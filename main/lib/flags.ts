import { parseArgs } from 'node:util'

type Flag =
  | { readonly type: 'boolean' }
  | { readonly type: 'text' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  /** Values separated by commas; may be given more than once. */
  | { readonly type: 'list'; readonly of?: readonly string[] }
  /** A whole number in decimal digits. */
  | { readonly type: 'number'; readonly from: number; readonly to: number }

type Flags = Readonly<Record<string, Flag>>

type ValueOf<F extends Flag> = F extends { readonly type: 'number' }
  ? number
  : F extends { readonly type: 'choice'; readonly of: readonly (infer Choice)[] }
    ? Choice
    : F extends { readonly type: 'list'; readonly of: readonly (infer Choice)[] }
      ? readonly Choice[]
      : F extends { readonly type: 'list' }
        ? readonly string[]
        : string

/** Booleans are always there; other flags only if they are given. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F as F[Name] extends { readonly type: 'boolean' } ? Name : never]: boolean
} & { readonly [Name in keyof F as F[Name] extends { readonly type: 'boolean' } ? never : Name]?: ValueOf<F[Name]> }

/**
 * Reads a command line. A returned text says in one line what is wrong with it. `positionals`: how many arguments it may
 * have besides flags. The rules are checked here and not by
 * `parseArgs` itself: its messages have several lines, and it refuses values that begin with `-`.
 */
export function readFlags<const F extends Flags>(
  args: readonly string[],
  flags: F,
  { positionals: most = 0 }: { readonly positionals?: number } = {},
): { readonly values: FlagValues<F>; readonly positionals: readonly string[] } | string {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(flags).map(([name, { type }]) => [name, { type: type === 'boolean' ? type : 'string' }]),
    ),
  })
  const values = new Map<string, unknown>(
    Object.entries(flags).flatMap(([name, { type }]) => (type === 'boolean' ? [[name, false]] : [])),
  )
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (positionals.length === most) return `Unexpected argument "${token.value}".`
      positionals.push(token.value)
    } else if (token.kind === 'option') {
      const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined
      if (flag === undefined) return `Unknown flag "${token.rawName}".${suggestion(token.name, Object.keys(flags))}`
      if (flag.type === 'boolean' && token.value !== undefined) return `${token.rawName} takes no value.`
      if (flag.type === 'boolean') {
        values.set(token.name, true)
        continue
      }
      const isMissing = !token.value || (token.value.startsWith('--') && !token.inlineValue)
      if (isMissing) return `${token.rawName} needs a value.`
      const value = readValue(flag, token.value ?? '')
      if (value === undefined) return `${token.rawName} must be ${allowed(flag)}, not "${token.value}".`
      const before = values.get(token.name)
      values.set(token.name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
    }
  }
  return { values: Object.fromEntries(values) as FlagValues<F>, positionals }
}

/** More changes than this make another word. */
const MOST_CHANGES = 2

/** Names the flag that was probably meant. */
function suggestion(given: string, names: readonly string[]): string {
  const [nearest] = names
    .map((name) => ({ name, changes: changesBetween(given, name) }))
    .filter(({ name, changes }) => changes <= Math.min(MOST_CHANGES, name.length - 1))
    .toSorted((one, other) => one.changes - other.changes)
  return nearest ? ` Did you mean --${nearest.name}?` : ''
}

/** How many letters are added, missing or different (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row += 1) {
    const line = [row + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + Number(one[row] !== other[at - 1])
      line.push(Math.min(changed, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}

/** `undefined` for a value that the flag does not allow. */
function readValue(flag: Flag, text: string): string | number | readonly string[] | undefined {
  switch (flag.type) {
    case 'number': {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= flag.from && value <= flag.to ? value : undefined
    }
    case 'choice':
      return flag.of.includes(text) ? text : undefined
    case 'list': {
      const parts = text.split(',')
      return parts.every((part) => flag.of?.includes(part) ?? true) ? parts : undefined
    }
    case 'text':
    case 'boolean':
      return text
  }
}

function allowed(flag: Flag): string {
  const choices = 'of' in flag ? new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(flag.of ?? []) : ''
  if (flag.type === 'number') return `a whole number from ${flag.from} to ${flag.to}`
  return flag.type === 'list' ? `a list of ${choices}` : choices
}
