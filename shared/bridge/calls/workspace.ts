import * as v from 'valibot'
import { ACTION_HANDLER, CHANNEL_SWITCHES, LONGEST_HANDLER, OTHER_SWITCHES } from '../../domain/manage/workspace.ts'
import type { ChannelKind, ListedPoll, WorkspaceCommand, WorkspaceLimits } from '../../domain/manage/workspace.ts'
import { asPollId } from '../../lib/brand.ts'
import { call } from '../../lib/contract.ts'
import { key, pageCursor, shortText } from '../schemas.ts'

const name = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const pollId = v.pipe(key, v.transform(asPollId))
const words = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(500))
const nothing = v.undefined()

const GIGABYTE = 1_073_741_824

const uploads = v.object({
  maxBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4 * GIGABYTE))),
  allowedExtensions: v.optional(words),
  blockedExtensions: v.optional(words),
  allowedTypes: v.optional(words),
  blockedTypes: v.optional(words),
})

/**
 * Channel types, commands, polls and limits of the whole workspace. All need a connection and the right `settings`; they
 * reject with `network/offline`, `manage/not-allowed`, or the server's own refusal.
 */
export const workspace = {
  types: call<readonly ChannelKind[]>()(nothing),
  /** Creates a type with everything on. Rejects with `workspace/exists`. */
  createType: call<void>()(v.object({ name })),
  /** Changes only what is given. */
  changeType: call<void>()(
    v.object({
      name,
      switches: v.optional(v.partial(v.object(switchFields()))),
      maxLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20_000))),
      retention: v.optional(v.pipe(v.string(), v.regex(/^(?:infinite|[1-9]\d{0,4})$/))),
      commands: v.optional(v.pipe(v.array(name), v.maxLength(200))),
    }),
  ),
  /** Rejects with `workspace/in-use` while there are channels of the type. */
  removeType: call<void>()(v.object({ name })),
  /** `runs`: the server can run commands of one's own. */
  commands: call<{ readonly commands: readonly WorkspaceCommand[]; readonly runs: boolean }>()(nothing),
  /** Creates or changes a command. `isNew` rejects with `workspace/exists` if there is one of the name. */
  saveCommand: call<void>()(
    v.object({
      name,
      description: v.pipe(shortText, v.trim(), v.minLength(1)),
      args: v.pipe(shortText, v.trim()),
      isNew: v.boolean(),
    }),
  ),
  removeCommand: call<void>()(v.object({ name })),
  /** Newest first, 25 at most. `next` absent: there are no more. */
  polls: call<{ readonly polls: readonly ListedPoll[]; readonly next?: string }>()(
    v.object({ closed: v.optional(v.boolean()), next: v.optional(pageCursor) }),
  ),
  closePoll: call<void>()(v.object({ pollId })),
  removePoll: call<void>()(v.object({ pollId })),
  limits: call<WorkspaceLimits>()(nothing),
  /** Changes only what is given. */
  changeLimits: call<void>()(
    v.object({
      image: v.optional(uploads),
      file: v.optional(uploads),
      guests: v.optional(v.boolean()),
      anonymous: v.optional(v.boolean()),
      separateTeams: v.optional(v.boolean()),
      uniqueNames: v.optional(v.picklist(['no', 'app', 'team'])),
      linkDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650))),
      remindersInterval: v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(86_400))),
      actionHandler: v.optional(v.pipe(v.string(), v.maxLength(LONGEST_HANDLER), v.regex(ACTION_HANDLER))),
    }),
  ),
}

function switchFields() {
  const names = [...CHANNEL_SWITCHES, ...OTHER_SWITCHES]
  return Object.fromEntries(names.map((each) => [each, v.boolean()])) as {
    readonly [Name in (typeof names)[number]]: v.BooleanSchema<undefined>
  }
}
