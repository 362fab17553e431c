import * as fc from 'fast-check'
import { at, aWireMessage, aWireUser, CID } from '#kit/lone-engine.ts'

type Event = Record<string, unknown>

/** What happened to one message, in the order of the server: written, edited, reacted to, deleted or not. */
export type Story = { readonly edits: number; readonly likes: number; readonly isDeleted: boolean }

export const stories = fc.array(
  fc.record({ edits: fc.nat({ max: 2 }), likes: fc.nat({ max: 2 }), isDeleted: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
)

/** The server's events of these stories. Ids begin with `mark`, so that one engine can receive many of them. */
export function eventsOf(notified: readonly Story[], mark: string, from: number): Event[] {
  return notified.flatMap((story, index) => eventsOfOne(story, `${mark}-${index}`, from + index * 100))
}

function eventsOfOne({ edits, likes, isDeleted }: Story, id: string, ms: number): Event[] {
  const events: Event[] = []
  let fields: Record<string, unknown> = { user: aWireUser('ana') }
  let now = ms
  const addEvent = (type: string, more: Event = {}): void => {
    events.push({
      type,
      cid: CID,
      created_at: at(now),
      user: aWireUser('ana'),
      message: aWireMessage(id, ms, fields),
      ...more,
    })
    now += 10
  }
  addEvent('message.new')
  for (let n = 1; n <= edits; n++) {
    fields = { ...fields, text: `${id} v${n}`, updated_at: at(now), message_text_updated_at: at(now) }
    addEvent('message.updated')
  }
  for (let n = 1; n <= likes; n++) {
    const user = aWireUser(`fan${n}`)
    const reaction = {
      message_id: id,
      type: 'like',
      score: 1,
      user,
      user_id: `fan${n}`,
      created_at: at(now),
      updated_at: at(now),
    }
    const latest = [reaction, ...((fields['latest_reactions'] as unknown[] | undefined) ?? [])]
    const group = { count: n, sum_scores: n, first_reaction_at: at(now), last_reaction_at: at(now) }
    fields = { ...fields, latest_reactions: latest, reaction_groups: { like: group }, updated_at: at(now) }
    addEvent('reaction.new', { reaction, user })
  }
  if (isDeleted) {
    fields = { ...fields, type: 'deleted', deleted_at: at(now), updated_at: at(now) }
    addEvent('message.deleted', { hard_delete: false })
  }
  return events
}
