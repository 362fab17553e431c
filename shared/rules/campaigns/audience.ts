import type { Exclusion } from '../../domain/manage/campaigns.ts'

/** How the server knows a person. */
export type Standing = 'active' | 'deactivated' | 'deleted' | 'unknown'

export type AudienceSource = {
  /** The segment; `null`: the people that the campaign names. */
  readonly id: string | null
  readonly ids: readonly string[]
}

type AudiencePerson = {
  readonly id: string
  /** The first one is the source that found them. */
  readonly from: readonly (string | null)[]
}

export type Audience = {
  /** In the order of sending: each of them once. */
  readonly people: readonly AudiencePerson[]
  readonly excluded: readonly (AudiencePerson & { readonly why: Exclusion })[]
  /** How often people were named altogether, and how many of these repeat another one. */
  readonly found: number
  readonly twice: number
}

/**
 * Who gets a message: everyone named or in a segment, once, without the sender and without those who cannot sign in. See
 * docs/wire.md 8.20. The server sends to exactly these people, and a dry run lists them.
 */
export function resolveAudience(
  sources: readonly AudienceSource[],
  senderId: string,
  standingOf: (id: string) => Standing,
): Audience {
  const from = new Map<string, (string | null)[]>()
  let found = 0
  for (const { id: source, ids } of sources) {
    for (const id of ids) {
      found += 1
      const known = from.get(id)
      if (known === undefined) from.set(id, [source])
      else if (!known.includes(source)) known.push(source)
    }
  }
  const people: AudiencePerson[] = []
  const excluded: (AudiencePerson & { why: Exclusion })[] = []
  for (const id of [...from.keys()].toSorted(byBytes)) {
    const why = exclusionOf(id, senderId, standingOf)
    const person = { id, from: from.get(id) ?? [] }
    if (why === undefined) people.push(person)
    else excluded.push({ ...person, why })
  }
  return { people, excluded, found, twice: found - from.size }
}

function exclusionOf(id: string, senderId: string, standingOf: (id: string) => Standing): Exclusion | undefined {
  if (id === senderId) return 'sender'
  const standing = standingOf(id)
  return standing === 'active' ? undefined : standing
}

/** The order of the database that sends. */
const byBytes = (a: string, b: string): number => (a < b ? -1 : 1)
