import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  createChannelType,
  createCommand,
  deleteChannelType,
  deleteCommand,
  listChannelTypes,
  listCommands,
  updateApp,
  updateChannelType,
  updateCommand,
} from '#shared/wire/admin.ts'
import { getApp } from '#shared/wire/app.ts'
import { deletePoll, queryPolls, updatePollPartial } from '#shared/wire/polls.ts'
import {
  CHANNEL_SWITCHES,
  LONGEST_HANDLER,
  OTHER_SWITCHES,
  type ChannelKind,
  type ListedPoll,
  type UploadLimits,
  type WorkspaceCommand,
  type WorkspaceLimits,
} from '#shared/domain/manage/workspace.ts'
import { DEFAULT_MESSAGE_LENGTH, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { asPollId, asUserId } from '#shared/lib/brand.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallContext, EngineApi } from '../../../context.ts'
import type { Core, Requests } from '../../../core.ts'
import {
  asList,
  asWire,
  cursorOf,
  countOf,
  idOf,
  nameOf,
  tallyOf,
  textOf,
  timeOf,
  type Wire,
} from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { connectedApi, isOurs, topicChanged } from '../authority.ts'

export const workspaceFeature = defineFeature({
  create: (core: Parameters<typeof workspaceCalls>[0]) => ({ calls: { workspace: workspaceCalls(core) } }),
})

type Parts = Requests & Pick<Core, 'cache' | 'collector' | 'me' | 'memory' | 'server'>
type Calls = HandlersOf<'workspace', CallContext>

/** See docs/wire.md 3.1, 3.7 and 3.16. */
function workspaceCalls(core: Parts): Calls {
  return { ...typeCalls(core), ...commandCalls(core), ...pollCalls(core), ...limitCalls(core) }
}

const allowed = (core: Parts): Promise<EngineApi> => connectedApi(core, 'settings')

/** Runs a change, and says that the settings have changed. */
async function change(core: Parts, work: (api: EngineApi) => Promise<unknown>): Promise<void> {
  const api = await allowed(core)
  await work(api)
  topicChanged(core, 'settings')
}

type TypeCall = 'types' | 'createType' | 'changeType' | 'removeType'

function typeCalls(core: Parts): Pick<Calls, TypeCall> {
  const { life: signal } = core
  return {
    async types() {
      const { channel_types: types } = await (await allowed(core)).send(listChannelTypes, { signal })
      const ours = isOurs(core)
      return Object.values(asWire(types) ?? {}).flatMap((type) => readKind(type, ours) ?? [])
    },
    createType: ({ name }) =>
      change(core, (api) => orExists(api.send(createChannelType, { body: { name, commands: ['all'] }, signal }))),
    changeType: ({ name, switches = {}, maxLength, retention, commands }) =>
      change(core, (api) => {
        const body = {
          ...switches,
          ...(maxLength === undefined ? {} : { max_message_length: maxLength }),
          ...(retention === undefined ? {} : { message_retention: retention }),
          ...(commands === undefined ? {} : { commands }),
        }
        return api.send(updateChannelType, { params: { name }, body, signal })
      }),
    removeType: ({ name }) =>
      change(core, async (api) => {
        try {
          await api.send(deleteChannelType, { params: { name }, signal })
        } catch (error) {
          const inUse = error instanceof ApiError && /has channels/i.test(error.message)
          throw inUse ? new AppError('workspace/in-use', { cause: error }) : error
        }
      }),
  }
}

async function orExists<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const exists = error instanceof ApiError && error.class === 'exists'
    throw exists ? new AppError('workspace/exists', { cause: error }) : error
  }
}

