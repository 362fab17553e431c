import type { SeedMessage, SeedPlan, SeedRead } from '../plan.ts'
import { channels, memberships } from './channels.ts'
import { polls } from './polls.ts'
import { emoji } from './emoji.ts'
import { people } from './people.ts'
import { routineScenes } from './routine.ts'
import { designScenes } from './scenes/design.ts'
import { fieldScenes } from './scenes/field.ts'
import { officeScenes } from './scenes/offices.ts'
import { otherScenes } from './scenes/others.ts'
import { releaseScenes } from './scenes/release.ts'
import { perform } from './script.ts'

/** The demo workspace: a team of twelve, three weeks, three languages. Pure data; the same every time. */
export function demoPlan(): SeedPlan {
  const scenes = [
    ...routineScenes(),
    ...releaseScenes,
    ...designScenes,
    ...fieldScenes,
    ...officeScenes,
    ...otherScenes,
  ]
  const messages = perform(scenes)
  return { people, channels, messages, polls, memberships, emoji, reads: readsOfOla(messages) }
}

/** Channels in which the default person has something new, and how many messages of it. */
const UNREAD: Readonly<Record<string, number>> = {
  'team:release-4-2': 2,
  'team:design-crit': 4,
  'team:support-triage': 6,
  'team:komanda-almaty': 5,
  'team:field-trips': 2,
  'dm-priya': 1,
  'team:random': 3,
}

function readsOfOla(messages: readonly SeedMessage[]): SeedRead[] {
  return Object.entries(UNREAD).flatMap(([cid, count]) => {
    const shown = messages
      .filter((message) => message.cid === cid && message.parentId === undefined)
      .toSorted((a, b) => a.at - b.at)
    const lastRead = shown[count]
    return lastRead === undefined ? [] : [{ cid, userId: 'ola', atMessageId: lastRead.id }]
  })
}
