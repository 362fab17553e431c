import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { campaignContent } from '#shared/bridge/calls/campaigns.ts'
import type { KeptCampaignDraft } from '#shared/domain/manage/campaigns.ts'
import * as meta from '#main/cache/meta.ts'
import { fromJson, toJson } from '#main/cache/sql.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'
import type { CallContext } from '../../../context.ts'
import type { Core } from '../../../core.ts'
import { requireRight, topicChanged } from '../authority.ts'

/** In `outbox.db`: what somebody wrote can be had nowhere else. */
const KEY = 'campaign-drafts'
/** Of more drafts the oldest are dropped: one may be long. */
const MOST = 50

const stored = v.record(
  v.string(),
  v.object({ content: campaignContent, version: v.optional(v.string()), at: v.number() }),
)
type Stored = Readonly<Record<string, KeptCampaignDraft>>

type Parts = Pick<Core, 'api' | 'cache' | 'ports' | 'stores' | 'me' | 'memory' | 'server' | 'collector'>
type Handlers = Pick<HandlersOf<'campaigns', CallContext>, 'drafts' | 'keepDraft'>

/** Campaigns that are being written, by their id; a new one has none. They need no connection. */
export function draftCalls(core: Parts): Handlers {
  return {
    drafts: () => {
      requireRight(core, 'campaigns')
      return { ...read(core.stores.outbox.reader) }
    },
    keepDraft: ({ id = '', draft }) => {
      requireRight(core, 'campaigns')
      const at = draft && core.ports.clock.now()
      core.stores.outbox.transaction((tx) => {
        if (draft === undefined || at === undefined) forgetDraft(tx, id)
        else write(tx, { ...read(tx), [id]: { ...draft, at } })
      })
      topicChanged(core, 'campaign-drafts')
      return at === undefined ? {} : { at }
    },
  }
}

export function forgetDraft(tx: Tx, id: string): void {
  const { [id]: known, ...others } = read(tx)
  if (known !== undefined) write(tx, others)
}

function read(reader: Reader): Stored {
  const text = meta.get(reader, KEY)
  if (text === undefined) return {}
  const checked = v.safeParse(stored, fromJson(reader.db, text))
  return checked.success ? checked.output : {}
}

function write(tx: Tx, drafts: Stored): void {
  const newest = Object.entries(drafts).toSorted(([, a], [, b]) => b.at - a.at)
  meta.set(tx, KEY, toJson(Object.fromEntries(newest.slice(0, MOST))))
}