function commandCalls(core: Parts): Pick<Calls, 'commands' | 'saveCommand' | 'removeCommand'> {
  const { life: signal } = core
  return {
    async commands() {
      const { commands } = await (await allowed(core)).send(listCommands, { signal })
      return { commands: asList(commands).flatMap((each) => readCommand(each) ?? []), runs: !isOurs(core) }
    },
    saveCommand: ({ name, description, args, isNew }) =>
      change(core, (api) =>
        isNew
          ? orExists(api.send(createCommand, { body: { name, description, args, set: 'custom_set' }, signal }))
          : api.send(updateCommand, { params: { name }, body: { description, args }, signal }),
      ),
    removeCommand: ({ name }) => change(core, (api) => api.send(deleteCommand, { params: { name }, signal })),
  }
}

const PAGE = 25

function pollCalls(core: Parts): Pick<Calls, 'polls' | 'closePoll' | 'removePoll'> {
  const { life: signal } = core
  return {
    async polls({ closed, next }) {
      const api = await allowed(core)
      const asOf = core.asOf()
      const filter = closed === undefined ? {} : { is_closed: closed }
      const body = { filter, sort: [{ field: 'created_at', direction: -1 as const }], limit: PAGE, next }
      const reply = await api.send(queryPolls, { body, signal })
      const found = asList(reply.polls)
      core.write((tx) => {
        for (const poll of found) {
          const by = asWire(poll)?.['created_by']
          if (by) writeUser(tx, by, asOf)
        }
      })
      return { polls: found.flatMap((poll) => readPoll(poll) ?? []), next: cursorOf(reply.next, next) }
    },
    closePoll: ({ pollId }) =>
      change(core, (api) =>
        api.send(updatePollPartial, { params: { pollId }, body: { set: { is_closed: true } }, signal }),
      ),
    removePoll: ({ pollId }) => change(core, (api) => api.send(deletePoll, { params: { pollId }, signal })),
  }
}

function limitCalls(core: Parts): Pick<Calls, 'limits' | 'changeLimits'> {
  const { life: signal } = core
  const read = async (api: EngineApi) => readLimits(asWire((await api.send(getApp, { signal })).app), isOurs(core))
  return {
    limits: async () => read(await allowed(core)),
    changeLimits: ({ image, file, ...given }) =>
      change(core, async (api) => {
        const now = await read(api)
        const { guests, anonymous, separateTeams, uniqueNames, linkDays, remindersInterval, actionHandler } = given
        const body = {
          ...(image === undefined ? {} : { image_upload_config: wireUploads(now.image, image) }),
          ...(file === undefined ? {} : { file_upload_config: wireUploads(now.file, file) }),
          ...(guests === undefined ? {} : { guest_user_creation_disabled: !guests }),
          ...(anonymous === undefined ? {} : { anonymous_access_enabled: anonymous }),
          ...(separateTeams === undefined ? {} : { multi_tenant_enabled: separateTeams }),
          ...(uniqueNames === undefined ? {} : { enforce_unique_usernames: uniqueNames }),
          ...(linkDays === undefined ? {} : { cdn_expiration_seconds: secondsOf(linkDays) }),
          ...(remindersInterval === undefined ? {} : { reminders_interval: remindersInterval }),
          ...(actionHandler === undefined ? {} : { custom_action_handler_url: actionHandler }),
        }
        await api.send(updateApp, { body, signal })
      }),
  }
}

/** Types that come with a server, by the contract. */
const BUILT_IN: ReadonlySet<string> = new Set(['messaging', 'team', 'commerce', 'livestream', 'gaming'])

/** @param ours a server of our own kind, which acts on fewer settings than it stores */
function readKind(value: unknown, ours: boolean): ChannelKind | undefined {
  const wire = asWire(value)
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  const others = ours ? [] : OTHER_SWITCHES.filter((each) => typeof wire[each] === 'boolean')
  const switches = [...CHANNEL_SWITCHES, ...others]
  const retention = idOf(wire['message_retention'])
  return {
    name,
    builtIn: BUILT_IN.has(name),
    on: switches.filter((each) => wire[each] === true),
    switches,
    maxLength: countOf(wire['max_message_length']) || DEFAULT_MESSAGE_LENGTH,
    ...(ours || retention === undefined ? {} : { retention }),
    commands: asList(wire['commands']).flatMap((each) => idOf(each) ?? idOf(asWire(each)?.['name']) ?? []),
  }
}

