import * as v from 'valibot'
import {
  ACTION_HANDLER,
  CHANNEL_SWITCHES,
  LONGEST_HANDLER,
  OTHER_SWITCHES,
  type ChannelKind,
  type ListedPoll,
  type WorkspaceCommand,
  type WorkspaceLimits,
} from '../../domain/manage/workspace.ts'
import { asPollId } from '../../lib/brand.ts'
import { call } from '../../lib/contract.ts'
import type { SavedFile } from '../../domain/export.ts'
import { IMPORT_SOURCES, MOST_SHOWN, type ImportState } from '../../domain/imports.ts'
import {
  COMMAND_HINT_LENGTH,
  COMMAND_NAME_LENGTH,
  INTEGRATION_EVENTS,
  INTEGRATION_KINDS,
  INTEGRATION_NAME_LENGTH,
  INTEGRATION_URL_LENGTH,
  type Integration,
  type ProgramCall,
  type TestResult,
} from '../../domain/manage/integrations.ts'
import { key, nothing, pageCursor, shortText, cid, line, userId } from '../schemas.ts'

const integrationId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const ids = v.pipe(v.array(integrationId), v.minLength(1), v.maxLength(200))
const integrationName = v.pipe(line, v.maxLength(INTEGRATION_NAME_LENGTH))
const url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(INTEGRATION_URL_LENGTH))
const fields = {
  /** `null`: every open channel. */
  cid: v.optional(v.nullable(cid)),
  url: v.optional(url),
  hint: v.optional(v.pipe(shortText, v.trim(), v.maxLength(COMMAND_HINT_LENGTH))),
  events: v.optional(
    v.pipe(v.array(v.picklist(INTEGRATION_EVENTS)), v.minLength(1), v.maxLength(INTEGRATION_EVENTS.length)),
  ),
}
/** Without the slash. */
const command = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]*$/), v.maxLength(COMMAND_NAME_LENGTH))

/**
 * Programs that take part in a workspace of our own kind, for its administrators. All need a connection and reject with
 * `network/offline`, `manage/not-allowed`, `integrations/gone` for one that is not there, or the server's own refusal.
 */
export const integrations = {
  /** Those in use, and those that were revoked in the last 30 days, oldest first. */
  list: call<readonly Integration[]>()(nothing),
  /**
   * `secret`: the whole address of an incoming webhook, a new key, or what calls are signed with. Rejects with
   * `integrations/taken` for a command that exists, `integrations/address` for an address that cannot be called,
   * `integrations/other-device` for an address that is set from another device than the server's,
   * `integrations/channel` for a channel that its maker cannot use so.
   */
  create: call<{ readonly integration: Integration; readonly secret: string }>()(
    v.object({ kind: v.picklist(INTEGRATION_KINDS), name: integrationName, ...fields, command: v.optional(command) }),
  ),
  /** Changes what is given; rejects as `create` does. */
  change: call<Integration>()(v.object({ id: integrationId, name: v.optional(integrationName), ...fields })),
  /** While it is paused nothing is posted, called or read. */
  pause: call<void>()(v.object({ ids, paused: v.boolean() })),
  /** Ends them for good, at once. */
  revoke: call<void>()(v.object({ ids })),
  /** The address of an incoming webhook, or what calls are signed with. Keys are never shown again. */
  reveal: call<string>()(v.object({ id: integrationId })),
  /** Of the last 7 days, newest first; 200 at most. */
  calls: call<readonly ProgramCall[]>()(v.object({ id: integrationId })),
  /** Tries the first waiting event now. */
  retry: call<void>()(v.object({ id: integrationId })),
  /** `text`: what an incoming webhook posts. What happens is real. */
  test: call<TestResult>()(v.object({ id: integrationId, text: line })),
  /** Whether a program answers at an address that no integration has yet. Rejects with `integrations/address`. */
  probe: call<TestResult>()(v.object({ kind: v.picklist(['outgoing', 'command']), url })),
}

const name = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const pollId = v.pipe(key, v.transform(asPollId))
const words = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(100))), v.maxLength(500))

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

/** Control characters, and what Windows or the system keeps for itself. */
const FORBIDDEN = /[\p{Cc}\\:*?"<>|]/u

/** Whether the path of a file in a folder stays in it, on every system. */
export function isEntryPath(path: string): boolean {
  const parts = path.split('/')
  return (
    parts.length <= 12 && parts.every((part) => part !== '' && part !== '.' && part !== '..' && !FORBIDDEN.test(part))
  )
}

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000), v.check(isEntryPath))

/**
 * Import of history into the local workspace of this window, by an administrator of it. All but `state` reject with
 * `imports/not-allowed` for everyone else, and with `session/local-server-stopped`.
 */
export const imports = {
  /** How far it is. Elsewhere there is none. */
  state: call<ImportState>()(nothing),
  /** Begins to hand over an export, in place of an earlier one. Rejects with `imports/busy` while one is under way. */
  begin: call<{ readonly id: string }>()(
    v.object({ source: v.picklist(IMPORT_SOURCES), name: v.pipe(line, v.maxLength(255)) }),
  ),
  /**
   * The next bytes of one of its files, in order. Rejects with `imports/closed` for another export, with `imports/name`
   * for a name that leads out of it, and with `data/disk-full`; nothing of it is kept then.
   */
  piece: call<void>()(v.object({ id: key, path, base64: v.pipe(v.string(), v.maxLength(720_000)) })),
  /** All of it is here: it is read, and nothing is changed. */
  check: call<ImportState>()(v.object({ id: key })),
  /** Imports what was checked. Whoever is not named is who the check found. */
  start: call<ImportState>()(
    v.object({
      people: v.pipe(
        v.array(v.object({ id: key, target: v.union([v.picklist(['new', 'former']), v.object({ userId })]) })),
        v.maxLength(MOST_SHOWN),
      ),
      channels: v.pipe(
        v.array(v.object({ id: key, target: v.union([v.picklist(['new', 'skip']), v.object({ cid })]) })),
        v.maxLength(MOST_SHOWN),
      ),
    }),
  ),
  pause: call<ImportState>()(nothing),
  continue: call<ImportState>()(nothing),
  /** Ends it, or its reading: what was imported stays. */
  stop: call<ImportState>()(nothing),
  /** Removes what the import has added. */
  undo: call<ImportState>()(nothing),
  /** Puts away a check, a refusal or a report. */
  close: call<ImportState>()(nothing),
  /** Writes the report as a table to a file that the user chooses; `saved` is absent if they cancelled. */
  saveReport: call<{ readonly saved?: SavedFile }>('dialog')(nothing),
}
