import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { personId, plainPersonId } from '#shared/rules/people/people.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { queryChannel, queryDistinctChannel } from '#shared/wire/channels.ts'
import { sendMessage, createReminder } from '#shared/wire/messages.ts'
import type { Api } from '#main/engine/api/client.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type Logger } from '#main/lib/logger.ts'
import { inventedId } from '../active-people/active-people.ts'
import type { Translate } from '../texts.ts'
import type { LocalWorkspace } from './local-workspace.ts'

type Newcomer = { readonly id: string; readonly name: string }

/** Who greets in the release channel, and who writes a direct message. Both are people of the demo's seed. */
const GREETER = 'jonas'
const CORRESPONDENT = 'priya'
const RELEASE = { type: 'team', id: 'release-4-2' }

/** Where a newcomer finds a draft: a channel in which anyone may say hello. */
const DRAFT = asCid('team:field-trips')
/** Saved for later without a time. */
const TO_READ = { type: 'team', id: 'announcements' }
/** When the reminder of a newcomer is due: long after the first look around, so that it interrupts nothing. */
const REMIND_AFTER_MS = 20 * 3_600_000

/**
 * A newcomer takes part in the demo under their own name, with all rights, so that they can try everything. Whoever was
 * there before is the same person again. Their Later has something of each kind; the draft is for the caller to save,
 * because drafts are on the device.
 */
export async function joinDemo(
  demo: LocalWorkspace,
  { name, picture }: { readonly name: string; readonly picture?: SmallPicture },
  { ports, log: sink }: Pick<Host, 'ports' | 'log'>,
  translate: Translate,
): Promise<{ readonly id: string; readonly draft?: { readonly cid: Cid; readonly text: string } }> {
  const log = logger('demo', sink)
  const people = await demo.people()
  const plain = plainPersonId(name)
  // Ids of newcomers begin like this; those of the invented people are their first names.
  const known = people.find(({ id, name: theirs }) => theirs === name && (id === plain || id.startsWith(`${plain}-`)))
  const id = known?.id ?? (people.some((person) => person.id === plain) ? personId(name, ports.ids) : plain)
  if (!known) {
    await demo.admit({ id, name, role: 'admin' })
    await putAside(demo, id, ports.clock.now(), log)
    await greetInDemo({ api: await demo.serverApi(), ids: ports.ids, log }, { id, name }, translate)
  }
  if (picture) await demo.setPicture(id, picture)
  return known ? { id } : { id, draft: { cid: DRAFT, text: translate('session', 'demo.draft') } }
}

/** A reminder of a message, and a message saved for later. A refusal is only logged. */
async function putAside(demo: LocalWorkspace, id: string, now: number, log: Logger): Promise<void> {
  try {
    const api = await demo.userApi(id)
    for (const [params, remindAt] of [
      [RELEASE, new Date(now + REMIND_AFTER_MS).toISOString()],
      [TO_READ, undefined],
    ] as const) {
      const { messages } = await api.send(queryChannel, { params, body: { state: true, messages: { limit: 1 } } })
      const newest = messages?.at(-1)
      if (newest) await api.send(createReminder, { params: { id: newest.id }, body: { remind_at: remindAt } })
    }
  } catch (error) {
    log.warn('putting-aside-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}

/**
 * The demo notices a newcomer: a mention that says what to try, and a direct message to answer. A refusal is only logged:
 * the newcomer is in the demo already.
 */
async function greetInDemo(
  { api, ids, log }: { readonly api: Api; readonly ids: Ids; readonly log: Logger },
  newcomer: Newcomer,
  translate: Translate,
): Promise<void> {
  const { id, name } = newcomer
  try {
    await api.send(sendMessage, {
      params: RELEASE,
      body: {
        message: {
          id: inventedId(ids),
          text: translate('session', 'demo.greeting', { name }),
          user_id: GREETER,
          mentioned_users: [id],
        },
      },
    })
    const { channel } = await api.send(queryDistinctChannel, {
      params: { type: 'messaging' },
      body: { data: { members: [CORRESPONDENT, id], created_by_id: CORRESPONDENT } },
    })
    if (channel === undefined) return
    await api.send(sendMessage, {
      params: { type: channel.type, id: channel.id },
      body: {
        message: { id: inventedId(ids), text: translate('session', 'demo.letter', { name }), user_id: CORRESPONDENT },
      },
    })
  } catch (error) {
    log.warn('greeting-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}
