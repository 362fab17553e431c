import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import * as meta from '#main/cache/meta.ts'
import type { Core } from '../../../core.ts'

/** Rises when the stored form changes: an older one is then not read. */
const KEY = 'campaigns 1'
/** Characters; further campaigns are not stored. */
const LIMIT = 1_000_000

type Stored = { readonly at: number; readonly campaigns: readonly ListedCampaign[] }

/** Stores the campaigns as they were listed, to be read without a connection. */
export function storeListed({ write }: Pick<Core, 'write'>, campaigns: readonly ListedCampaign[], at: number): void {
  let left = LIMIT
  const fitting = campaigns.filter((campaign) => (left -= JSON.stringify(campaign).length) >= 0)
  write((tx) => meta.set(tx, KEY, JSON.stringify({ at, campaigns: fitting } satisfies Stored)))
}

/** As they were listed last, and when that was. `undefined`: never. */
export function listedBefore({ cache }: Pick<Core, 'cache'>): Stored | undefined {
  const text = meta.get(cache.reader, KEY)
  return text === undefined ? undefined : (JSON.parse(text) as Stored)
}