const COMMANDS: ReadonlySet<string> = new Set(['giphy', 'ban', 'unban', 'mute', 'unmute', 'flag'])

function readCommand(value: unknown): WorkspaceCommand | undefined {
  const wire = asWire(value)
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  // Commands that programs answer are listed with their programs.
  if (wire['program'] !== undefined) return undefined
  return {
    name,
    description: textOf(wire['description'], 500) ?? '',
    args: textOf(wire['args'], 500) ?? '',
    builtIn: COMMANDS.has(name),
  }
}

function readPoll(value: unknown): ListedPoll | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (wire === undefined || id === undefined) return undefined
  const byId = idOf(wire['created_by_id']) ?? idOf(asWire(wire['created_by'])?.['id'])
  return {
    id: asPollId(id),
    name: nameOf(wire['name'], 500) ?? '',
    ...(byId === undefined ? {} : { byId: asUserId(byId) }),
    createdAt: timeOf(wire['created_at']) ?? 0,
    closed: wire['is_closed'] === true,
    options: asList(wire['options']).length,
    votes: tallyOf(wire['vote_count']) ?? 0,
  }
}

const DAY_S = 86_400
const LINK_DAYS = 14

function readLimits(wire: Wire | undefined, ours: boolean): WorkspaceLimits {
  const uploads = { image: readUploads(wire?.['image_upload_config']), file: readUploads(wire?.['file_upload_config']) }
  const interval = countOf(wire?.['reminders_interval'])
  const names = wire?.['enforce_unique_usernames']
  const uniqueNames: WorkspaceLimits['uniqueNames'] = names === 'app' || names === 'team' ? names : 'no'
  const common = {
    ...uploads,
    guests: wire?.['guest_user_creation_disabled'] !== true,
    separateTeams: wire?.['multi_tenant_enabled'] === true,
    uniqueNames,
  }
  if (!ours) {
    const handler = wire?.['custom_action_handler_url']
    return {
      ...common,
      ...(interval === undefined ? {} : { remindersInterval: interval }),
      ...(typeof handler === 'string' ? { actionHandler: handler.slice(0, LONGEST_HANDLER) } : {}),
    }
  }
  const seconds = countOf(wire?.['cdn_expiration_seconds'])
  return {
    ...common,
    anonymous: wire?.['anonymous_access_enabled'] === true,
    linkDays: seconds === undefined ? LINK_DAYS : Math.max(1, Math.round(seconds / DAY_S)),
  }
}

function readUploads(value: unknown): UploadLimits {
  const wire = asWire(value)
  const list = (field: string): readonly string[] => asList(wire?.[field]).flatMap((each) => idOf(each) ?? [])
  return {
    maxBytes: countOf(wire?.['size_limit']) || UPLOAD_LIMIT_BYTES,
    allowedExtensions: list('allowed_file_extensions'),
    blockedExtensions: list('blocked_file_extensions'),
    allowedTypes: list('allowed_mime_types'),
    blockedTypes: list('blocked_mime_types'),
  }
}

type UploadChange = { readonly [Field in keyof UploadLimits]?: UploadLimits[Field] }

/** The whole block of the wire: servers replace it. */
function wireUploads(now: UploadLimits, change: UploadChange): Readonly<Record<string, unknown>> {
  const next = { ...now, ...change }
  return {
    size_limit: next.maxBytes,
    allowed_file_extensions: next.allowedExtensions,
    blocked_file_extensions: next.blockedExtensions,
    allowed_mime_types: next.allowedTypes,
    blocked_mime_types: next.blockedTypes,
  }
}

const secondsOf = (days: number): number => days * DAY_S
