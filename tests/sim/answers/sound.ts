/** What the screen relies on without checking: types of fields, by table of the replica. */
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  messages: {
    id: 'string',
    cid: 'string',
    userId: 'string',
    text: 'string',
    type: 'string',
    status: 'string',
    attachments: 'array',
    uploads: 'array',
    mentionedUserIds: 'array',
    reactions: 'array',
    pinned: 'boolean',
    createdAt: 'number',
    updatedAt: 'number',
  },
  channels: {
    cid: 'string',
    name: 'string',
    directUserIds: 'array',
    memberCount: 'number',
    cooldown: 'number',
    capabilities: 'array',
    config: 'object',
    unread: 'number',
    frozen: 'boolean',
  },
  users: { id: 'string', name: 'string' },
  polls: { id: 'string', name: 'string', options: 'array' },
  reads: { cid: 'string', reads: 'array' },
  typing: { key: 'string', people: 'array' },
  reminders: { messageId: 'string', cid: 'string' },
  drafts: { key: 'string', text: 'string' },
  emoji: { name: 'string', aliases: 'array', image: 'string', moves: 'boolean' },
  emojiTerms: { canCreate: 'boolean', canManage: 'boolean', maxBytes: 'number', maxSide: 'number', maxCount: 'number' },
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** Fields of another type, numbers that are not finite, and anything that cannot cross the bridge. */
export function unsoundIn(tables: object): string[] {
  const faults: string[] = []
  for (const [table, rows] of Object.entries(tables)) {
    for (const [key, row] of Object.entries((rows ?? {}) as Record<string, Record<string, unknown>>)) {
      for (const [field, kind] of Object.entries(KINDS[table] ?? {}))
        if (kindOf(row[field]) !== kind) faults.push(`${table} ${key.slice(0, 40)}: ${field} is ${kindOf(row[field])}`)
      if (hasBadNumber(row, 0)) faults.push(`${table} ${key.slice(0, 40)}: a number that is none`)
    }
  }
  return faults
}

function hasBadNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  if (depth > 40) return true
  return Object.values(value).some((part) => hasBadNumber(part, depth + 1))
}
